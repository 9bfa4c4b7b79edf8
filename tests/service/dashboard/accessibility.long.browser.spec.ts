import assert from "node:assert/strict";
import { type Locator } from "playwright-core";
import { axeViolations, useChromium } from "../../exporter/browser/chromium.js";
import { domain } from "../support/running-service.js";
import { operatorsPage } from "./support/operators-page.js";

describe("The dashboard for people who see or type in other ways", () => {
    const withOperator = operatorsPage(useChromium());

    for (const [title, look] of [
        ["at 1280 px", { viewport: { width: 1280, height: 800 } }],
        ["at 1280 px, dark", { viewport: { width: 1280, height: 800 }, colorScheme: "dark" }],
        ["at 390 px", { viewport: { width: 390, height: 844 } }],
        ["at 390 px, dark", { viewport: { width: 390, height: 844 }, colorScheme: "dark" }],
    ] as const) {
        it(`has no page with a finding of axe, a horizontal scroll bar or text across the edge of a cell, ${title}`, async () => {
            await withOperator(async (page, { service, start, request }, exporter) => {
                const jobId = await start();
                await exporter.nth(1);
                const { body } = await request("POST", "/v2/agent/docs/job", { json: { prompt: "Fix typos." } });
                await request("POST", "/v1/keys", { json: { name: "ci", scopes: ["export"], domains: [domain] } });
                const agentJob = `/agent-jobs/docs/${String(body["id"])}`;
                const paths = [
                    "/sites",
                    `/sites/${domain}`,
                    "/jobs",
                    `/jobs/${jobId}`,
                    "/updates",
                    "/failures",
                    "/agent-jobs",
                ];
                for (const path of [...paths, agentJob, "/keys", "/health", "/jobs/se_42"]) {
                    await page.goto(`${service.url}/dashboard${path}`);
                    assert.deepEqual(await axeViolations(page), [], path);
                    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
                    assert.equal(await page.evaluate(overflow), 0, path);
                    const isTooWide = "td => td.scrollWidth > td.clientWidth + 1";
                    const tooWide = `[...document.querySelectorAll("td")].filter(${isTooWide}).map(td => td.textContent)`;
                    assert.deepEqual(await page.evaluate(tooWide), [], path);
                }
                await page.context().clearCookies();
                await page.goto(`${service.url}/dashboard/sites`);
                assert.deepEqual(await axeViolations(page), [], "sign-in");
            }, look);
        });
    }

    it("can be used with the keyboard alone", async () => {
        await withOperator(async (page, _running, exporter) => {
            await page.getByRole("heading", { name: "Sites" }).waitFor();
            await page.keyboard.press("Tab");
            assert.equal(await page.evaluate("document.activeElement.textContent.trim()"), "Skip to the content");
            await page.keyboard.press("Enter");
            const press = async (name: string): Promise<void> => {
                for (let count = 0; count < 30; count++) {
                    await page.keyboard.press("Tab");
                    if ((await page.evaluate("document.activeElement.textContent.trim()")) === name) {
                        return page.keyboard.press("Enter");
                    }
                }
                assert.fail(`${name} cannot be reached`);
            };
            await press(domain);
            // A key that is pressed while a page loads is lost.
            await page.waitForURL((url) => url.pathname.endsWith(`/sites/${domain}`));
            await page.getByRole("heading", { name: domain }).waitFor();
            await press("Export");
            await exporter.nth(1);
            await page.waitForURL((url) => url.pathname.startsWith("/dashboard/jobs/"));
        });
    });

    it("shows the chosen section, count and field also in forced colours", async () => {
        await withOperator(
            async (page, { service }) => {
                await page.goto(`${service.url}/dashboard/sites`);
                // Of the border, the outline and the background, as they are painted.
                const look = (locator: Locator): Promise<string> =>
                    locator.evaluate((each) => {
                        const { borderBottomColor, outlineStyle, backgroundColor } = getComputedStyle(each);
                        return [borderBottomColor, outlineStyle, backgroundColor].join();
                    });
                for (const links of [".top nav a", ".counts a"]) {
                    const chosen = page.locator(`${links}[aria-current]`);
                    const other = page.locator(`${links}:not([aria-current])`).first();
                    assert.notEqual(await look(chosen), await look(other), links);
                }
                const field = page.getByRole("searchbox").first();
                const before = await look(field);
                await field.focus();
                assert.notEqual(await look(field), before);
            },
            { forcedColors: "active" },
        );
    });
});
