import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { type Page } from "playwright-core";
import { withServedSite } from "../../../dev/bench/search/served-site.js";
import { useChromium } from "./chromium.js";
import { withExport, type Files } from "../support/site-fixture.js";

const files = {
    "index.mdx":
        '# Home\n\n<Tabs>\n  <Tab title="One">First</Tab>\n  <Tab title="Two">Second</Tab>\n</Tabs>\n\n```bash\nnpm i\n```\n',
    "guides/deep/page.md": "# Page\n\n[home](/)\n\n## Renewal\n\nThe link expires.\n",
};

describe("an exported site in a browser", function () {
    this.timeout(60_000);
    const browser = useChromium();

    async function withPage(file: string, use: (page: Page) => Promise<void>): Promise<void> {
        await withExport(files, async (site) => {
            const context = await browser().newContext();
            try {
                const page = await context.newPage();
                const problems: string[] = [];
                page.on("pageerror", (error) => problems.push(error.message));
                page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
                page.on("request", (request) => request.url().startsWith("http") && problems.push(request.url()));
                await page.goto(pathToFileURL(`${site.outDir}/${file}`).href);
                await use(page);
                assert.deepEqual(problems, []);
            } finally {
                await context.close();
            }
        });
    }

    it("can be searched by keyboard alone, and opens the section of the result", async () => {
        await withPage("index.html", async (page) => {
            await page.keyboard.press("/");
            await page.locator("dialog[open] input").waitFor();
            await page.keyboard.type("renewl expires");
            await page.locator("[role=option][aria-selected=true]").waitFor();
            await page.keyboard.press("Enter");
            await page.waitForURL(/guides\/deep\/page\.html#renewal$/);
            assert.equal(await page.locator("dialog[open]").count(), 0);
        });
    });

    it("loads less than 100 kB for a search over HTTP, and only the site's own files", async () => {
        const text = (page: number) => `Words of page ${page}. ${"The bundle expires after a while. ".repeat(80)}`;
        const many = Array.from({ length: 100 }, (_, page) => [`p/${page}.md`, `# Page ${page}\n\n${text(page)}\n`]);
        await withExport(Object.fromEntries(many) as Files, async ({ outDir }) => {
            await withServedSite(outDir, async ({ url, served }) => {
                const page = await browser().newPage();
                const problems: string[] = [];
                page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
                page.on("request", (request) => request.url().startsWith(url) || problems.push(request.url()));
                await page.goto(`${url}/p/1.html`);
                const before = served.length;
                assert.ok(served.every(({ path }) => !path.includes("search")));
                await page.keyboard.press("/");
                await page.locator("dialog[open] input").waitFor();
                // Enters the whole query in one step, because each letter would start another search, even after the
                // first results have arrived.
                await page.locator("dialog[open] input").fill("bundles expire");
                await page.locator("[role=option] mark").first().waitFor();
                assert.equal(await page.locator("[role=option]").count(), 6);
                await page.getByRole("button", { name: "More results" }).click();
                await page.locator("[role=option]").nth(11).waitFor();
                const bytes = served.slice(before).reduce((sum, answer) => sum + answer.bytes, 0);
                assert.ok(bytes < 100_000, `${bytes} bytes`);
                assert.deepEqual(problems, []);
                await page.close();
            });
        });
    });

    it("searches another version or tab when a reader chooses it", async () => {
        const navigation = {
            versions: [
                {
                    version: "v2",
                    tabs: [
                        { tab: "Guides", pages: ["new"] },
                        { tab: "API", pages: ["api"] },
                    ],
                },
                { version: "v1", pages: ["old"] },
            ],
        };
        const divided = {
            "docs.json": JSON.stringify({ name: "Docs", navigation }),
            "new.md": "# New\n\nThe bundle.",
            "api.md": "# API\n\nThe bundle.",
            "old.md": "# Old\n\nThe bundle.",
        };
        await withExport(divided, async ({ outDir }) => {
            const page = await browser().newPage();
            await page.goto(pathToFileURL(`${outDir}/new.html`).href);
            await page.keyboard.press("/");
            await page.locator("dialog[open] input").fill("bundle");
            const option = (name: RegExp) => page.getByRole("option", { name });
            await option(/^New – Guides/).waitFor();
            await option(/^API – API/).waitFor();
            await page.getByLabel("Section", { exact: true }).selectOption("API");
            await option(/^New/).waitFor({ state: "detached" });
            await page.getByLabel("Search in").selectOption("v1");
            await option(/^Old/).waitFor();
            assert.equal(await page.locator("[role=option]").count(), 1);
            await page.close();
        });
    });

    it("opens another page when a reader follows a link", async () => {
        await withPage("guides/deep/page.html", async (page) => {
            await page.locator("article a", { hasText: "home" }).click();
            await page.waitForURL(/index\.html$/);
        });
    });

    it("shows one view at a time, chosen by a menu or by a link into another view", async () => {
        const source =
            '# Home\n\n[more](#more)\n\n<View title="One">First</View>\n\n<View title="Two">\n## More\n</View>\n';
        await withExport({ "index.mdx": source }, async ({ outDir }) => {
            const page = await browser().newPage();
            const shown = async () => [await page.locator("#one").isVisible(), await page.locator("#more").isVisible()];
            await page.goto(pathToFileURL(`${outDir}/index.html`).href);
            assert.deepEqual(await shown(), [true, false]);
            await page.locator("article a", { hasText: "more" }).click();
            await page.locator("#more").waitFor();
            assert.deepEqual(await shown(), [false, true]);
            await page.locator("article select").selectOption("One");
            assert.deepEqual(await shown(), [true, false]);
            await page.close();
        });
    });

    it("switches tabs on click and with the arrow keys", async () => {
        await withPage("index.html", async (page) => {
            await page.getByRole("tab", { name: "Two" }).click();
            assert.equal(await page.getByText("Second").isVisible(), true);
            assert.equal(await page.getByText("First").isVisible(), false);
            await page.keyboard.press("ArrowLeft");
            assert.equal(await page.getByText("First").isVisible(), true);
        });
    });

    it("fits the width of a phone, with the page list behind a button", async () => {
        await withPage("guides/deep/page.html", async (page) => {
            await page.setViewportSize({ width: 360, height: 700 });
            assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360);
            assert.equal(await page.locator("#sidebar").isVisible(), false);
            await page.getByRole("button", { name: "Menu" }).click();
            assert.equal(await page.locator("#sidebar").isVisible(), true);
            await page.keyboard.press("Escape");
            assert.equal(await page.locator("#sidebar").isVisible(), false);
        });
    });
});
