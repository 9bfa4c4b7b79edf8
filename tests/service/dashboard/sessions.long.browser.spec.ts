import assert from "node:assert/strict";
import { useChromium, withReader } from "../../exporter/browser/chromium.js";
import { adminApiKey, withService } from "../support/running-service.js";
import { ScriptedExporter } from "../support/scripted-exporter.js";
import { operatorsPage } from "./support/operators-page.js";

describe("A session of the dashboard in a browser", () => {
    const browser = useChromium();
    const withOperator = operatorsPage(browser);

    it("that has ended loses nothing that was typed: two pages back, the form has it, and can be sent again", async () => {
        await withOperator(async (page, { service, request }) => {
            await page.goto(`${service.url}/dashboard/keys`);
            await page.getByLabel("Name").fill("shop");
            await page.getByLabel("Domains").fill("docs.example.com");
            await page.context().clearCookies();
            await page.getByRole("button", { name: "Create" }).click();
            await page
                .getByText("go back in your browser until you see the form with everything that you typed")
                .waitFor();
            await page.getByLabel("Admin API key").fill(adminApiKey);
            await page.getByRole("button", { name: "Sign in" }).click();
            await page.getByRole("heading", { name: "API keys" }).waitFor();
            await page.goBack();
            await page.goBack();
            await page.getByRole("heading", { name: "API keys" }).waitFor();
            assert.equal(await page.getByLabel("Name").inputValue(), "shop");
            await page.getByRole("button", { name: "Create" }).click();
            const key = (await page.locator("#key").textContent()) ?? "";
            const { body } = await request("GET", "/v1/whoami", { key });
            assert.deepEqual([body["name"], body["domains"]], ["shop", ["docs.example.com"]]);
        });
    });

    it("is used by a person who does something on a page, and not by the jobs of others that the page shows", async () => {
        let now = Date.now();
        await withService({ exporter: new ScriptedExporter(), clock: () => now }, ({ service, start, request }) =>
            withReader(browser(), async (page) => {
                await page.goto(service.createSignInLink() ?? "");
                await page.getByRole("button", { name: "Sign in as the operator" }).click();
                await page.goto(`${service.url}/dashboard/jobs`);
                const seenAt = async () => {
                    const { body } = await request("GET", "/v1/sessions");
                    return Date.parse((body["sessions"] as { seenAt: string }[])[0]?.seenAt ?? "");
                };
                const showJob = async () => {
                    now += 10 * 60_000;
                    const jobId = await start({ version: `v${now}` });
                    await page.locator(`main a[href$="${jobId}"]`).waitFor();
                };
                const begun = await seenAt();
                await showJob();
                assert.equal(await seenAt(), begun);
                await page.keyboard.press("ArrowDown");
                await showJob();
                assert.equal(await seenAt(), now);
            }),
        );
    });
});
