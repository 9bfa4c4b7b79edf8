import assert from "node:assert/strict";
import { exportPage, warningsOf } from "../../support/site-fixture.js";

const reasonsOf = async (page: string, file = "a.md") =>
    (await warningsOf({ [file]: page })).map((warning) => warning.replace(/ \(.*\)(?= are)/, ""));

describe("other builders' syntax in Markdown", () => {
    it("is reported once per kind with its line and what to write instead, because it stays as text", async () => {
        const page = [
            "---",
            "title: '{{< title >}}'",
            "---",
            '{{< youtube "x" >}}',
            "{% include a.html %}",
            "{{#include a.rs}}",
            "::: raw",
            "A",
            ":::",
            "A link{: .button}",
            "[[toc]]",
            "See [[Other page]].",
            "{{ site.title }}",
            '!!! note "Title"',
            "::: package.module",
        ].join("\n");
        const expected = [
            ["a.md:4: shortcodes of Hugo and Zola", "write what they insert as Markdown or as components"],
            ["a.md:5: tags of Liquid, Jinja and Markdoc", "remove them, or write what they insert"],
            ["a.md:6: includes of other files", "put the files' content into the page"],
            ["a.md:7: containers and admonitions", "use components, such as <Note> or <Tabs>"],
            ["a.md:10: attributes of kramdown and Python-Markdown", "remove them"],
            ["a.md:11: tables of contents", "remove them, because the page already lists its headings"],
            ["a.md:12: links of wikis", "write links such as [text](page.md)"],
            ["a.md:13: expressions of Vue and Jinja", "replace them with their values"],
            ["a.md:14: admonitions and tabs of Python-Markdown", "use <Note>, <Accordion> or <Tabs>"],
            ["a.md:15: blocks of mkdocstrings", "put what they generate into the page"],
        ].map(([what = "", advice = ""]) => `${what} are not supported and stay as text: ${advice}`);
        assert.deepEqual(await reasonsOf(page), expected);
    });

    it("is an address with spaces, which other builders read as a link or an image", async () => {
        const what =
            "a.md:1: addresses with spaces are not supported and stay as text: write the address between < and >";
        for (const address of ["a b.png", "Screen 1 at 17.33.png", "a b/c.md#d", "image (2).png", "./a  b.pdf"]) {
            assert.deepEqual(await reasonsOf(`A ![x](${address}) c`), [what], address);
        }
        for (const text of [
            "`[a](b c.md)`",
            "a[1] (see b.md)",
            "f[x](the value, or none)",
            "[a]( /a )",
            "[a](</a b.md>)",
        ]) {
            const warnings = await reasonsOf(text);
            assert.deepEqual(
                warnings.filter((each) => each.includes("spaces")),
                [],
                text,
            );
        }
    });

    it("also stays as text in MDX, and does not break the page's components", async () => {
        const conditions = Array.from({ length: 30 }, (_, at) => `{% if a${at} %}\n\n<Tip>t${at}</Tip>\n\n{% /if %}\n`);
        const page = [...conditions, '{{< video "x" >}} {{% note %}}', '<Card title="{% raw %}" />'].join("\n");
        const html = await exportPage("a.mdx", page);
        assert.match(html, /\{% if a29 %\}<\/p>\s*<div class="callout tip"[^]*t29[^]*<p>\{% \/if %\}<\/p>/);
        assert.match(
            html,
            /<p>\{\{&lt; video &quot;x&quot; &gt;\}\} \{\{% note %\}\}<\/p>[^]*card-title">\{% raw %\}</,
        );
        const what = "are not supported and stay as text";
        assert.deepEqual(await reasonsOf(page, "a.mdx"), [
            `a.mdx:1: tags of Liquid, Jinja and Markdoc ${what}: remove them, or write what they insert`,
            `a.mdx:181: shortcodes of Hugo and Zola ${what}: write what they insert as Markdown or as components`,
        ]);
    });

    it("is shown completely in MDX even if only its inner braces contain valid JavaScript", async () => {
        assert.match(
            await exportPage("a.mdx", "See {{ page.title | upcase }} there."),
            /<p>See \{\{ page\.title \| upcase \}\} there\.<\/p>/,
        );
    });

    it("is unchanged in an MDX fence that contains a shorter fence", async () => {
        const html = await exportPage("a.mdx", "````\n{% steps %}\n```js\na\n```\n{% /steps %}\n````\n\n{% end %}\n");
        assert.match(html, /\n\{% \/steps %\}/);
        assert.match(html, /<p>\{% end %\}/);
    });

    it("is reported once, even if it is in several places", async () => {
        const [only, ...others] = await warningsOf({ "a.md": "{{< a >}}\n\n{{% b %}}", "b.md": "{{< a >}}" });
        assert.match(only ?? "", /^a\.md:1: shortcodes/);
        assert.deepEqual(others, []);
    });

    it("is reported in the paragraphs of an item, whatever their indentation", async () => {
        assert.deepEqual(await reasonsOf("1. a\n\n    {{< b >}}\n"), [
            "a.md:3: shortcodes of Hugo and Zola are not supported and stay as text: write what they insert as " +
                "Markdown or as components",
        ]);
    });

    it("is not reported in code, or if the export supports it", async () => {
        const page =
            "`{{ x }}` and\n\n```liquid\n{% if a %}\n```\n\n    {{< indented >}}\n\n## Heading {#own}\n\n" +
            '{% hint style="info" %}\nB\n{% endhint %}\n\n[[1]](https://example.com) `[[x]]` if [[ -f a ]]\n';
        assert.deepEqual(await reasonsOf(page), []);
    });
});

describe("an unknown HTML tag in Markdown", () => {
    it("shows its attributes if it has no content, separates the following text, and is reported once", async () => {
        const page =
            'Text\n\n<TypeOf name="size" type="number" default="3" :sizes="list" />\n\nand <TypeOf name="b" /> more\n';
        const html = await exportPage("a.md", page);
        assert.match(html, /<strong>size<\/strong> number default: 3 <\/typeof><\/p>\s*<p>and/);
        assert.match(html, /<strong>b<\/strong> <\/typeof> more/);
        assert.deepEqual(await warningsOf({ "a.md": page }), [
            "a.md:3: there is no element of HTML and no component <typeof>; its attributes are shown instead",
        ]);
    });

    it("shows its content, or a link to the address in its attributes", async () => {
        const page = '<Wide>\n\n**inside**\n\n</Wide>\n\n<Clip src="https://example.com/a.mp4" />\n\n<Ad/>\n';
        assert.match(
            await exportPage("a.md", page),
            /<strong>inside<\/strong>[\s\S]*href="https:\/\/example.com\/a.mp4"/,
        );
        const what = "there is no element of HTML and no component";
        assert.deepEqual(await warningsOf({ "a.md": page }), [
            `a.md:1: ${what} <wide>; its content is shown instead`,
            `a.md:7: ${what} <clip>; its attributes are shown instead`,
            `a.md:9: ${what} <ad>; nothing of it is shown`,
        ]);
    });

    it("is shown as text if it is a placeholder", async () => {
        const html = await exportPage("a.md", "Use <your-key> here.\n\n    <indented-key>\n");
        assert.match(html, /<p>Use &lt;your-key&gt; here\.<\/p>/);
        assert.match(html, /&lt;indented-key&gt;/);
        assert.deepEqual(await warningsOf({ "a.md": "Use <your-key> here." }), []);
    });
});
