import assert from "node:assert/strict";
import { axeViolations, useChromium } from "../../exporter/browser/chromium.js";
import { waitUntil } from "../../wait-until.js";
import { domain } from "../support/running-service.js";
import { operatorsPage } from "./support/operators-page.js";

describe("Failed exports on the dashboard in a browser", () => {
    const withOperator = operatorsPage(useChromium());

    for (const [title, look] of [
        ["at 1280 px", { viewport: { width: 1280, height: 800 } }],
        ["at 390 px, without scripts", { viewport: { width: 390, height: 844 }, javaScriptEnabled: false }],
    ] as const) {
        it(`start again when a person ticks their boxes, and confirms the number, ${title}`, async () => {
            await withOperator(async (page, { service, start, request }, exporter) => {
                const failed: string[] = [];
                for (const version of ["v1", "v2", "v3"]) {
                    failed.push(await start({ version }));
                    (await exporter.nth(failed.length)).fail(new Error("The disk is full."));
                    await waitUntil("the export has failed", async () => {
                        const { body } = await request("GET", `/v1/static-export/jobs/${failed.at(-1)}`);
                        return body["status"] === "failed" ? true : undefined;
                    });
                }
                await page.goto(`${service.url}/dashboard/sites/${domain}`);
                const outcomes = page.getByRole("list", { name: /^Outcomes/ });
                assert.equal(await outcomes.getByRole("link", { name: /^failed: / }).count(), 3);
                if (!("javaScriptEnabled" in look)) {
                    assert.deepEqual(await axeViolations(page), [], "site");
                }
                await page.goto(`${service.url}/dashboard/jobs?status=failed`);
                if (!("javaScriptEnabled" in look)) {
                    assert.deepEqual(await axeViolations(page), [], "exports");
                }
                await page.getByRole("checkbox", { name: `Select ${failed[0]}` }).check();
                await page.getByRole("checkbox", { name: `Select ${failed[2]}` }).check();
                await page.getByRole("button", { name: "Export the selected ones again" }).click();
                await page.getByRole("heading", { name: "Start 2 exports again?" }).waitFor();
                if (!("javaScriptEnabled" in look)) {
                    assert.deepEqual(await axeViolations(page), [], "question");
                }
                await page.getByRole("button", { name: "Start 2 exports" }).click();
                await page.getByRole("heading", { name: "Exports" }).waitFor();
                const { body } = await request("GET", "/v1/static-export/jobs");
                const versions = (body["jobs"] as { version: string }[]).map(({ version }) => version);
                assert.deepEqual([versions.length, versions.slice(0, 2).sort()], [5, ["v1", "v3"]]);
            }, look);
        });
    }

    it("stay selected while the page shows jobs of others", async () => {
        await withOperator(async (page, { service, start, request }, exporter) => {
            const failed = await start({ version: "v1" });
            (await exporter.nth(1)).fail(new Error("The disk is full."));
            await waitUntil("the export has failed", async () => {
                const { body } = await request("GET", `/v1/static-export/jobs/${failed}`);
                return body["status"] === "failed" ? true : undefined;
            });
            await page.goto(`${service.url}/dashboard/jobs`);
            const box = page.getByRole("checkbox", { name: `Select ${failed}` });
            await box.check();
            const other = await start({ version: "v2" });
            await page.locator(`main a[href$="${other}"]`).waitFor();
            assert.ok(await box.isChecked());
        });
    });
});
