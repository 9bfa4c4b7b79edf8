import assert from "node:assert/strict";
import { exportPage, failureOf, withExport } from "./site-fixture.js";

describe("Markdown", () => {
    it("renders tables, task lists, strikethrough, automatic links and footnotes as GitHub does", async () => {
        const html = await exportPage(
            "a.md",
            "| a | b |\n|---|--:|\n| 1 | 2 |\n\n- [x] done\n\n~~old~~ https://example.com [^1]\n\n[^1]: Note\n",
        );
        assert.match(html, /<table>[\s\S]*<td style="text-align: right">2<\/td>/);
        assert.match(html, /<input type="checkbox" checked disabled>/);
        assert.match(html, /<del>old<\/del>/);
        assert.match(html, /<a href="https:\/\/example.com">/);
        assert.match(html, /<section data-footnotes class="footnotes">/);
    });

    it("lets a wide table scroll, also by keyboard", async () => {
        assert.match(
            await exportPage("a.md", "|a|\n|-|\n|1|"),
            /<div class="table" role="group" aria-label="Table" tabindex="0"><table>/,
        );
    });

    it("renders GitHub's alerts as callouts, and other quotes as quotes", async () => {
        const html = await exportPage("a.md", "> [!WARNING]\n> Hot\n\n> Said\n");
        assert.match(html, /<div class="callout warning" role="note" aria-label="Warning">[\s\S]*Hot/);
        assert.match(html, /<blockquote>\n<p>Said/);
        assert.doesNotMatch(html, /\[!WARNING\]/);
    });

    it("highlights code of a known language, and leaves other code as it is", async () => {
        const html = await exportPage("a.md", "```ts\nconst a = 1;\n```\n\n```nolang\na < b\n```\n");
        assert.match(html, /<span class="hljs-keyword">const<\/span>/);
        assert.match(html, /<code class="language-nolang">a &lt; b\n<\/code>/);
    });

    it("shows a code block's title", async () => {
        assert.match(
            await exportPage("a.md", '```ts title="main.ts" {1}\na\n```'),
            /<div class="code-title">main.ts<\/div>/,
        );
        assert.match(
            await exportPage("a.md", "```ts index.ts {1-2} lines\na\n```"),
            /<div class="code-title">index.ts<\/div>/,
        );
        assert.doesNotMatch(await exportPage("a.md", "```ts {1}\na\n```"), /code-title/);
    });

    it("gives headings anchors, each its own, and lists them", async () => {
        await withExport({ "a.md": "## One\n\n### Two `code`\n\n## One\n\n## Named {#given}\n" }, async (site) => {
            const html = await site.read("a.html");
            assert.match(html, /<h2 id="one">One<a class="anchor" href="#one"/);
            assert.match(html, /<h2 id="one-1">/);
            const toc = /<aside class="toc">[\s\S]*<\/aside>/.exec(html)?.[0] ?? "";
            assert.deepEqual(
                [...toc.matchAll(/href="([^"]*)"/g)].map((match) => match[1]),
                ["#one", "#two-code", "#one-1", "#given"],
            );
        });
    });

    it("shows the title and description of the front matter, unless the page has its own heading", async () => {
        const html = await exportPage("a.md", "---\ntitle: A & B\ndescription: Lead\n---\n\nText");
        assert.match(html, /^<h1>A &amp; B<\/h1>\n<p class="lead">Lead<\/p>/);
        assert.doesNotMatch(await exportPage("a.md", "---\ntitle: A\n---\n\n# Own\n"), /<h1>A<\/h1>/);
    });

    it("passes HTML on, rewrites its links and drops its comments", async () => {
        const files = {
            "a/b.md": '<a class="x" href="/c.md?q=1&amp;r=2">c</a> <!-- secret -->\n\n<img src=\'/i.png\'>\n',
            "c.md": "# C",
            "i.png": "i",
        };
        await withExport(files, async (site) => {
            const html = await site.read("a/b.html");
            assert.match(html, /<a class="x" href="..\/c.html\?q=1&amp;r=2">c<\/a>/);
            assert.match(html, /<img src="..\/i.png">/);
            assert.doesNotMatch(html, /secret/);
        });
    });

    it("keeps braces and angle brackets of plain Markdown as text", async () => {
        assert.match(await exportPage("a.md", "{1 + 1} and 1 < 2"), /<p>\{1 \+ 1\} and 1 &lt; 2<\/p>/);
    });
});

