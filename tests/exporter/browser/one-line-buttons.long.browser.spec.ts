import assert from "node:assert/strict";
import { type Page } from "playwright-core";
import { type ExportedSite } from "../support/site-fixture.js";
import { useSitePages } from "./support/site-page.js";

/** Languages with the longest words, with other letters, and from right to left. */
const languages = ["de", "ru", "uk", "ja", "ar", "vi"];
const longTitle = "Hochverfügbarkeitskonfiguration des Dokumentationsdienstes hinter Unternehmensproxyservern";
const ownOption = { title: longTitle, description: longTitle, icon: "book", href: "https://example.com" };

const menusButton = ".page-menu > :is(a, button):not([hidden])";

function siteWith(display: string, options: readonly unknown[]) {
    const text = `# ${longTitle}\n\n## ${longTitle}\n\nText.\n\n## Two\n\nText.\n`;
    return {
        "docs.json": JSON.stringify({
            name: "Documentation",
            contextual: { options, display },
            navigation: { languages: languages.map((language) => ({ language, pages: [`${language}/start`] })) },
        }),
        ...Object.fromEntries(languages.map((language) => [`${language}/start.md`, text])),
    };
}

/** The size of the menu's button, and whether a part of its title is cut. */
function buttonOn(page: Page) {
    return page.locator(menusButton).evaluate((button) => {
        const { height, left, right } = button.getBoundingClientRect();
        const title = button.querySelector("span");
        return {
            isOneLine: height < 40,
            isInWindow: left >= 0 && right <= window.innerWidth,
            isCut: title !== null && title.scrollWidth > title.clientWidth,
            display: getComputedStyle(button).display,
        };
    });
}

describe("A button in a browser", function () {
    this.timeout(120_000);
    const withPage = useSitePages();

    for (const display of ["header", "toc"]) {
        for (const [what, options, mayBeCut] of [
            ["its usual words", ["copy", "view"], false],
            ["the usual words of a link", ["view", ownOption], false],
            // In a narrow window, the menu of the table of contents is below the page, and its title may wrap.
            ...(display === "header" ? ([["a long title of its own", [ownOption, "copy"], true]] as const) : []),
        ] as const) {
            it(`for the menu of a page is one line high in each language with ${what}, display ${display}`, async () => {
                const use = async (page: Page, { outDir }: ExportedSite) => {
                    for (const language of languages) {
                        await page.goto(`file://${outDir}/${language}/start.html`);
                        for (const width of [1280, 390]) {
                            await page.setViewportSize({ width, height: 800 });
                            const { isCut, ...shown } = await buttonOn(page);
                            const expected = { isOneLine: true, isInWindow: true, display: "flex" };
                            assert.deepEqual(shown, expected, `${language} at ${width}`);
                            // Next to the table of contents, there is room for about 20 letters.
                            const hasRoom = display === "header" || width === 390;
                            assert.ok(!hasRoom || isCut === mayBeCut, `${language} at ${width}: ${String(isCut)}`);
                        }
                    }
                };
                await withPage(siteWith(display, options), use, { file: "de/start.html" });
            });
        }
    }

    it("that comes first in the menu of a page has no description, which the list below shows", async () => {
        await withPage(
            siteWith("header", ["claude", ownOption]),
            async (page) => {
                assert.deepEqual((await buttonOn(page)).isOneLine, true);
                await page.locator(".page-menu summary").click();
                const described = await page.locator(".page-menu li .choice-text").boundingBox();
                assert.ok(described !== null && described.height > 10);
            },
            { file: "de/start.html" },
        );
    });

    it("in the navigation bar stays in the window next to links with long labels", async () => {
        const href = "https://example.com";
        const navbar = {
            links: [
                { label: "Support and community", href },
                { label: longTitle, href },
            ],
            primary: { type: "button", label: "Get started with the product", href },
        };
        await withPage({ "docs.json": JSON.stringify({ navbar }), "index.md": "# Home\n" }, async (page) => {
            for (const width of [1280, 900]) {
                await page.setViewportSize({ width, height: 800 });
                const box = await page.locator(".top .navbar .button").boundingBox();
                assert.ok(box !== null && box.x + box.width <= width && box.height < 40, JSON.stringify(box));
                assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
            }
        });
    });
});
