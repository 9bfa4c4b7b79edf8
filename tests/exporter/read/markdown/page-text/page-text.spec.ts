import assert from "node:assert/strict";
import { PageText } from "../../../../../exporter/src/read/markdown/page-text/page-text.js";
import { articleOf } from "../../../support/one-page.js";

/** The regions of a page, each with its text. */
const regionsOf = (text: string, isMdx = false) =>
    new PageText(text, isMdx).regions.map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`);

describe("The regions of a page", () => {
    const cases: [name: string, text: string, regions: string[]][] = [
        ["code between runs of equal length", "`` a ` <!-- x --> `` b ` c", ["code: `` a ` <!-- x --> ``"]],
        ["code over two lines of a paragraph", "a `b\nc` d", ["code: `b\nc`"]],
        ["no code over two paragraphs, items or rows", "a `b\n\nc` d\n- `e\n- f`\n| `g |\n| h` |\n", []],
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
        ["formulas, which may contain tags", "$$\na<b>\n$$\n", ["formula: $$\na<b>\n$$"]],
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

    it("are found in linear time", () => {
        const long = 100_000;
        for (const text of [
            "`".repeat(long),
            "` `` ".repeat(long / 5),
            "<a ".repeat(long / 3),
            "<!--".repeat(long / 4),
        ]) {
            const startedAt = performance.now();
            regionsOf(text);
            assert.ok(performance.now() - startedAt < 1000, text.slice(0, 5));
        }
    });
});

describe("Code on a page whose HTML is repaired", () => {
    it("stays as it is written", async () => {
        const { html } = await articleOf("<br>\n\nA `` a ` <!-- x --> `` and `one\n<br>` <img src=/a.png>\n");
        assert.match(html, /<code>a ` &lt;!-- x --&gt;<\/code> and <code>one &lt;br&gt;<\/code>/);
    });
});