describe("a page that does not parse", () => {
    it("fails with file and line for front matter that is not YAML", async () => {
        assert.match(
            await failureOf({ "guides/a.md": "---\ntitle: A\ndescription: [x\n---\n" }),
            /^guides\/a\.md:\d: the front matter is not valid YAML/,
        );
        assert.match(
            await failureOf({ "a.md": "---\ntitle: A\nno value\n---\n" }),
            /^a\.md:3: the front matter is not valid YAML/,
        );
        assert.match(await failureOf({ "a.md": "---\ntitle: A: B\n---\n" }), /^a\.md:2: /);
    });

    it("fails with file and line for an alias in front matter that names nothing, and says how to write a text", async () => {
        assert.equal(
            await failureOf({ "g/a.md": "---\nbase: &x 1\nsame: *x\ntitle: *Important*\n---\n" }),
            "g/a.md:4: the front matter is not valid YAML: Unresolved alias (the anchor must be set before the alias): " +
                "Important*; a text that begins with * must be in quotes",
        );
    });

    it("fails with file and line for front matter whose aliases multiply without end", async () => {
        const bomb = Array.from({ length: 9 }, (_, depth) => `k${depth + 1}: &a${depth + 1} [*a${depth}, *a${depth}]`);
        assert.match(
            await failureOf({ "a.md": `---\nk0: &a0 [x, x]\n${bomb.join("\n")}\n---\n` }),
            /^a\.md:3: the front matter is not valid YAML: Excessive alias count/,
        );
    });

    it("takes what an alias in front matter stands for", async () => {
        await withExport({ "a.md": "---\ndescription: &x Same\ntitle: *x\n---\n" }, async (site) => {
            assert.match(await site.read("a.html"), /<h1>Same<\/h1>/);
        });
    });

    it("fails with file and line for front matter of the wrong kind", async () => {
        assert.equal(
            await failureOf({ "a.md": "---\ndescription: d\ntitle: [a]\n---\n" }),
            "a.md:3: title must be a text",
        );
        assert.equal(
            await failureOf({ "a.md": "---\nhidden: perhaps\n---\n" }),
            "a.md:2: hidden must be true or false",
        );
        assert.equal(await failureOf({ "a.md": "---\norder: first\n---\n" }), "a.md:2: order must be a number");
        assert.match(
            await failureOf({ "a.md": "---\n- a\n---\n" }),
            /^a\.md:2: the front matter must be keys and values/,
        );
        assert.match(
            await failureOf({ "a.md": "---\ntitle: A\n\nText\n" }),
            /^a\.md:1: the front matter that starts here has no closing ---/,
        );
    });

    it("accepts empty front matter, a rule at the top and a byte order mark", async () => {
        assert.match(await exportPage("a.md", "---\n---\n\nText"), /<p>Text<\/p>/);
        assert.match(await exportPage("a.md", "---\n\nText"), /<hr>/);
        assert.match(await exportPage("a.md", "\uFEFF---\ntitle: Marked\n---\n"), /<h1>Marked<\/h1>/);
    });

    it("fails with file and line for MDX that is broken", async () => {
        assert.match(
            await failureOf({ "g/a.mdx": "---\ntitle: A\n---\n\n<Note>\nhello\n" }),
            /^g\/a\.mdx:5: Expected a closing tag for `<Note>`/,
        );
        assert.match(await failureOf({ "a.mdx": "Hello {\n" }), /^a\.mdx:1: /);
        assert.match(await failureOf({ "a.mdx": "One\n\n<br>\n" }), /^a\.mdx:3: /);
    });
});

