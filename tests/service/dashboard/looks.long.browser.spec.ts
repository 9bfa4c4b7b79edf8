import assert from "node:assert/strict";
import { useChromium } from "../../exporter/browser/chromium.js";
import { domain } from "../support/running-service.js";
import { operatorsPage } from "./support/operators-page.js";

describe("The dashboard's looks", () => {
    const withOperator = operatorsPage(useChromium());

    it("keep every section in sight at 390 px", async () => {
        await withOperator(
            async (page, { service }) => {
                for (const path of ["/sites", "/sessions", "/audit"]) {
                    await page.goto(`${service.url}/dashboard${path}`);
                    const { x, width } = (await page.locator(".top nav a[aria-current]").boundingBox()) ?? {
                        x: -1,
                        width: 0,
                    };
                    assert.ok(x >= 0 && x + width <= 390, `${path}: ${x}, ${width}`);
                }
            },
            { viewport: { width: 390, height: 844 } },
        );
    });

    it("break no word of a table at 1280 px", async () => {
        await withOperator(async (page, { service, request }) => {
            const name = "a-key-with-a-long-name-for-the-shop-and-its-documentation";
            await request("POST", "/v1/keys", {
                json: { name, scopes: ["read", "export", "update", "agent", "keys"] },
            });
            await page.goto(`${service.url}/dashboard/keys`);
            const cell = page.locator("td", { hasText: /^everything$/ });
            const lines = await cell.evaluate((td) => {
                const range = document.createRange();
                range.selectNodeContents(td);
                return range.getClientRects().length;
            });
            assert.equal(lines, 1);
        });
    });

    it("have no button for commits of a site in a folder", async () => {
        await withOperator(async (page, { service }) => {
            await page.goto(`${service.url}/dashboard/sites/${domain}`);
            await page.getByRole("button", { name: "Export", exact: true }).waitFor();
            assert.equal(await page.getByRole("button", { name: "Publish the newest commit" }).count(), 0);
        });
    });

    it("align the health cards", async () => {
        await withOperator(async (page, { service }) => {
            await page.goto(`${service.url}/dashboard/health`);
            const boxes = await page.locator(".cards .card .number").evaluateAll((numbers) =>
                numbers.map((each) => {
                    const { top, height } = each.getBoundingClientRect();
                    return `${Math.round(top)} ${Math.round(height)}`;
                }),
            );
            // Each row of cards has one line of numbers.
            assert.ok(new Set(boxes).size <= 2, boxes.join(", "));
        });
    });

    it("tell screen readers about the progress and the end of an export", async () => {
        await withOperator(async (page, { service, start }, exporter) => {
            const jobId = await start();
            const run = await exporter.nth(1);
            await page.goto(`${service.url}/dashboard/jobs/${jobId}`);
            run.control.onProgress?.(60, 18);
            const news = page.getByRole("status").and(page.locator("#news"));
            await news.getByText("60 percent, 18 pages").waitFor({ state: "attached" });
            run.fail(new Error("The disk is full."));
            await news.getByText(`Export of ${domain}: failed`).waitFor({ state: "attached" });
        });
    });

    it("tell screen readers about the end of an export also in the list of sites", async () => {
        await withOperator(async (page, { service, start }, exporter) => {
            await start();
            const run = await exporter.nth(1);
            await page.goto(`${service.url}/dashboard/sites`);
            await page.locator("main tr[data-job]").waitFor();
            run.fail(new Error("The disk is full."));
            await page.locator("#news").getByText(`${domain}: failed`).waitFor({ state: "attached" });
        });
    });
});
