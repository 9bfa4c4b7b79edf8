import assert from "node:assert/strict";
import { exportPage, warningsOf } from "../../support/site-fixture.js";
import { htmlTagNames } from "html-tag-names";
import { mathmlTagNames } from "mathml-tag-names";
import { svgTagNames } from "svg-tag-names";

const textOf = (html: string) => html.replace(/<[^<>]*>/g, "");

describe("The name of an element in a sentence", () => {
    const names = [...new Set([...htmlTagNames, ...svgTagNames, ...mathmlTagNames])].filter(
        (name) => !["br", "hr", "wbr"].includes(name),
    );

    it("is text, and hides nothing after it, for every element of HTML, SVG and MathML", async () => {
        const source = names.map((name) => `Write <${name}> here.\n\nAfter ${name}.\n`).join("\n");
        const text = textOf(await exportPage("a.md", source));
        for (const name of names) {
            assert.ok(text.includes(`Write &lt;${name}&gt; here.`), name);
            assert.ok(text.includes(`After ${name}.`), name);
        }
        assert.deepEqual(await warningsOf({ "a.md": source }), []);
    });

    it("is text in lists, tables, headings and descriptions of an API", async () => {
        const source = "# The <title> tag\n\n- a <style> tag\n\n| <path> |\n|---|\n| <script> |\n\nLast.\n";
        const text = textOf(await exportPage("a.md", source));
        for (const part of [
            "The &lt;title&gt; tag",
            "a &lt;style&gt; tag",
            "&lt;path&gt;",
            "&lt;script&gt;",
            "Last.",
        ]) {
            assert.ok(text.includes(part), part);
        }
    });

    it("is text after an address, which ends before it", async () => {
        const html = await exportPage("a.md", "See https://x.example/<id>/end now.\n");
        assert.match(html, /<a href="https:\/\/x\.example\/">https:\/\/x\.example\/<\/a>&lt;id&gt;\/end now\./);
    });

    it("is text after a backslash, which is not shown", async () => {
        const html = await exportPage("a.md", "Use \\<b> and <b>bold</b>, \\<div>.\n\n\\<details>\n");
        assert.match(html, /Use &lt;b&gt; and <b>bold<\/b>, &lt;div&gt;\.[^]*<p>&lt;details&gt;<\/p>/);
    });

    it("is text if it is only a closing tag", async () => {
        assert.match(await exportPage("a.md", "End with </div> please.\n"), /End with &lt;\/div&gt; please\./);
    });

    it("is text in a sentence if only indented code closes it, or opens it", async () => {
        for (const [source, expected] of [
            ["The tag <script> runs.\n\n    <script>a()</script>\n\nRest.", /tag &lt;script&gt; runs[^]*Rest\./],
            ["Use <section> here.\n\n    </section>\n\nRest.", /Use &lt;section&gt; here[^]*Rest\./],
            ["A sample:\n\n    <div>\n\nText </div> more.", /Text &lt;\/div&gt; more\./],
        ] as const) {
            assert.match(await exportPage("a.md", `${source}\n`), expected);
        }
    });

    it("closes nothing if it is in code that contains both tags, also around an empty line", async () => {
        for (const code of ["    <div>b</div>", "    <div>\n\n    b</div>"]) {
            const source = `<div>\n<details><summary>a</summary>\n\n${code}\n\n</details>\n</div>\n`;
            assert.match(await exportPage("a.md", source), /<details><summary>a<\/summary>/);
        }
    });

    it("closes an element before code that contains a tag that closes itself", async () => {
        const html = await exportPage("a.md", "<div>\n\n    <div/>\n    </div>\n");
        assert.match(html, /<div>\n<div class="code">/);
    });

    it("takes linear time in one long line", async () => {
        await exportPage("a.md", "<kbd>a</kbd>\n");
        const before = process.cpuUsage();
        await exportPage("a.md", `${"<kbd>a</kbd> ".repeat(20_000)}\n`);
        const { user, system } = process.cpuUsage(before);
        assert.ok(user + system < 8_000_000, `${(user + system) / 1000} ms`);
    });
});

describe("An element", () => {
    const kept = {
        "with a closing tag": ["x <kbd>a</kbd> y", "<kbd>a</kbd>"],
        "with a closing tag that its indentation makes code": [
            "<div>\n    <details><summary>a</summary>\n\n    b\n\n    </details>\n</div>",
            "<details>",
        ],
        "with attributes": ['x <a name="b"> y', '<a name="b">'],
        "that has no closing tag": ["a<br>b", "a<br>b"],
        "that ends with its parent": ["<ul>\n<li>a\n<li>b\n</ul>", "<li>a"],
        "in a drawing": ['<svg viewBox="0 0 1 1"><g><title>a</title></g></svg>', "<title>a</title>"],
        "around another that ends after it": ["x <span><b>a<i>b</b>c</i> d</span>", "<span><b>a<i>b"],
        "in a numbered list": ["1. <div>\n\n   text\n", "<div>"],
        "around blocks": ["<div>\n\ntext\n", "<div>"],
        "of a table": ["<table>\n<tr><td>a\n</table>", "<td>a"],
    };
    for (const [what, [source, html]] of Object.entries(kept)) {
        it(`stays an element: ${what}`, async () => {
            assert.ok(
                (await exportPage("a.md", `${source}\n`)).includes(html as string),
                await exportPage("a.md", source as string),
            );
        });
    }

    const unclosed = [
        '<textarea rows="3">',
        '<select name="a">',
        '<iframe src="https://a.example/">',
        "<video controls>",
    ];
    for (const tag of unclosed) {
        it(`hides no text if its closing tag is missing: ${tag}`, async () => {
            const html = await exportPage("a.md", `Before ${tag} after.\n\nLast.\n`);
            assert.match(html, /after\.[^]*<p>Last\.<\/p>/);
            assert.deepEqual(await warningsOf({ "a.md": `Before ${tag} after.\n\nLast.\n` }), []);
        });
    }

    it("that hides text is reported with the line of the text", async () => {
        const source = "A <style> tag\n\nhidden text\n\nand </style> b.\n";
        assert.deepEqual(await warningsOf({ "a.md": source }), [
            "a.md:1: an element above hides this text from readers: close the element, or write &lt; for a < that is text",
        ]);
    });

    it("dialog shows its content", async () => {
        const html = await exportPage("a.md", "<dialog>\n\ntext\n\n</dialog>\n");
        assert.doesNotMatch(html, /<dialog/);
        assert.match(html, /text/);
    });
});

describe("The address of a link in angle brackets", () => {
    it("is not a tag", async () => {
        const source = "[a](<page>) ![b](<picture>) [c]\n\n[c]: <other>\n\n<page>\n";
        const html = await exportPage("a.md", source);
        for (const part of ['href="page"', 'src="picture"', 'href="other"', "&lt;page&gt;"]) {
            assert.ok(html.includes(part), html);
        }
    });
});
