import assert from "node:assert/strict";
import { type Page } from "playwright-core";
import { axeViolations, useChromium } from "../../exporter/browser/chromium.js";
import { waitUntil } from "../../wait-until.js";
import { domain, type RunningService } from "../support/running-service.js";
import { type ScriptedExporter } from "../support/scripted-exporter.js";
import { operatorsPage } from "./support/operators-page.js";

/** Lets one export of each text fail with it. */
async function failWith(running: RunningService, exporter: ScriptedExporter, errors: readonly string[]): Promise<void> {
    for (const [place, error] of errors.entries()) {
        const jobId = await running.start();
        (await exporter.nth(place + 1)).fail(new Error(error));
        await waitUntil("the export has failed", async () => {
            const { body } = await running.request("GET", `/v1/static-export/jobs/${jobId}`);
            return body["status"] === "failed" ? true : undefined;
        });
    }
}

const unreadable = ["a.md", "b.md", "c.md"].map((name) => `The page ${name} cannot be read.`);

async function assertFits(page: Page): Promise<void> {
    assert.deepEqual(await axeViolations(page), []);
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert.equal(await page.evaluate(overflow), 0);
}

describe("Failures on the dashboard in a browser", () => {
    const withOperator = operatorsPage(useChromium());

    it("are one row for each reason, which leads to its exports, found by a text of the error", async () => {
        await withOperator(async (page, running, exporter) => {
            await failWith(running, exporter, [...unreadable, "The disk is full."]);
            await page.getByRole("link", { name: "Failures", exact: true }).click();
            await page.getByText("4 failures with 2 reasons.").waitFor();
            await assertFits(page);
            await page.getByRole("link", { name: `3 failed exports of ${domain}` }).click();
            await page.getByRole("heading", { name: "Exports" }).waitFor();
            assert.equal(await page.locator("main tbody tr").count(), 3);
            await page.getByLabel("Text of the error").fill("b.md");
            await page.getByRole("button", { name: "Filter" }).click();
            await page.waitForURL(/error=b\.md/);
            assert.equal(await page.locator("main tbody tr").count(), 1);
        });
    });

    it("fit on a phone", async () => {
        await withOperator(
            async (page, running, exporter) => {
                await failWith(running, exporter, unreadable);
                await page.goto(`${running.service.url}/dashboard/failures`);
                await page.getByText("3 failures with 1 reason.").waitFor();
                await assertFits(page);
            },
            { viewport: { width: 390, height: 844 } },
        );
    });
});
