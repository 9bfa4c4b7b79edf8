import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Page } from "playwright-core";
import { withServedSite } from "../../../dev/bench/search/served-site.js";
import { withExport, type ExportedSite, type Files } from "../support/site-fixture.js";
import { axeViolations, useChromium, withReader } from "./chromium.js";
import { type SitePageOptions, useSitePages } from "./support/site-page.js";

function siteWith(display: string): Files {
    return {
        "docs.json": JSON.stringify({
            name: "Docs",
            contextual: { options: ["copy", "view", "claude", "download-pdf"], display },
            navigation: { pages: ["start", "short"] },
        }),
        "start.md": `# Start\n\nFirst "steps" & <b>more</b>.\n\n## One\n\n${"Text. ".repeat(200)}\n\n## Two\n\nEnd.\n`,
        "short.md": "# Short\n\nNo headings.\n",
    };
}

/** Replaces the clipboard, which a headless browser lacks, with a variable. */
const recordedClipboard =
    "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } })";
/** Simulates a page loaded over http, where only the deprecated way to copy works. */
const noClipboard =
    "Object.defineProperty(navigator, 'clipboard', { value: undefined });" +
    "document.addEventListener('copy', () => { window.copied = document.activeElement.value; })";

describe("the page menu in a browser", function () {
    this.timeout(120_000);
    const browser = useChromium();
    const withSite = useSitePages(browser);
    const withPage = (
        use: (page: Page, site: ExportedSite) => Promise<void>,
        { display = "header", ...options }: SitePageOptions & { display?: string } = {},
    ) => withSite(siteWith(display), use, { file: "start.html", init: recordedClipboard, ...options });

    for (const [name, init] of Object.entries({ "the clipboard": recordedClipboard, "no clipboard": noClipboard })) {
        it(`copies the page's Markdown from a folder on disk, with ${name}`, async () => {
            await withPage(
                async (page, site) => {
                    await page.getByRole("button", { name: "Copy page" }).click();
                    await page.getByRole("status").getByText("Copied").waitFor({ state: "attached" });
                    assert.equal(await page.evaluate("window.copied"), await site.read("start.md"));
                    await page.getByRole("button", { name: "Copy page" }).waitFor();
                },
                { init },
            );
        });
    }

    it("passes axe when open and closed, in the header and the table of contents, also on a phone", async () => {
        for (const display of ["header", "toc"]) {
            for (const colorScheme of ["light", "dark"] as const) {
                await withPage(
                    async (page) => {
                        for (const width of [1400, 360]) {
                            await page.setViewportSize({ width, height: 800 });
                            assert.deepEqual(await axeViolations(page), []);
                            await page.locator(".page-menu summary").click();
                            assert.deepEqual(await axeViolations(page), []);
                            assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
                            await page.keyboard.press("Escape");
                        }
                    },
                    { display, colorScheme },
                );
            }
        }
    });

    it("can be used by keyboard alone", async () => {
        await withPage(async (page) => {
            const focused = () => page.evaluate("document.activeElement.textContent.trim()");
            await page.getByRole("button", { name: "Copy page" }).focus();
            await page.keyboard.press("Tab");
            assert.equal(await focused(), "More actions");
            await page.keyboard.press("ArrowDown");
            assert.equal(await focused(), "View as Markdown");
            await page.keyboard.press("ArrowDown");
            assert.equal(await focused(), "ClaudeAsk about this page");
            await page.keyboard.press("ArrowUp");
            await page.keyboard.press("ArrowUp");
            await page.keyboard.press("ArrowUp");
            assert.equal(await focused(), "ClaudeAsk about this page");
            await page.keyboard.press("Escape");
            assert.equal(await focused(), "More actions");
            assert.equal(await page.getByText("View as Markdown").isVisible(), false);
        });
    });

    it("is in the table of contents if configured, or above a page without a table of contents", async () => {
        await withPage(
            async (page, site) => {
                await page.setViewportSize({ width: 1400, height: 800 });
                assert.equal(await page.locator(".toc .page-menu").isVisible(), true);
                assert.equal(await page.locator(".page-menu").count(), 1);
                await page.setViewportSize({ width: 900, height: 800 });
                assert.equal(await page.locator(".toc .page-menu").isVisible(), true);
                await page.goto(pathToFileURL(join(site.outDir, "short.html")).href);
                assert.equal(await page.locator("article .page-menu").isVisible(), true);
            },
            { display: "toc" },
        );
    });

    it("does not offer a PDF that does not exist", async () => {
        await withPage(async (page) => {
            await page.locator(".page-menu summary").click();
            const shown = await page.locator(".page-menu [data-option]:visible").allInnerTexts();
            assert.deepEqual(
                shown.map((text) => text.split("\n")[0]),
                ["Copy page", "View as Markdown", "Claude"],
            );
        });
    });

    it("shows links and no inactive buttons without scripts", async () => {
        await withPage(
            async (page) => {
                assert.equal(await page.getByRole("button", { name: "Copy page" }).count(), 0);
                await page.locator(".page-menu summary").click();
                assert.equal(await page.getByRole("link", { name: "View as Markdown" }).isVisible(), true);
            },
            { javaScriptEnabled: false },
        );
    });

    it("works under a policy that allows only the site's own scripts", async () => {
        await withExport(siteWith("header"), async ({ outDir, read }) => {
            await withServedSite(outDir, async ({ url }) => {
                await withReader(browser(), async (page) => {
                    const errors: string[] = [];
                    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
                    await page.addInitScript(recordedClipboard);
                    await page.goto(`${url}/start.html`);
                    await page.getByRole("button", { name: "Copy page" }).click();
                    await page.getByRole("status").getByText("Copied").waitFor({ state: "attached" });
                    assert.equal(await page.evaluate("window.copied"), await read("start.md"));
                    assert.deepEqual(
                        errors.filter((text) => text.includes("Content Security Policy")),
                        [],
                    );
                });
            });
        });
    });
});
