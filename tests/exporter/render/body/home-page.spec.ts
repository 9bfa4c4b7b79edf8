import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { exportPage, warningsOf, withExport } from "../../support/site-fixture.js";

const home = `---
layout: home
hero:
  name: Project
  text: What it is
  tagline: Why <b>anybody</b> wants&nbsp;it
  image: { src: /logo.svg, alt: The logo }
  actions:
    - { theme: brand, text: Start, link: /guide/start }
    - { theme: alt, text: " ", link: https://example.com }
features:
  - title: Fast
    details: It takes "no" time
    link: /guide/start.md
  - title: Small
---

Below it.
`;
const others = { "guide/start.md": "# Start", "public/logo.svg": "<svg/>" };

describe("the description of a page", () => {
    it("is shown below the page's own first-level heading", async () => {
        const html = await exportPage(
            "a.md",
            "---\ntitle: A\ndescription: How to *begin*.\n---\n\n# Begin here\n\nText.\n",
        );
        assert.match(
            html,
            /^<h1[^>]*>Begin here<\/h1>\n<p class="lead">How to <em>begin<\/em>\.<\/p>\s*<p>Text\.<\/p>/,
        );
    });

    it("is not repeated if the text begins with the description, or if the hero contains the description", async () => {
        const page = "---\ndescription: How to begin.\n---\n\n# Begin here\n\n**How** to begin. Then go on.\n";
        assert.doesNotMatch(await exportPage("a.md", page), /class="lead"/);
        const home = "---\ntitle: A\ndescription: Fast docs\nhero:\n  name: Docs\n  tagline: Fast docs\n---\n\nText\n";
        assert.equal((await exportPage("a.md", home)).split("Fast docs").length, 2);
    });

    it("comes before examples that are shown next to the text", async () => {
        const page =
            "---\ndescription: Sends.\n---\n\n# Send\n\nText\n\n<RequestExample>\n```sh\ncurl\n```\n</RequestExample>\n";
        assert.match(
            await exportPage("a.mdx", page),
            /<\/h1>\n<p class="lead">Sends\.<\/p><\/div>\n<div class="beside"/,
        );
    });
});

describe("a home page with its content in the front matter", () => {
    it("shows VitePress' fields: text, links, picture and features", async () => {
        await withExport({ "index.md": home, ...others }, async ({ read, warnings }) => {
            const html = await read("index.html");
            assert.match(
                html,
                /<h1[^>]*>Project<\/h1>[^]*<p class="hero-text">What it is<\/p><p class="lead">Why anybody wants\u00a0it</,
            );
            assert.match(html, /<p class="hero-actions"><a class="button" href="guide\/start.html">Start<\/a><\/p>/);
            assert.match(html, /<img class="hero-picture" src="public\/logo.svg" alt="The logo">/);
            assert.match(
                html,
                /<a href="guide\/start.html">Fast<\/a><\/p><div class="card-body">It takes &quot;no&quot; time</,
            );
            assert.match(html, /<p class="card-title">Small<\/p>[^]*<p>Below it\.<\/p>/);
            assert.deepEqual(warnings, []);
        });
    });

    it("shows Starlight's fields", async () => {
        const source =
            "---\ntitle: Home\ntemplate: splash\nhero:\n  tagline: Said first\n  actions:\n    - text: Go\n      link: https://example.com\n---\n\nText\n";
        const html = await exportPage("index.mdx", source);
        assert.match(
            html,
            /<h1[^>]*>Home<\/h1>[^]*Said first[^]*<a class="button" href="https:\/\/example.com">Go<\/a>[^]*Text/,
        );
    });

    it("reports its dead links, and escapes its text", async () => {
        const source = '---\nlayout: home\nfeatures:\n  - title: "a & b"\n    link: /gone\n---\n';
        assert.deepEqual(await warningsOf({ "index.md": source }), [
            "index.md:5: the link /gone leads to no page and no file of this site",
        ]);
        assert.match(await exportPage("index.md", source), />a &amp; b</);
    });

    it("is in the search index as readers see it, without entities", async () => {
        await withExport({ "index.md": home, ...others }, async ({ outDir, read }) => {
            const folder = "static-export/search/text";
            const texts = await Promise.all(
                (await readdir(join(outDir, folder))).map((file) => read(`${folder}/${file}`)),
            );
            const all = texts.join("\n");
            assert.match(all, /It takes \\*"no\\*" time/);
            assert.doesNotMatch(all, /&quot;|&nbsp;/);
        });
    });

    it("is the only kind of page that shows features", async () => {
        assert.doesNotMatch(await exportPage("index.md", "---\nfeatures:\n  - title: Hidden\n---\n\nText\n"), /Hidden/);
    });
});
