import assert from "node:assert/strict";
import { useSitePages } from "./support/site-page.js";

describe("an exported page in a browser", function () {
    this.timeout(60_000);
    const withPage = useSitePages();

    it("shows the text of an untitled card only once", async () => {
        const source = '# Home\n\n<Card href="/z" img="/a.svg">A guide</Card>\n';
        await withPage({ "index.mdx": source, "z.md": "# Target", "a.svg": "<svg/>" }, async (page) => {
            const link = page.getByRole("link", { name: "A guide" });
            assert.equal(await link.evaluate((each) => getComputedStyle(each, "::after").content), '""');
            await page.locator(".card").click();
            assert.equal(await page.locator("h1").textContent(), "Target");
        });
    });

    it("shows chevrons instead of the browser's triangles on all expandable elements", async () => {
        const languages = [
            { language: "en", pages: ["index", { group: "More", pages: [{ group: "Inner", pages: ["z"] }] }] },
            { language: "de", pages: ["de"] },
        ];
        const settings = { navigation: { languages }, contextual: { options: ["view", "chatgpt"] } };
        const files = {
            "docs.json": JSON.stringify(settings),
            "index.mdx": "# Home\n\n<Accordion title='A'>x</Accordion>\n",
            "z.md": "# Z",
            "de.md": "# De",
        };
        await withPage(files, async (page) => {
            const looks = await page.locator("summary").evaluateAll((all) =>
                all.map((each) => {
                    const { display, listStyleType } = getComputedStyle(each);
                    const { content } = getComputedStyle(each, "::before");
                    return `${display === "list-item" && listStyleType !== "none" ? "triangle" : ""} ${content}`;
                }),
            );
            assert.ok(looks.length >= 4);
            assert.deepEqual([...new Set(looks)], [' ""']);
        });
    });
});
