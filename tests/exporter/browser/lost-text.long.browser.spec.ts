import assert from "node:assert/strict";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { markdownToHast, mdxToHast, type HastNode } from "satteri";
import { exportSite } from "../../../exporter/src/write/export-site.js";
import { listFiles, withFolder, writeFiles } from "../support/site-fixture.js";
import { useChromium, withReader } from "./chromium.js";

/** Returns the texts of a page's source, by a parser that reads tags as text, without white space. */
function textsOf(file: string, source: string): string[] {
    const root = file.endsWith(".mdx") ? mdxToHast(source) : markdownToHast(source);
    const texts: string[] = [];
    const visit = (node: HastNode): void => {
        if (node.type === "text") {
            texts.push(withoutSpaces(node.value).replace(/^\[!\w+\]/, ""));
        }
        ("children" in node && !isDiagram(node) ? node.children : []).forEach((child) => visit(child));
    };
    visit(root);
    return texts.filter((text) => text !== "");
}

function isDiagram(node: HastNode): boolean {
    return node.type === "element" && String(node.properties["className"]) === "language-mermaid";
}

const withoutSpaces = (text: string) => text.replace(/\s+/g, "").toLowerCase();

/** Returns the first text that is not visible after the texts before it. */
function firstLost(texts: readonly string[], shown: string): string | undefined {
    let at = 0;
    return texts.find((text) => {
        const found = shown.indexOf(text, at);
        at = found === -1 ? at : found + text.length;
        return found === -1;
    });
}

describe("An exported page in a browser", function () {
    this.timeout(300_000);
    const browser = useChromium();

    /** Returns the first lost text of each page, and how many pages were compared. */
    async function compare(write: (folder: string) => Promise<void>): Promise<{ lost: string[]; count: number }> {
        const lost: string[] = [];
        let count = 0;
        await withFolder(async (folder) => {
            const [sourceDir, outDir] = [join(folder, "site"), join(folder, "out")];
            await write(sourceDir);
            await exportSite({ sourceDir, outDir, domain: "docs.example.com" });
            const exported = new Set(await listFiles(outDir));
            await withReader(browser(), async (page) => {
                await page.emulateMedia({ media: "print" });
                for (const file of (await listFiles(sourceDir)).filter((each) => /\.mdx?$/.test(each))) {
                    const html = file.replace(/\.mdx?$/, ".html");
                    if (exported.has(html)) {
                        count += 1;
                        await page.goto(pathToFileURL(join(outDir, html)).href);
                        const shown = withoutSpaces(await page.locator("article").innerText());
                        const text = firstLost(textsOf(file, await readFile(join(sourceDir, file), "utf8")), shown);
                        lost.push(...(text === undefined ? [] : [`${file}: ${text}`]));
                    }
                }
            });
        });
        return { lost, count };
    }

    it("shows all text of its source, in order: this project's documentation", async () => {
        const { lost, count } = await compare((folder) => cp("docs", folder, { recursive: true }));
        assert.deepEqual(lost, []);
        assert.ok(count > 30, String(count));
    });

    it("shows all text of its source, in order: the README files and the changelog", async () => {
        const { lost, count } = await compare(async (folder) => {
            const examples = (await listFiles("examples")).map((file) => `examples/${file}`);
            for (const file of ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...examples]) {
                if (file.endsWith(".md")) {
                    await cp(file, join(folder, file.replaceAll("/", "-").toLowerCase()));
                }
            }
        });
        assert.deepEqual(lost, []);
        assert.ok(count > 10, String(count));
    });

    it("would fail this comparison if an element hid text", async () => {
        const source = "First\n\n<noscript>\n\nSecond\n\n</noscript>\n\nThird\n";
        const { lost } = await compare((folder) => writeFiles(folder, { "a.md": source }));
        assert.deepEqual(lost, ["a.md: second"]);
    });
});
