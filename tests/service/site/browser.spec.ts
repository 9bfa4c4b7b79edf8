import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { chromium, type Browser, type Page } from "playwright-core";
import { withExport } from "./site-fixture.js";

const executablePath = "/usr/bin/chromium";
const files = {
    "index.mdx":
        '# Home\n\n<Tabs>\n  <Tab title="One">First</Tab>\n  <Tab title="Two">Second</Tab>\n</Tabs>\n\n```bash\nnpm i\n```\n',
    "guides/deep/page.md": "# Page\n\n[home](/)\n\n## Renewal\n\nThe link expires.\n",
};

describe("an exported site on disk, in a browser", function () {
    this.timeout(60_000);
    let browser: Browser;

    before(async function () {
        if (!existsSync(executablePath)) {
            console.log("    skipped: there is no chromium at /usr/bin/chromium (Debian: apt-get install chromium)");
            this.skip();
        }
        const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"];
        browser = await chromium.launch({ executablePath, args });
    });

    after(async () => {
        await browser?.close();
    });

    async function withPage(file: string, use: (page: Page) => Promise<void>): Promise<void> {
        await withExport(files, async (site) => {
            const context = await browser.newContext();
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

    it("is searched by keyboard alone, and leads to the section that was found", async () => {
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

    it("follows links from page to page", async () => {
        await withPage("guides/deep/page.html", async (page) => {
            await page.locator("article a", { hasText: "home" }).click();
            await page.waitForURL(/index\.html$/);
        });
    });

    it("switches tabs by click and by arrow key", async () => {
        await withPage("index.html", async (page) => {
            await page.getByRole("tab", { name: "Two" }).click();
            assert.equal(await page.getByText("Second").isVisible(), true);
            assert.equal(await page.getByText("First").isVisible(), false);
            await page.keyboard.press("ArrowLeft");
            assert.equal(await page.getByText("First").isVisible(), true);
        });
    });

    it("is as wide as a phone, with the pages behind a button", async () => {
        await withPage("guides/deep/page.html", async (page) => {
            await page.setViewportSize({ width: 360, height: 700 });
            assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 360);
            assert.equal(await page.locator("#static-export-sidebar").isVisible(), false);
            await page.getByRole("button", { name: "Menu" }).click();
            assert.equal(await page.locator("#static-export-sidebar").isVisible(), true);
            await page.keyboard.press("Escape");
            assert.equal(await page.locator("#static-export-sidebar").isVisible(), false);
        });
    });
});
