import assert from "node:assert/strict";
import { type Page } from "playwright-core";
import { useChromium, withReader } from "../../exporter/browser/chromium.js";
import { adminApiKey, type RunningService, withService } from "../support/running-service.js";
import { copyingExporter } from "../support/scripted-exporter.js";

/** In Berlin, this is already 26 November; in New York, it is still the 25th. */
const at = Date.UTC(2026, 10, 25, 23, 30);

describe("Times on the dashboard in a browser", () => {
    const browser = useChromium();

    async function withExport(use: (running: RunningService, jobId: string) => Promise<void>): Promise<void> {
        await withService({ exporter: copyingExporter, clock: () => at }, async (running) => {
            const jobId = await running.start();
            await running.reaches(jobId, "completed");
            await use(running, jobId);
        });
    }

    async function signedIn(running: RunningService, timezoneId: string, use: (page: Page) => Promise<void>) {
        await withReader(
            browser(),
            async (page) => {
                await page.goto(`${running.service.url}/dashboard/sign-in?next=/jobs`);
                await page.getByLabel("Admin API key").fill(adminApiKey);
                await page.getByRole("button", { name: "Sign in" }).click();
                await page.getByRole("heading", { name: "Exports" }).waitFor();
                await use(page);
            },
            { timezoneId, locale: "en-GB" },
        );
    }

    const rows = (page: Page) => page.locator("main tbody tr").count();

    async function filterFrom(page: Page, day: string): Promise<void> {
        await page.getByLabel("From").fill(day);
        await page.getByRole("button", { name: "Filter" }).click();
        await page.waitForURL(new RegExp(`since=${day}`));
    }

    it("of a filter's link are the days of its sender, whose zone the page names", async () => {
        await withExport(async (running) => {
            let link = "";
            await signedIn(running, "Europe/Berlin", async (page) => {
                await filterFrom(page, "2026-11-26");
                assert.equal(await rows(page), 1);
                await page.getByText("From (your time)").waitFor();
                link = page.url();
            });
            await signedIn(running, "America/New_York", async (page) => {
                await page.getByText("From (your time)").waitFor();
                await page.goto(link);
                await page.getByText("From (Europe/Berlin)").waitFor();
                assert.equal(await rows(page), 1);
                await page.getByRole("button", { name: "Filter" }).click();
                await page.getByText("From (your time)").waitFor();
                assert.equal(await rows(page), 0);
            });
        });
    });

    it("in the filter's fields are those of the rows, also after the way back", async () => {
        await withExport(async (running) => {
            await signedIn(running, "Europe/Berlin", async (page) => {
                await filterFrom(page, "2026-11-26");
                await filterFrom(page, "2026-11-27");
                assert.equal(await rows(page), 0);
                await page.goBack();
                await page.waitForURL(/since=2026-11-26/);
                assert.equal(await page.getByLabel("From").inputValue(), "2026-11-26");
                assert.equal(await rows(page), 1);
            });
        });
    });

    it("of a log are local, like all others, and UTC without scripts", async () => {
        await withExport(async (running, jobId) => {
            await signedIn(running, "Europe/Berlin", async (page) => {
                await page.goto(`${running.service.url}/dashboard/jobs/${jobId}`);
                await page.getByRole("heading", { name: "Log (your time)" }).waitFor();
                assert.match((await page.locator("main pre.foreign").last().textContent()) ?? "", /^00:30:00 \S/);
                assert.equal(await page.title(), `Export of docs.example.com, ${jobId} · Static export`);
            });
            const { body } = await running.request("GET", `/v1/static-export/jobs/${jobId}/details`);
            assert.match((body["log"] as { at: string }[])[0]?.at ?? "", /T23:30:00/);
        });
    });
});
