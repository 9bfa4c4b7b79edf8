import assert from "node:assert/strict";
import { exportPage, warningsOf } from "../../support/site-fixture.js";

const reason = "is left out: an export runs no script of a page";

describe("scripts that stand on a page", () => {
    it("are left out of Markdown and MDX, and told with the first place", async () => {
        const page = (code: string) =>
            `Text <script>${code}</script> more\n\n<script src="https://example.com/a.js"></script>\n`;
        for (const [file, text] of [
            ["a.md", page("track()")],
            ["b.mdx", page("{`track()`}")],
            ["c.mdx", "Text\n\nexport const Own = () => <script src='/own.js' />\n\n<Own /> more\n"],
        ] as const) {
            const html = await exportPage(file, text);
            assert.match(html, /Text[^]* more/);
            assert.doesNotMatch(html, /<script|track|own\.js/);
        }
        assert.deepEqual(await warningsOf({ "a.md": page("track()"), "b.mdx": page("{`track()`}") }), [
            `a.md:1: <script> ${reason}`,
        ]);
    });

    it("stay where they are data, such as JSON-LD", async () => {
        const page = '<script type="application/ld+json">{"@type":"FAQPage"}</script>\n';
        assert.match(await exportPage("a.md", page), /<script type="application\/ld\+json">\{"@type":"FAQPage"\}</);
        assert.deepEqual(await warningsOf({ "a.md": page }), []);
    });

    it("are left out where they are event handlers, in Markdown and MDX", async () => {
        const page =
            "Text\n\n<button onclick=\"go()\">go</button>\n\n<details ontoggle='go()' open><summary>More</summary></details>\n";
        for (const file of ["a.md", "a.mdx"]) {
            assert.doesNotMatch(await exportPage(file, page), /go\(\)/);
            assert.deepEqual(await warningsOf({ [file]: page }), [
                `${file}:3: onclick in <button> ${reason}`,
                `${file}:5: ontoggle in <details> ${reason}`,
            ]);
        }
    });

    it("are left out where they are addresses of links", async () => {
        const page = "[Go](javascript:go())\n";
        assert.match(await exportPage("a.md", page), /<a href="#">Go<\/a>/);
        assert.deepEqual(await warningsOf({ "a.md": page }), [`a.md:1: the link javascript:go() ${reason}`]);
    });
});
