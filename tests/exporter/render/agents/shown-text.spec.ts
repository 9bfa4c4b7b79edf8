import assert from "node:assert/strict";
import { ShownText } from "../../../../exporter/src/render/agents/shown-text.js";
import { articleOf } from "../../support/one-page.js";

const shown = (html: string) => new ShownText((href) => href).of(html);

describe("the Markdown of what a page shows", () => {
    describe("takes linear time for white space", () => {
        const space = " ".repeat(64_000);
        const page = (body: string) => articleOf(`# A\n\n${body}\n`);

        for (const [place, use] of [
            ["in code", () => shown(`<pre>a${space} b</pre>`)],
            ["of empty elements in code", () => shown(`<pre>a${"<i> </i>".repeat(32_000)} b</pre>`)],
            ["that does not break", () => shown(`<p>a${"\u00a0".repeat(64_000)}b</p>`)],
            ["of a table", () => shown(`<table><tr><td><pre>a${space}b</pre></td></tr></table>`)],
            ["of lines in code", () => page(`<CodeBlock>{"a${"\\n".repeat(100_000)}b"}</CodeBlock>`)],
            ["of a component in a line", () => page(`a <Badge>x${space}y</Badge>`)],
        ] as const) {
            it(place, async () => {
                await page("<Badge>Warm</Badge> {1}");
                shown("<p>Warm</p>");
                const before = process.cpuUsage();
                await use();
                const { user, system } = process.cpuUsage(before);
                assert.ok(user + system < 1_500_000, `${(user + system) / 1000} ms`);
            });
        }
    });

    it("keeps headings and words whose classes an author has named like ours", () => {
        const html = '<h2 class="hero-title">Hi</h2><p>One <span class="inline-title">two</span> three</p>';
        assert.equal(shown(html).trim(), "## Hi\n\nOne two three");
    });

    describe("of a big part", () => {
        it("contains code as it is written, whatever the size of its colours", () => {
            const colours = '<span class="line"><span class="hljs-attr">a</span>: 1\n</span>'.repeat(10_000);
            const html = `<p><b>See</b></p><div data-title="json"><pre><code class="language-json">${colours}</code></pre></div>`;
            assert.equal(shown(html).slice(0, 31), "**See**\n\n```json\na: 1\na: 1\na: 1");
        });

        it("is plain text with paragraphs and code", () => {
            const code = '<pre tabindex="0"><code>a &lt;\n\n  b\n</code></pre>';
            const paragraphs = shown(`<h2>T</h2><p><b>x</b> y</p>${code}<ul><li>${"z".repeat(300_000)}</li></ul>`);
            assert.equal(paragraphs.slice(0, 39), "T\n\nx y\n\n```\na <\n\n  b\n```\n\nzzzzzzzzzzzzz");
        });

        it("does not affect the smaller parts that follow it", () => {
            const text = new ShownText((href) => href);
            text.of(`<p>${"x".repeat(300_000)}</p>`);
            assert.equal(text.of("<p>Then <b>y</b></p>"), "Then **y**");
        });

        it("has a limit together with the other parts of its page", () => {
            const text = new ShownText((href) => href);
            const parts = Array.from({ length: 4 }, () => text.of(`<b>${"x".repeat(100_000)}</b>`));
            assert.deepEqual(
                parts.map((part) => part.startsWith("**")),
                [true, true, false, false],
            );
        });
    });

    describe("contains", () => {
        for (const [html, markdown] of [
            ['<a href="/x"><h3>T</h3><p>Some <b>body</b></p></a>', "[T Some **body**](/x)"],
            ['<div><a href="/x"><h3>T</h3></a><a href="/y"><ul><li>U</li></ul></a></div>', "[T](/x)\n\n[U](/y)"],
            ['<p>See <a href="/x">one<br>two</a>.</p>', "See [one two](/x)."],
            ["<p>10<sup>6</sup> H<sub>2</sub>O <ins>new</ins></p>", "10<sup>6</sup> H<sub>2</sub>O <ins>new</ins>"],
            ["<p>is <del>not </del><s>no</s> ok</p>", "is ~~not~~ ~~no~~ ok"],
            [
                '<ul><li><input type="checkbox" checked disabled> done</li><li><input type="checkbox">open</li></ul>',
                "- [x] done\n- [ ] open",
            ],
            ['<figure><pre class="mermaid">graph TD; A--&gt;B\n</pre></figure>', "```mermaid\ngraph TD; A-->B\n```"],
        ] as const) {
            it(html, () => assert.equal(shown(html), markdown));
        }
    });
});
