import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Page } from "playwright-core";
import { useChromium, withReader } from "../../browser/chromium.js";
import { withExport } from "../../support/site-fixture.js";

const source = `# Home

1. First

\`\`\`sh
curl --data '{' \\\\
\`\`\`

A <Tooltip tip="${"A hint of many words. ".repeat(6)}">word</Tooltip>

<Tabs><Tab title="One">First text</Tab><Tab title="Two">Second text</Tab></Tabs>

| A |
| - |
| a |
`;

describe("an exported page that follows the reading direction of its language", function () {
    this.timeout(60_000);
    const browser = useChromium();

    async function withPageIn(language: string, use: (page: Page) => Promise<void>): Promise<void> {
        const files = {
            "index.mdx": source,
            "docs.json": JSON.stringify({ navigation: { languages: [{ language, pages: ["index"] }] } }),
        };
        await withExport(files, async ({ outDir }) => {
            await withReader(
                browser(),
                async (page) => {
                    await page.goto(pathToFileURL(join(outDir, "index.html")).href);
                    await use(page);
                },
                { viewport: { width: 1280, height: 700 } },
            );
        });
    }

    for (const [language, side, arrow] of [
        ["en", "left", "ArrowRight"],
        ["ar", "right", "ArrowLeft"],
    ] as const) {
        it(`aligns lists, tables and the page list to the ${side} in ${language}, but not code`, async () => {
            await withPageIn(language, async (page) => {
                const facts = await page.evaluate(`(() => {
                    const styleOf = (selector) => getComputedStyle(document.querySelector(selector));
                    const sidebar = document.querySelector(".sidebar").getBoundingClientRect();
                    return {
                        list: parseFloat(styleOf("article ol")["padding-${side}"]) > 0,
                        sidebar: sidebar.left < innerWidth / 2 ? "left" : "right",
                        cell: styleOf("th").textAlign,
                        code: styleOf("pre").direction,
                    };
                })()`);
                assert.deepEqual(facts, { list: true, sidebar: side, cell: "start", code: "ltr" });
            });
        });

        it(`moves to the next tab with ${arrow} in ${language}`, async () => {
            await withPageIn(language, async (page) => {
                await page.getByRole("tab", { name: "One" }).focus();
                await page.keyboard.press(arrow);
                assert.equal(await page.getByText("Second text").isVisible(), true);
            });
        });

        it(`shows tooltips within the window in ${language}`, async () => {
            await withPageIn(language, async (page) => {
                await page.setViewportSize({ width: 320, height: 700 });
                await page.getByRole("button", { name: "word" }).focus();
                const box = await page.getByRole("tooltip").boundingBox();
                assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 320, JSON.stringify(box));
            });
        });
    }
});
