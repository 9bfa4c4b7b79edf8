import assert from "node:assert/strict";
import { printedSection } from "../../../cli/src/pdf/printed-section.js";

const numbers: Readonly<Record<string, number>> = { "index.html": 1, "guides/start.html": 2, "guides/index.html": 3 };

function sectionOf(article: string, { address = "https://docs.example.com/", head = "" } = {}) {
    const html = `<html lang="de"><head>${head}</head><body><nav>Menu</nav><main><article id="content">${article}</article></main></body></html>`;
    const section = printedSection(html, "guides/start.html", { numberOf: (file) => numbers[file], address });
    assert.ok(section);
    return section;
}

describe("A page of a PDF", () => {
    it("has ids that are unique in the PDF, and references that match the ids", () => {
        const { html } = sectionOf(
            '<h2 id="a">A</h2><p aria-describedby="a b">x</p><a href="#a">up</a><svg><use href="#b"></use><path fill="url(#b)"></path></svg>',
        );
        assert.match(html, /<h2 id="p2-a">A<\/h2><p aria-describedby="p2-a p2-b">x<\/p><a href="#p2-a">/);
        assert.match(html, /<use href="#p2-b"><\/use><path fill="url\(#p2-b\)">/);
    });

    it("links to printed pages inside the PDF, and to all other pages at the site's address", () => {
        const link = (href: string, address?: string) =>
            /<a(?: href="([^"]*)")?>x/.exec(sectionOf(`<a href="${href}">x</a>`, { address }).html)?.[1];
        assert.equal(link("../index.html"), "http://pages.invalid/#p1");
        assert.equal(link("../index.html#a"), "http://pages.invalid/#p1-a");
        assert.equal(link("./index.html"), "http://pages.invalid/#p3");
        assert.equal(link("other.html?a=1#b"), "https://docs.example.com/guides/other?a=1#b");
        assert.equal(link("../files/a.zip"), "https://docs.example.com/files/a.zip");
        assert.equal(link("https://example.org/a"), "https://example.org/a");
        assert.equal(link("javascript:alert(1)"), undefined);
    });

    it("omits links to files if the site has no address", () => {
        const html = `<main><article><a href="other.html">x</a></article></main>`;
        const section = printedSection(html, "guides/start.html", {
            numberOf: (file) => numbers[file],
            address: undefined,
        });
        assert.match(section?.html ?? "", /<a>x<\/a>/);
    });

    it("loads images and styles from the site's root", () => {
        const head = '<link rel="stylesheet" href="../a.css"><style>@import url("../own.css") layer(site);</style>';
        const { html, sheets, styles } = sectionOf('<img src="../a b.png" srcset="x.png 1x, ../y.png 2x">', { head });
        assert.match(html, /<img src="\/a%20b.png" srcset="\/guides\/x.png 1x, \/y.png 2x">/);
        assert.deepEqual(sheets, ["/a.css"]);
        assert.deepEqual(styles, ['@import url("/own.css") layer(site);']);
    });

    it("omits scripts, menus and frames, but links to the addresses of frames", () => {
        const { html } = sectionOf(
            '<div class="page-menu">Copy</div><script>x()</script><p onclick="x()">Text</p><iframe src="https://video.example.com/1" title="Film"></iframe><form>f</form>',
        );
        assert.doesNotMatch(html, /Copy|x\(\)|iframe|form/);
        assert.match(html, /<p>Text<\/p><a href="https:\/\/video\.example\.com\/1">Film<\/a>/);
    });

    it("uses the text of headings for bookmarks, without anchor links", () => {
        const { headings, title, group, language } = sectionOf(
            '<p class="eyebrow">Guides</p><h1>Start</h1><h2 id="a">One <code>two</code><a class="anchor" href="#a">#</a></h2>',
        );
        assert.deepEqual(headings, [
            { id: "p2", level: 1, text: "Start" },
            { id: "p2-a", level: 2, text: "One two" },
        ]);
        assert.deepEqual([title, group, language], ["Start", "Guides", "de"]);
    });

    it("contains its whole text, however deeply its elements are nested", () => {
        const { html } = sectionOf(`${"<div>".repeat(20_000)}<b>the end`);
        assert.match(html, /<b>the end<\/b>(?:<\/div>)+<\/article><\/section>\n$/);
    });
});
