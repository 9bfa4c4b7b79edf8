import assert from "node:assert/strict";
import { type Page } from "playwright-core";
import { axeViolations } from "./chromium.js";
import { useSitePages } from "./support/site-page.js";

const longName = "external_customer_ids_to_inherit_a_subscription";

const longExample = `<RequestExample>\n\n\`\`\`sh ${longName}\n${"long ".repeat(60)}\n${"line\n".repeat(120)}\`\`\`\n\n</RequestExample>\n`;

/** Minimal pages that reproduce problems with other projects' documentation. */
describe("the layout of an exported page", function () {
    this.timeout(60_000);
    const withPage = useSitePages();

    async function assertFits(page: Page): Promise<void> {
        for (const width of [320, 768, 1000, 1280]) {
            await page.setViewportSize({ width, height: 700 });
            assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
        }
    }

    async function assertShown(page: Page, text: string): Promise<void> {
        assert.notEqual(await page.locator("article").getByText(text).filter({ visible: true }).count(), 0, text);
    }

    const parts: readonly (readonly [what: string, source: string])[] = [
        [
            "fields within fields",
            `${"<Expandable title='Inner'>\n\n".repeat(9)}<ResponseField name="a" type="string">Text</ResponseField>\n\n${"</Expandable>\n\n".repeat(9)}`,
        ],
        ["names of fields", `<ResponseField name="${longName}" type="${longName}[]">Text</ResponseField>`],
        ["code within updates", `<Update label="July">\n\n\`\`\`\n${"long ".repeat(60)}\n\`\`\`\n\n</Update>`],
        ["a table of tags", `<table><tbody><tr>${`<td>${longName}</td>`.repeat(3)}</tr></tbody></table>`],
        ["a formula in a sentence", `Text $\\text{${"long ".repeat(20)}}$ text`],
        [
            "hints at the right edge",
            `${"Words in front of it ".repeat(20)}<Tooltip tip="${"A hint of many words. ".repeat(6)}">end</Tooltip>`,
        ],
        ["a panel next to the text", `<Panel>${longName}</Panel>\n\n${longExample}`],
    ];
    for (const [what, source] of parts) {
        it(`is not made wider by ${what}`, async () => {
            await withPage({ "index.mdx": `# Home\n\n${source}\n` }, assertFits);
        });
    }

    it("is not widened by the titles of neighbouring pages", async () => {
        await withPage({ "index.md": "# Home", [`z.md`]: `---\ntitle: ${longName}\n---\n` }, assertFits);
    });

    it("shows the label of an empty link, so that readers can click the link", async () => {
        const source = '# Home\n\n<a href="/z" class="absolute" aria-label="Mini apps"></a>\n\n<a id="place"></a>\n';
        await withPage({ "index.mdx": source, "z.md": "# Target" }, async (page) => {
            const widths = await page
                .locator("article a:empty")
                .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().width > 20));
            assert.deepEqual(widths, [true, false]);
            await page.getByRole("link", { name: "Mini apps" }).click();
            assert.equal(await page.locator("h1").textContent(), "Target");
        });
    });

    it("preserves a picture's aspect ratio in a box of another shape, unless object-cover is set", async () => {
        const picture = (name: string) => `<img src="/a.svg" alt="" className="w-full h-40 ${name}" />`;
        await withPage(
            { "index.mdx": `# Home\n\n${picture("")}\n\n${picture("object-cover")}\n`, "a.svg": "<svg/>" },
            async (page) => {
                const fits = await page
                    .locator("article img")
                    .evaluateAll((pictures) => pictures.map((one) => getComputedStyle(one).objectFit));
                assert.deepEqual(fits, ["contain", "cover"]);
            },
        );
    });

    it("fits the text of a horizontal card next to its picture, or across the card without a picture", async () => {
        const card = (attributes: string) =>
            `<Card title="${"Speech to text ".repeat(3)}" horizontal ${attributes}>\n  Migrate to another interface\n</Card>`;
        const files = {
            "index.mdx": `# Home\n\n<Columns cols={2}>\n${card("")}\n${card('img="/a.svg"')}\n</Columns>\n`,
        };
        await withPage({ ...files, "a.svg": "<svg/>" }, async (page) => {
            const widths = await page
                .locator(".card-body")
                .evaluateAll((bodies) => bodies.map((body) => body.getBoundingClientRect().width));
            assert.equal(widths.length, 2);
            assert.ok(Math.min(...widths) > 100, widths.join(", "));
        });
    });

    it("makes a long request example scroll, and prints it completely", async () => {
        const lines = "line\n".repeat(120);
        const source = `# Home\n\n<RequestExample>\n\n\`\`\`sh\n${lines}\`\`\`\n\n</RequestExample>\n\n\`\`\`sh\n${lines}\`\`\`\n`;
        await withPage({ "index.mdx": source }, async (page) => {
            const heights = () =>
                page.locator("pre").evaluateAll((blocks) => blocks.map((block) => block.clientHeight > 1000));
            assert.deepEqual(await heights(), [false, true]);
            await page.emulateMedia({ media: "print" });
            assert.deepEqual(await heights(), [true, true]);
        });
    });

    it("keeps an example next to the text in view, and puts it above the text in a narrow window", async () => {
        await withPage({ "index.mdx": `# Home\n\n${"Text\n\n".repeat(80)}${longExample}` }, async (page) => {
            const boxOf = async (selector: string) =>
                (await page.locator(selector).first().boundingBox()) ?? assert.fail();
            await page.setViewportSize({ width: 1280, height: 700 });
            await page.evaluate("window.scrollTo({ top: 600, behavior: 'instant' })");
            const [wide, paragraph] = [await boxOf(".beside"), await boxOf("article p")];
            assert.ok(wide.x >= paragraph.x + paragraph.width && wide.y > 0 && wide.y + wide.height <= 700);
            await page.setViewportSize({ width: 320, height: 700 });
            const [narrow, below] = [await boxOf(".beside"), await boxOf("article p")];
            assert.ok(narrow.y + narrow.height <= below.y);
        });
    });

    it("shows a tooltip within the window and in front of a table, and closes it on Escape", async () => {
        const source = '# Home\n\n| A |\n| - |\n| <Tooltip tip="A hint of several words">word</Tooltip> |\n';
        await withPage(
            { "index.mdx": source },
            async (page) => {
                await page.getByRole("button", { name: "word" }).focus();
                const tip = page.getByRole("tooltip");
                const box = await tip.boundingBox();
                assert.ok(box !== null && box.x + box.width <= 320);
                assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320);
                assert.equal(await page.evaluate("document.querySelector('.table').scrollTop"), 0);
                await page.keyboard.press("Escape");
                assert.equal(await tip.isVisible(), false);
            },
            { viewport: { width: 320, height: 700 } },
        );
    });

    it("closes the version menu on Escape, on a click outside and when it loses the focus", async () => {
        const versions = [
            { version: "v2", pages: ["index"] },
            { version: "v1", pages: ["old"] },
        ];
        const files = {
            "index.md": "# Home",
            "old.md": "# Old",
            "docs.json": JSON.stringify({ navigation: { versions } }),
        };
        await withPage(files, async (page) => {
            const summary = page.locator(".switcher summary");
            const choice = page.locator(".switcher a", { hasText: "v1" });
            await summary.click();
            await choice.focus();
            await page.keyboard.press("Escape");
            assert.equal(await choice.isVisible(), false);
            assert.equal(await summary.evaluate((element) => element === element.ownerDocument.activeElement), true);
            await summary.click();
            await page.getByRole("heading", { name: "Home" }).click();
            assert.equal(await choice.isVisible(), false);
            await summary.click();
            await choice.focus();
            await page.keyboard.press("Tab");
            assert.equal(await choice.isVisible(), false);
        });
    });

    it("is readable even if the site's colours are too pale or too dark for text", async () => {
        const source = `---
title: Home
---

A [link](https://example.com), <Badge>new</Badge> <Badge disabled>old</Badge>

<Warning>[Link](https://example.com)</Warning>

<ResponseField name="a" type="string">Text</ResponseField>

- [x] Done

\`\`\`js {1,2}
// A comment
const name = "text" + 12;
\`\`\`

<Panel>
<Note>Beside the text</Note>
</Panel>

${longExample}`;
        const files = {
            "index.mdx": source,
            "docs.json": JSON.stringify({ colors: { primary: "#ffd43b", light: "#0b3d1f" } }),
        };
        for (const colorScheme of ["light", "dark"] as const) {
            await withPage(
                files,
                async (page) => {
                    assert.deepEqual(await axeViolations(page), [], colorScheme);
                },
                { colorScheme },
            );
        }
    });

    const closed = `# Home

<Tabs><Tab title="First tab">First text</Tab><Tab title="Second tab">Second text</Tab></Tabs>

<Accordion title="Closed">Inner text</Accordion>

<CodeGroup>

\`\`\`sh one.sh
echo one
\`\`\`

\`\`\`sh two.sh
echo two
\`\`\`

</CodeGroup>

A <Tooltip tip="Said beside it">word</Tooltip>
`;
    const all = ["Second tab", "Second text", "Inner text", "two.sh", "echo two"];

    it("prints tables at the width of the paper", async () => {
        const row = `| ${`${longName} | \`${longName}\` | `.repeat(4)}\n`;
        await withPage({ "index.md": `# Home\n\n${row}| ${"- | ".repeat(8)}\n${row}` }, async (page) => {
            await page.setViewportSize({ width: 800, height: 700 });
            await page.emulateMedia({ media: "print" });
            assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 800);
        });
    });

    it("shows the site's name if its logo is missing", async () => {
        const logo = { light: "/no.svg", dark: "/neither.svg" };
        const files = { "index.md": "# Home", "docs.json": JSON.stringify({ name: "Docs", logo }) };
        await withPage(files, async (page) => {
            assert.equal(await page.locator(".brand").textContent(), "Docs");
        });
    });

    it("shows embedded videos at the size that their class names set", async () => {
        const source = '# Home\n\n<iframe className="w-full aspect-video" src="data:text/html,x" title="Film" />\n';
        await withPage({ "index.mdx": source }, async (page) => {
            const [film, text] = [await page.locator("iframe").boundingBox(), await page.locator("h1").boundingBox()];
            assert.equal(film?.width, text?.width);
            assert.equal(Math.round((film?.height ?? 0) * 16), Math.round((film?.width ?? 0) * 9));
        });
    });

    it("keeps all content within reach without scripts", async () => {
        await withPage(
            { "index.mdx": closed },
            async (page) => {
                await page.locator("summary", { hasText: "Closed" }).click();
                for (const text of all) {
                    await assertShown(page, text);
                }
            },
            { javaScriptEnabled: false },
        );
    });
});
