import assert from "node:assert/strict";
import { articleOf } from "../../support/one-page.js";
import { exportPage, warningsOf, withExport } from "../../support/site-fixture.js";

/** Exports a site without settings, as in other builders' projects, and returns the article of `a.md`. */
async function articleOfMarkdown(page: string, others: Readonly<Record<string, string>>): Promise<string> {
    let html = "";
    await withExport({ "a.md": page, ...others }, async (site) => {
        html = /<article[^>]*>\n([\s\S]*)\n<\/article>/.exec(await site.read("a.html"))?.[1] ?? "";
    });
    return html;
}

describe("A page that includes another file", () => {
    it("may use VitePress's notation, and shows the content of the file", async () => {
        const html = await articleOfMarkdown("Before\n\n<!--@include: ./parts/b.md-->\n\nAfter\n", {
            "parts/b.md": "# B\n\nThe **part**.\n",
        });
        assert.match(html, /<p>Before<\/p>[^]*<h1[^>]*>B[^]*<strong>part<\/strong>[^]*<p>After<\/p>/);
    });

    it("shows only the lines or the region that it names", async () => {
        const part = "one\n\ntwo\n\n<!-- #region own -->\n\nthree\n\n<!-- #endregion own -->\n\nfour\n";
        const shownBy = (suffix: string) => articleOfMarkdown(`<!-- @include: ./b.md${suffix} -->\n`, { "b.md": part });
        assert.match(await shownBy("{3,3}"), /<\/header>\s*<div class="p"><p>two<\/p><\/div>$/);
        assert.match(await shownBy("#own"), /<\/header>\s*<div class="p"><p>three<\/p><\/div>$/);
    });

    it("shows code from files with its language, title and marked lines", async () => {
        const html = await articleOfMarkdown("<<< @/code/a.ts{2 typescript} [main.ts]\n", {
            "code/a.ts": "const a = 1;\nconst b = 2;\n",
        });
        assert.match(html, /main\.ts/);
        assert.match(html, /class="[^"]*highlight[^"]*"[^>]*>[^\n]*b/);
    });

    it("shows snippets of Python-Markdown on a line, and within a code block", async () => {
        const html = await articleOfMarkdown('--8<-- "part.md"\n\n```sh\n  --8<-- "run.sh:2:2"\n```\n', {
            "snippets/part.md": "A *snippet*\n",
            "run.sh": "#!/bin/sh\necho hello\n",
        });
        assert.match(html, /A <em>snippet<\/em>/);
        assert.match(html.replace(/<[^>]*>/g, ""), /^ {2}echo hello$/m);
        assert.doesNotMatch(html, /8&lt;|bin\/sh/);
    });

    it("may use Fumadocs's notation, and shows the content of the file", async () => {
        const { html, warnings } = await articleOf(
            '<include>./b.mdx</include>\n\n<include lang="ts">./c.ts</include>\n',
            {
                "b.mdx": "<Tip>From *b*</Tip>\n",
                "c.ts": "const c = 3;\n",
            },
        );
        assert.match(html, /callout tip[^]*<em>b<\/em>[^]*language-ts|callout tip[^]*<em>b<\/em>[^]*<pre/);
        assert.deepEqual(warnings, []);
    });

    it("causes a warning with the line if the file is missing or outside of the site", async () => {
        const warnings = await warningsOf({
            "a.md": "Text\n\n<!--@include: ./b.md-->\n\n<!--@include: ../../etc/c.md-->\n",
        });
        assert.deepEqual(warnings, [
            "a.md:3: the content of ./b.md is left out: the site has no file ./b.md",
            "a.md:5: the content of ../../etc/c.md is left out: the site has no file ../../etc/c.md",
        ]);
    });

    it("is exported with a warning if the files include one another", async () => {
        const warnings = await warningsOf({
            "a.md": "<!--@include: ./b.md-->\n",
            "b.md": "B\n\n<!--@include: ./a.md-->\n",
        });
        assert.match(warnings.join("\n"), /calls itself too often|computes too much/);
    });

    it("does not change code that shows the notation", async () => {
        const html = await exportPage("a.md", "```md\n<!--@include: ./b.md-->\n<<< @/a.ts\n```\n");
        assert.match(html.replace(/<[^>]*>/g, ""), /&lt;!--@include: \.\/b\.md--&gt;\n&lt;&lt;&lt; @\/a\.ts/);
    });
});
