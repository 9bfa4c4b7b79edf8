import assert from "node:assert/strict";
import { type Page } from "playwright-core";
import { useChromium, withReader } from "../../exporter/browser/chromium.js";
import { domain, type RunningService, withService } from "../support/running-service.js";
import { ScriptedExporter } from "../support/scripted-exporter.js";

interface Case {
    /** The act of the button. */
    what: string;
    /** Opens the page with the button, and returns the button's name. */
    open: (page: Page, running: RunningService, dashboard: string) => Promise<string>;
    /** A text on the page of the answer. */
    result: RegExp;
    /** The entry of the audit log, of which there is one. */
    act: RegExp;
}

/** forms-sent-twice.process.spec.ts has every form. */
const cases: readonly Case[] = [
    {
        what: "starts an export",
        open: async (page, _running, dashboard) => {
            await page.goto(`${dashboard}/sites/${domain}`);
            return "Export";
        },
        result: /Export of docs\.example\.com/,
        act: /^started export job/,
    },
    {
        what: "creates a key",
        open: async (page, _running, dashboard) => {
            await page.goto(`${dashboard}/keys`);
            await page.getByLabel("Name").fill("new");
            return "Create";
        },
        result: /secret|Key new/,
        act: /^created key new/,
    },
];

describe("In a browser without scripts", () => {
    const browser = useChromium();

    async function withButton(
        { open, act, result }: Case,
        use: (page: Page, press: (how: "click" | "dblclick") => Promise<void>) => Promise<void>,
    ): Promise<void> {
        const projects = { docs: { repository: "https://git.example.com/docs" } };
        await withService({ exporter: new ScriptedExporter(), projects }, (running) =>
            withReader(
                browser(),
                async (page) => {
                    await page.goto(running.service.createSignInLink() ?? "");
                    await page.getByRole("button", { name: "Sign in as the operator" }).dblclick();
                    await page.getByRole("heading", { name: "Sites" }).waitFor();
                    const name = await open(page, running, `${running.service.url}/dashboard`);
                    await use(page, async (how) => {
                        const asked = page.url();
                        await page.getByRole("button", { name, exact: true })[how]();
                        await page.waitForURL((url) => url.href !== asked);
                        await page.getByRole("main").getByText(result).first().waitFor();
                    });
                    assert.equal(await page.getByText("That did not work").count(), 0);
                    assert.equal(await page.getByText("Not found").count(), 0);
                    const { body } = await running.request("GET", "/v1/audit?limit=100");
                    const acts = (body["entries"] as { act: string }[]).map((each) => each.act);
                    assert.equal(acts.filter((each) => act.test(each)).length, 1, acts.join("\n"));
                },
                { javaScriptEnabled: false, viewport: { width: 1280, height: 800 } },
            ),
        );
    }

    for (const each of cases) {
        it(`a double click on the button that ${each.what} acts once, and shows the result`, async () => {
            await withButton(each, (_page, press) => press("dblclick"));
        });

        it(`a reload of the answer and the way back from it do nothing again: the button that ${each.what}`, async () => {
            await withButton(each, async (page, press) => {
                await press("click");
                await page.reload();
                await page.getByRole("main").getByText(each.result).first().waitFor();
                await page.goBack();
                await page.getByRole("main").waitFor();
            });
        });
    }
});