describe("JavaScript in MDX", () => {
    it("is never run: import, export and expressions fail with file and line", async () => {
        assert.match(
            await failureOf({ "a.mdx": 'import X from "./x"\n\n# A\n' }),
            /^a\.mdx:1: import and export are JavaScript/,
        );
        assert.match(
            await failureOf({ "a.mdx": "# A\n\nSum {1 + 1}\n" }),
            /^a\.mdx:3: \{1 \+ 1\} is JavaScript, which an export never runs/,
        );
        assert.match(await failureOf({ "a.mdx": "# A\n\n{process.exit(1)}\n" }), /^a\.mdx:3: /);
        assert.match(
            await failureOf({ "a.mdx": "<Card title={name}>x</Card>\n" }),
            /^a\.mdx:1: title=\{name\} in <Card> is JavaScript/,
        );
        assert.match(await failureOf({ "a.mdx": "<Card {...all}>x</Card>\n" }), /^a\.mdx:1: \{\.\.\.all\} in <Card>/);
        assert.match(await failureOf({ "a.mdx": "{`a ${b}`}\n" }), /^a\.mdx:1: /);
    });

    it("may give plain values and comments", async () => {
        const html = await exportPage(
            "a.mdx",
            'A{" "}B {\'<c>\'} {`d\\n`} {7} {/* note */} {true}\n\n<p style={{ maxWidth: 40, "color": "red" }} className="x" hidden={false}>p</p>\n',
        );
        assert.match(html, /<p>A B &lt;c&gt; d\n 7/);
        assert.match(html, /<p style="max-width:40px;color:red" class="x">p<\/p>/);
        assert.doesNotMatch(html, /note|true/);
    });
});

describe("MDX components", () => {
    it("renders callouts", async () => {
        assert.match(
            await exportPage("a.mdx", '<Tip title="Try">\n  Do **it**\n</Tip>'),
            /<div class="callout tip" role="note" aria-label="Try"><p class="callout-title">Try<\/p><p>Do <strong>it<\/strong><\/p><\/div>/,
        );
    });

    it("renders cards whose links are rewritten", async () => {
        await withExport(
            {
                "g/a.mdx": '<CardGroup cols={3}>\n  <Card title="B & C" href="/b" icon="x">Go</Card>\n</CardGroup>',
                "b.md": "# B",
            },
            async (site) => {
                assert.match(
                    await site.read("g/a.html"),
                    /<div class="cards" style="--columns:3"><div class="card"><p class="card-title"><a href="..\/b.html">B &amp; C<\/a><\/p>/,
                );
            },
        );
    });

    it("renders steps, tabs, code groups and accordions that read well without a script", async () => {
        assert.match(
            await exportPage("a.mdx", '<Steps>\n  <Step title="One">Do</Step>\n</Steps>'),
            /<ol class="steps"><li><p class="step-title">One<\/p>Do<\/li><\/ol>/,
        );
        assert.match(
            await exportPage("a.mdx", '<Tabs>\n  <Tab title="A">x</Tab>\n</Tabs>'),
            /<section class="tab" data-title="A"><p class="tab-title">A<\/p>x<\/section>/,
        );
        assert.match(
            await exportPage("a.mdx", "<CodeGroup>\n```bash npm\nnpm i\n```\n</CodeGroup>"),
            /<div class="tabs"><div class="code" data-title="npm">/,
        );
        assert.match(
            await exportPage("a.mdx", '<Accordion title="More" defaultOpen={true}>x</Accordion>'),
            /<details class="accordion" open><summary>More<\/summary>/,
        );
        assert.match(
            await exportPage("a.mdx", '<ParamField body="name" type="string" required>Text</ParamField>'),
            /<code>name<\/code><span>string<\/span><span>body<\/span><span>required<\/span>/,
        );
    });

    it("escapes what stands in attributes", async () => {
        assert.match(await exportPage("a.mdx", "<Card title='<script>\"'>x</Card>"), /&lt;script&gt;&quot;/);
    });

    it("fails with file and line for a component that there is not, and says which there are", async () => {
        assert.match(
            await failureOf({ "a.mdx": "# A\n\n<Unknown />\n" }),
            /^a\.mdx:3: there is no component <Unknown>; these there are: Note, Tip/,
        );
    });
});
