import assert from "node:assert/strict";
import { PageText } from "../../../../../exporter/src/read/markdown/page-text/page-text.js";
import { articleOf } from "../../../support/one-page.js";
import { withExport } from "../../../support/site-fixture.js";

/** The regions of a page, each with its text. */
const regionsOf = (text: string, isMdx = false) =>
    new PageText(text, isMdx).regions.map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`);

describe("The regions of a page", () => {
    const cases: [name: string, text: string, regions: string[]][] = [
        ["code between runs of equal length", "`` a ` <!-- x --> `` b ` c", ["code: `` a ` <!-- x --> ``"]],
        ["code over two lines of a paragraph", "a `b\nc` d", ["code: `b\nc`"]],
        ["no code over two paragraphs or items", "a `b\n\nc` d\n- `e\n- f`\n", []],
        ["no code over two rows of a table", "| a |\n| - |\n| `b |\n| c` |\n", []],
        ["no code over two rows without bars at their ends", "a | b\n-- | --\n`c | d\ne | f`\n`g | h", []],
        ["code over two lines of a paragraph that begin with bars", "a `b\n| c` d", ["code: `b\n| c`"]],
        ["no code over the end of a heading", "# a `b\nc` d", []],
        [
            "no code over an underline, a rule, an empty item or a footnote",
            "a `b\n===\n`c\n***\n`d\n-\n`e\n[^1]: `",
            [],
        ],
        ["no code over the beginning of a block of HTML", "a `b\n<div>\nc`", ["tag: <div>"]],
        ["no code after an escaped backtick", "\\`a` b", []],
        [
            "no tag in code, and no code in a tag",
            '`<b>` <i title="`">x`</i>',
            ["code: `<b>`", 'tag: <i title="`">', "tag: </i>"],
        ],
        ["comments, which may contain backticks", "a <!-- ` --> b `", ["comment: <!-- ` -->"]],
        ["formulas, which may contain tags", "$$\na<b>\n$$\n", ["formula: $$\na<b>\n$$\n"]],
        ["no formula over two items", "- $$a\n- b$$ <c>\n", ["formula: - $$a\n", "tag: <c>"]],
        ["formulas in a line, and no template literals", "a $$b$$ $${c}$$\n", ["formula: $$b$$"]],
        [
            "indented code, whose text is not searched",
            "a\n\n    `b <!--\n\nc` <d> -->\n",
            ["indented:     `b <!--\n", "tag: <d>"],
        ],
        [
            "no indented code in paragraphs and items",
            "a\n    <b>\n\n1. c\n\n    <d>\n\n        <e>\n",
            ["tag: <b>", "tag: <d>", "indented:         <e>\n"],
        ],
        [
            "indented code directly after headings, rules and comments",
            "A\n===\n    <b>\n* * *\n    <c>\n<!-- d -->\n    <e>\nf\n-\n    <g>\n",
            [
                ...["indented:     <b>\n", "indented:     <c>\n", "comment: <!-- d -->", "indented:     <e>\n"],
                "indented:     <g>\n",
            ],
        ],
        [
            "indented code on the line of an item's marker",
            "-     </pre>\n\n10.     <!-- a\n\n-    <b>\n",
            ["indented: -     </pre>\n", "indented: 10.     <!-- a\n", "tag: <b>"],
        ],
        [
            "fences of items after fences that end with a quotation or an item in them",
            "- > ```\n  > a\n\n  ```\n  </b>\n  ```\n\n* > 1. ```html\n  >    ````\n\n  ```\n  </i>\n  ```\n",
            [
                ...["fence: - > ```\n  > a\n", "fence:   ```\n  </b>\n  ```\n"],
                ...["fence: * > 1. ```html\n  >    ````\n", "fence:   ```\n  </i>\n  ```\n"],
            ],
        ],
        ["no fences where a mark continues a paragraph", "a\n    ```\n<b>\n", ["tag: <b>"]],
        ["no indented code in items that a line further left continues", "1. a\nb\n\n    <c>\n", ["tag: <c>"]],
        [
            "no indented code in footnotes",
            "[^1]: a\n\n    <b>\n\n        <c>\n",
            ["tag: <b>", "indented:         <c>\n"],
        ],
        [
            "fences after an element whose closing tag is in capitals",
            "<pre>\n```\n</PRE>\n```\n<b>\n```\n",
            ["tag: <pre>", "tag: </PRE>", "fence: ```\n<b>\n```\n"],
        ],
        ["front matter", "---\na: `b`\n---\n`c`\n", ["front matter: ---\na: `b`\n---\n", "code: `c`"]],
        ["fences, whose text is not searched", "```\n`a` <b>\n```\n`c`\n", ["fence: ```\n`a` <b>\n```\n", "code: `c`"]],
        ["no fence in a comment", "<!--\n```\n-->\n`a`\n", ["comment: <!--\n```\n-->", "code: `a`"]],
        ["a tag without an end at the beginning of a line", "<b\n\n`a`", ["unended: <", "code: `a`"]],
        ["a comment without an end", "a <!-- `b`", ["unended: <", "code: `b`"]],
    ];
    for (const [name, text, regions] of cases) {
        it(`are ${name}`, () => assert.deepEqual(regionsOf(text), regions));
    }

    it("are in MDX also comments between braces, and fences that end at any indentation", () => {
        assert.deepEqual(regionsOf("a {/* ` */} `b`", true), ["comment: {/* ` */}", "code: `b`"]);
        assert.deepEqual(regionsOf("```\na\n      ```\n<B>\n", true), ["fence: ```\na\n      ```\n", "tag: <B>"]);
        assert.deepEqual(regionsOf("a {/* ` */ } `b`", true), ["comment: {/* ` */ }", "code: `b`"]);
        assert.deepEqual(regionsOf("You can\nexport it:\n```\na\n\nb\n```\n`c`", true), [
            "fence: ```\na\n\nb\n```\n",
            "code: `c`",
        ]);
        assert.deepEqual(regionsOf("import A from 'a'\n```\na\n```\n", true), ["fence: ```\na\n```\n"]);
        assert.deepEqual(regionsOf("export const a = `\n~~~\n`;\n\n<B>\n", true), ["code: `\n~~~\n`", "tag: <B>"]);
    });

    it("move with the changes of the text, and are not searched again", () => {
        const page = new PageText("a `b` <i> `c` d", false);
        assert.equal(page.regions.length, 3);
        const changed = page.replace(/[ad]/g, ([letter]) => letter.repeat(3)).edited([{ start: 8, end: 11, text: "" }]);
        assert.equal(changed.text, "aaa `b`  `c` ddd");
        const texts = changed.regions.map(({ start, end }) => changed.text.slice(start, end));
        assert.deepEqual(texts, ["`b`", "`c`"]);
    });

    it("are searched again after a change of their edges", () => {
        const page = new PageText("a `b` c `d`\n\n```\n<e>\n```\n", false);
        assert.equal(page.regions.length, 3);
        const changed = page.edited([
            { start: 2, end: 4, text: "x" },
            { start: 13, end: 17, text: "<f>" },
        ]);
        const texts = changed.regions.map(({ start, end }) => changed.text.slice(start, end));
        assert.deepEqual(texts, ["` c `", "<f>", "<e>", "```\n"]);
    });

    it("take at most about twice the time for twice the text", () => {
        const time = (text: string) => {
            const startedAt = process.cpuUsage();
            regionsOf(text);
            const { user, system } = process.cpuUsage(startedAt);
            return user + system;
        };
        const least = (text: string) => Math.min(...[1, 2, 3].map(() => time(text)));
        for (const line of [
            "> ~~~\n\n",
            "~~~\n~~~\na\n",
            "- $$\n",
            "    a\n\n",
            "- > ~~~\n\n",
            "-     a\n\n",
            "a | b\n- | -\n\n",
        ]) {
            const text = line.repeat(20_000);
            time(text);
            assert.ok(least(text + text) < 3 * least(text) + 20_000, line);
        }
    });

    it("are found in linear time", () => {
        const long = 100_000;
        for (const text of [
            "`".repeat(long),
            "` `` ".repeat(long / 5),
            "<a ".repeat(long / 3),
            "<!--".repeat(long / 4),
            `-     a\n${"- ".repeat(long / 2)}\n${"\n".repeat(long)}`,
            `-     a\n${"> ".repeat(long / 2)}\n    a\n${"    \n".repeat(long / 5)}`,
        ]) {
            const startedAt = process.cpuUsage();
            regionsOf(text);
            assert.ok(process.cpuUsage(startedAt).user < 1_000_000, text.slice(0, 5));
        }
    });
});

describe("Code on a page whose HTML is repaired", () => {
    it("stays as it is written", async () => {
        const { html } = await articleOf("<br>\n\nA `` a ` <!-- x --> `` and `one\n<br>` <img src=/a.png>\n");
        assert.match(html, /<code>a ` &lt;!-- x --&gt;<\/code> and <code>one &lt;br&gt;<\/code>/);
    });

    it("shows Markdown after an element whose closing tag is in capitals, and placeholders after indented code", async () => {
        const files = { "a.md": "<PRE>\na\n</PRE>\n\n*b*\n\n    c <!--\n\nwrite <your-key> -->\n" };
        await withExport(files, async ({ read }) => {
            const html = await read("a.html");
            assert.match(html, /<em>b<\/em>/);
            assert.match(html, /<code[^>]*>c &lt;!--\n?<\/code>/);
            assert.match(html, /write &lt;your-key/);
        });
    });
});
