import assert from "node:assert/strict";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Page } from "playwright-core";
import { useChromium } from "../../exporter/browser/chromium.js";
import { waitUntil } from "../../wait-until.js";
import { withFolder } from "../support/command.js";
import { type Dev, withDev } from "./support/running-dev.js";

const paragraphs = Array.from({ length: 60 }, (_, index) => `Paragraph ${index}.\n\n`).join("");
const long = `# Long\n\n${paragraphs}## Far down\n\nThe end.\n\n${paragraphs}`;
const textWith = (second: string, end = "") => `# Title\n\nFirst.\n\n${second}\n\n- third\n\nLast.\n${end}`;

describe("static-export dev in a browser", function () {
    this.timeout(60_000);
    const browser = useChromium();

    async function withPage(use: (page: Page, dev: Dev) => Promise<void>, env: Record<string, string> = {}) {
        await withFolder(async (folder) => {
            await mkdir(join(folder, "docs/snippets"));
            await writeFile(join(folder, "docs/long.md"), long);
            await writeFile(join(folder, "docs/text.md"), textWith("Second."));
            await writeFile(join(folder, "docs/snippets/note.mdx"), "An old note.\n");
            const shows = 'import Note from "/snippets/note.mdx";\n\n# Shows\n\n<Note />\n';
            await writeFile(join(folder, "docs/shows.mdx"), shows);
            const withBin = { ...env, PATH: `${folder}:${process.env["PATH"]}` };
            await withDev(folder, withBin, async (dev) => {
                const page = await browser().newPage();
                try {
                    await use(page, dev);
                } finally {
                    await page.close();
                }
            });
        });
    }

    it("keeps the reader's place when the page changes, even if the text above becomes longer", async () => {
        await withPage(async (page, { url, write }) => {
            await page.goto(`${url}/long.html`);
            const top = () => page.evaluate<number>('document.getElementById("far-down").getBoundingClientRect().top');
            await page.evaluate('document.getElementById("far-down").scrollIntoView({ behavior: "instant" })');
            const before = await top();
            await write(
                "long.md",
                long.replace("# Long\n", `# Long\n\n${paragraphs}`).replace("The end.", "Another end."),
            );
            await page.getByText("Another end.").waitFor();
            await waitUntil("the reader's place", async () => Math.abs((await top()) - before) < 5);
        });
    });

    it("updates only the pages that show a changed snippet or setting", async () => {
        await withPage(async (page, { url, write, command }) => {
            await page.goto(`${url}/shows.html`);
            await page.evaluate("window.isOld = true");
            await write("index.md", "# Welcome\n\nOther text.\n");
            await command.prints(/updated index\.md in \d+ ms/);
            await write("snippets/note.mdx", "A new note.\n");
            await page.getByText("A new note.").waitFor();
            await page.getByText("An old note.").waitFor({ state: "detached" });
            await write(
                "docs.json",
                JSON.stringify({ name: "Renamed site", navigation: { pages: ["index", "shows"] } }),
            );
            await page.locator(".brand", { hasText: "Renamed site" }).waitFor();
            await page.evaluate("window.isOld = true");
            await write("index.md", "# Welcome\n\nStill other text.\n");
            await command.prints(/updated index\.md[^]*updated index\.md/);
            assert.equal(await page.evaluate("window.isOld"), true);
        });
    });

    it("replaces plain text in place, and reloads the page for all other changes", async () => {
        await withPage(async (page, { url, write }) => {
            // If the text changes before the page has fetched its update, the page reloads once more.
            const own = page.waitForResponse((response) => response.request().resourceType() === "fetch");
            await page.goto(`${url}/text.html`);
            await (await own).finished();
            await page.evaluate("window.isOld = true");
            const shown = () => page.locator("article > :not(h1)").allInnerTexts();
            await write("text.md", textWith("Another *second*.\n\nWith more."));
            await page.getByText("With more.").waitFor();
            assert.deepEqual(await shown(), ["First.", "Another second.", "With more.", "third", "Last."]);
            await write("text.md", textWith("Second again.", "\n[dead](/nowhere)\n"));
            await page.getByText("Second again.").waitFor();
            assert.deepEqual(await shown(), ["First.", "Second again.", "third", "Last.", "dead"]);
            await page.locator("static-export-live summary", { hasText: "1 warning" }).waitFor();
            assert.equal(await page.evaluate("window.isOld"), true);
            await write("text.md", textWith("```js\nlet code;\n```"));
            await page.getByRole("button", { name: "Copy" }).waitFor();
            assert.equal(await page.evaluate("window.isOld"), undefined);
        });
    });

    it("shows warnings and broken settings on the page until they are corrected", async () => {
        await withPage(async (page, { url, write, command, folder }) => {
            await page.goto(`${url}/index.html`);
            const summary = page.locator("static-export-live summary");
            await summary.filter({ hasText: "No warnings" }).waitFor();
            await command.prints(/No warnings on any page/);
            await write("index.md", "# Welcome\n\n[dead](/nowhere)\n");
            await summary.filter({ hasText: "1 warning" }).waitFor();
            await command.prints(/^warning: link: index\.md:3: .*nowhere/m);
            await summary.click();
            await page.getByText("index.md:3").waitFor();
            await write("docs.json", "{ broken");
            await page.getByText("docs.json:1: not valid JSON").waitFor();
            await command.prints(/^error: docs\.json:1: /m);
            await rm(join(folder, "docs/docs.json"));
            await write("index.md", "# Welcome\n");
            await summary.filter({ hasText: "No warnings" }).waitFor();
        });
    });

    it("opens the file of a warning in the editor, at the line of the warning", async () => {
        await withPage(
            async (page, { url, folder, write }) => {
                const editor = join(folder, "code");
                await writeFile(editor, `#!/bin/sh\necho "$@" > "${folder}/opened"\n`);
                await chmod(editor, 0o755);
                await write("index.md", "# Welcome\n\n[dead](/nowhere)\n");
                await page.goto(`${url}/index.html`);
                await page.locator("static-export-live summary").click();
                await page.getByRole("button", { name: "index.md:3" }).click();
                const opened = () => readFile(join(folder, "opened"), "utf8").catch(() => "");
                await waitUntil(
                    "the start of the editor",
                    async () => (await opened()) === `-g ${folder}/docs/index.md:3\n`,
                );
            },
            { VISUAL: "code --wait", EDITOR: "" },
        );
    });

    it("searches the text of pages", async () => {
        await withPage(async (page, { url }) => {
            await page.goto(`${url}/index.html`);
            await page.keyboard.press("/");
            await page.locator("dialog[open] input").fill("Far down");
            await page.locator("[role=option] mark").first().waitFor();
        });
    });
});
