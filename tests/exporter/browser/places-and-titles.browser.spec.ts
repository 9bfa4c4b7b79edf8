import assert from "node:assert/strict";
import { useSitePages } from "./support/site-page.js";

describe("an exported page in a browser", function () {
    this.timeout(60_000);
    const withPage = useSitePages();

    it("jumps directly to a section of a very long page, without scrolling", async () => {
        const sections = Array.from({ length: 300 }, (_, at) => `## Part ${at}\n\n${"Many words. ".repeat(200)}\n`);
        await withPage(
            { "index.md": `# Home\n\n[end](#part-290)\n\n${sections.join("\n")}` },
            async (page) => {
                const top = 'document.getElementById("part-290").getBoundingClientRect().top';
                await page.locator("article a", { hasText: "end" }).click();
                const shown = await page.evaluate<number>(
                    `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(${top}))))`,
                );
                assert.ok(shown >= 0 && shown < 200, String(shown));
            },
            { reducedMotion: "no-preference" },
        );
    });

    it("shows chevrons that turn, and aligns all lines of a title with its first word", async () => {
        const source = `<Accordion title="${"Many words of a title ".repeat(8)}">\n\nText\n\n</Accordion>`;
        await withPage({ "index.mdx": `# Home\n\n${source}\n` }, async (page) => {
            await page.setViewportSize({ width: 390, height: 700 });
            const style = (name: string) =>
                page.evaluate<string>(`getComputedStyle(document.querySelector("main summary"), "::before").${name}`);
            const lefts = await page.evaluate<number[]>(`(() => {
                const range = document.createRange();
                range.selectNodeContents(document.querySelector("main summary"));
                return [...range.getClientRects()].map(({ left }) => Math.round(left));
            })()`);
            assert.ok(lefts.length > 1 && new Set(lefts).size === 1, lefts.join(" "));
            const closed = await style("rotate");
            await page.locator("main summary").click();
            assert.notEqual(await style("rotate"), closed);
            assert.equal(await style("content"), '""');
        });
    });

    it("opens each of several tabs with the same name", async () => {
        const fences = ["first", "second", "third"].map((text) => `\`\`\`sh a.sh\n${text}\n\`\`\`\n`);
        const groups = `<CodeGroup>\n${fences.join("\n")}\n</CodeGroup>\n\n`.repeat(2);
        await withPage({ "index.mdx": `# Home\n\n${groups}` }, async (page) => {
            await page.getByRole("tab", { name: "a.sh" }).nth(1).click();
            assert.equal(await page.getByText("second").first().isVisible(), true);
            assert.equal(await page.getByText("first").first().isVisible(), false);
            assert.equal(await page.getByText("first").nth(1).isVisible(), true);
        });
    });
});
