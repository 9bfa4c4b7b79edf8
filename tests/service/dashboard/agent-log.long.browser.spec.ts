import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useChromium, withReader } from "../../exporter/browser/chromium.js";
import { withFolder, withServiceOver } from "../support/running-service.js";
import { ScriptedAgents } from "../support/scripted-agents.js";

describe("An agent's log in the dashboard", () => {
    const browser = useChromium();

    it("stays at its end for a person who has scrolled there, and where another one reads", async () => {
        await withFolder(async (folder) => {
            const agents = await ScriptedAgents.create(folder);
            const print = (name: string) =>
                `until [ -e '${folder}/${name}' ]; do sleep 0.05; done; seq -f '${name} %g' 100`;
            const command = ["sh", "-c", [...["first", "second", "third"].map(print), "sleep 60"].join("; ")];
            const options = {
                agent: { ...agents.options, command },
                projects: { docs: { repository: agents.repository } },
            };
            await withServiceOver(folder, options, ({ service }) =>
                withReader(browser(), async (page) => {
                    await page.goto(service.createSignInLink() ?? "");
                    await page.getByRole("button", { name: "Sign in as the operator" }).click();
                    await page.getByRole("link", { name: "Agent jobs" }).click();
                    await page.getByLabel("Prompt").fill("Count.");
                    await page.getByRole("button", { name: "Start" }).click();
                    const log = page.locator("pre[data-log]");
                    const show = async (name: string) => {
                        await writeFile(join(folder, name), "");
                        await log.filter({ hasText: `${name} 100` }).waitFor();
                    };
                    const element = 'document.querySelector("pre[data-log]")';
                    const evaluate = (of: string) =>
                        page.evaluate(`(({ scrollTop, scrollHeight, clientHeight }) => ${of})(${element})`);
                    await show("first");
                    await page.evaluate(`${element}.scrollTop = 100_000`);
                    await show("second");
                    assert.equal(await evaluate("scrollTop + clientHeight >= scrollHeight - 2"), true);
                    await page.evaluate(`${element}.scrollTop = 10`);
                    await show("third");
                    assert.equal(await evaluate("scrollTop"), 10);
                }),
            );
        });
    });
});
