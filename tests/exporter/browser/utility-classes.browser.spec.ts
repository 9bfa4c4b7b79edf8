import assert from "node:assert/strict";
import { useSitePages } from "./support/site-page.js";

const page =
    '<div className="grid grid-cols-1 md:grid-cols-2 gap-4"><p className="rounded-xl border">A</p><p>B</p></div>\n\n' +
    '<p className="block dark:hidden">light</p>\n\n<p className="hidden dark:block">dark</p>\n';

describe("a page with Tailwind classes in a browser", function () {
    this.timeout(60_000);
    const withPage = useSitePages();

    it("has columns in a wide window, and separate pictures for light and dark colours", async () => {
        await withPage(
            { "index.mdx": page },
            async (reader) => {
                const look = (script: string) => reader.evaluate(script);
                assert.equal(
                    await look(
                        "getComputedStyle(document.querySelector('.grid')).gridTemplateColumns.split(' ').length",
                    ),
                    2,
                );
                assert.equal(
                    await look("getComputedStyle(document.querySelector('.rounded-xl')).borderTopStyle"),
                    "solid",
                );
                assert.equal(await look("document.querySelector('article').innerText.includes('dark')"), false);
                await look("document.documentElement.dataset.theme = 'dark'");
                assert.equal(await look("document.querySelector('article').innerText.includes('light')"), false);
                assert.equal(await look("document.querySelector('article').innerText.includes('dark')"), true);
            },
            { viewport: { width: 1280, height: 800 } },
        );
    });

    it("does not show a link's label on top of a picture", async () => {
        const link = '<a href="/z" className="absolute inset-0" aria-label="Mini apps"></a>';
        const source = `<div className="relative"><img src="/a.svg" alt="" />${link}</div>\n`;
        const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"></svg>';
        await withPage({ "index.mdx": source, "z.md": "# Target", "a.svg": svg }, async (reader) => {
            const drawn = "getComputedStyle(document.querySelector('article a:empty'), '::after').content";
            assert.equal(await reader.evaluate(drawn), "none");
        });
    });
});
