import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Page } from "playwright-core";
import { useChromium, withReader } from "../../browser/chromium.js";
import { withExport, type Files } from "../../support/site-fixture.js";

const longName = "external_customer_ids_to_inherit_a_subscription";

describe("the header and the lists of an exported page", function () {
    this.timeout(60_000);
    const browser = useChromium();

    async function withPage(files: Files, use: (page: Page) => Promise<void>): Promise<void> {
        await withExport(files, async ({ outDir }) => {
            await withReader(browser(), async (page) => {
                await page.goto(pathToFileURL(join(outDir, "index.html")).href);
                await use(page);
            });
        });
    }

    it("fit every screen, even with version and language menus", async () => {
        const versions = [
            { version: "v2.17.0 of the year", pages: ["index"] },
            { version: "v1", pages: ["old"] },
        ];
        const languages = [
            { language: "pt-BR", versions },
            { language: "de", pages: ["de"] },
        ];
        const files = {
            "index.md": "# Home",
            "old.md": "# Old",
            "de.md": "# Start",
            "docs.json": JSON.stringify({ search: { prompt: "Search all of it..." }, navigation: { languages } }),
        };
        await withPage(files, async (page) => {
            for (const width of [1280, 768, 480, 320]) {
                await page.setViewportSize({ width, height: 700 });
                assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
            }
            for (const control of [".menu", ".switcher summary >> nth=0", ".search-open", ".theme-switch"]) {
                const box = await page.locator(control).boundingBox();
                assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 320, control);
                assert.ok(box.height <= 44, `${control} is ${box.height}px high`);
            }
        });
    });

    it("never cover the target of a link, even with a row of tabs", async () => {
        const text = "Words.\n\n".repeat(40);
        const one = { tab: "One", pages: ["index"] };
        const page = { "index.md": `# Home\n\n## First\n\n${text}## Second\n\n${text}`, "two.md": "# Two" };
        for (const navigation of [{ pages: ["index", "two"] }, { tabs: [one, { tab: "Two", pages: ["two"] }] }]) {
            await withPage({ ...page, "docs.json": JSON.stringify({ navigation }) }, async (page) => {
                await page.setViewportSize({ width: 1280, height: 700 });
                await page.locator(".toc").getByText("Second").click();
                const [header, heading, sidebar] = await Promise.all(
                    [".top", "#second", ".sidebar"].map((part) => page.locator(part).boundingBox()),
                );
                assert.ok(header && heading && sidebar);
                assert.ok(heading.y >= header.height, "heading");
                assert.ok(sidebar.y >= header.height - 1 && sidebar.y + sidebar.height <= 701, "sidebar");
            });
        }
    });

    it("do not move when the script loads", async () => {
        const navbar = { links: [{ label: "Status", href: "https://status.example.com" }] };
        await withPage({ "index.md": "# Home", "docs.json": JSON.stringify({ navbar }) }, async (page) => {
            const place = () => page.locator(".top .navbar").boundingBox();
            const after = await place();
            await page.evaluate("document.querySelectorAll('.top button').forEach((button) => (button.hidden = true))");
            assert.equal(await page.locator(".search-open").isVisible(), false);
            assert.deepEqual(await place(), after);
        });
    });

    it("break long names", async () => {
        const source = `# Home\n\n## ${longName}\n\n## Second\n`;
        await withPage({ "index.md": source, "z.md": `---\ntitle: ${longName}\n---\n` }, async (page) => {
            await page.setViewportSize({ width: 1280, height: 700 });
            for (const list of [".toc", ".sidebar"]) {
                const hidden = await page.locator(list).evaluate((part) => part.scrollWidth - part.clientWidth);
                assert.equal(hidden, 0, list);
            }
        });
    });
});
