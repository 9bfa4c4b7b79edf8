import assert from "node:assert/strict";
import { withExport } from "../../support/site-fixture.js";

const reason = "the text after this < is not a complete tag or comment, so it is shown as it is written";

async function read(source: string): Promise<{ html: string; warnings: string[] }> {
    let found = { html: "", warnings: [] as string[] };
    await withExport({ "a.md": source }, async (site) => {
        const [, html = ""] = /<article[^>]*>([^]*)<\/article>/.exec(await site.read("a.html")) ?? [];
        found = { html, warnings: site.warnings.map(({ file, line, reason: text }) => `${file}:${line}: ${text}`) };
    });
    return found;
}

describe("A tag or comment without an end", () => {
    const unended: Record<string, string> = {
        "a tag": '<div id="foo"\n*hi*',
        "a tag in a list": '- a\n- <section class="x"\n  text',
        "a closing tag": "</section\ntext",
        "a comment": "<!-- a draft\nwithout an end",
        "a comment in a sentence": "see <!-- a draft",
        "an instruction": "<?php echo 1",
        "a declaration": "<!ELEMENT a",
        "character data": "<![CDATA[ a",
    };
    for (const [what, source] of Object.entries(unended)) {
        it(`is shown as text, as is the text after it, and reported with its line: ${what}`, async () => {
            const { html, warnings } = await read(`# A\n\n${source}\n\nLast > text\n\n<b>End</b>\n`);
            const line = source.split("\n").findIndex((text) => text.includes("<")) + 3;
            assert.deepEqual(warnings, [`a.md:${line}: ${reason}`]);
            assert.ok(html.includes(`&lt;${source.slice(source.indexOf("<") + 1).split(/[\n"]/)[0]}`), html);
            assert.match(html, /Last &gt; text[^]*<b>End<\/b>/);
        });
    }

    const complete: Record<string, string> = {
        "a tag over several lines": '<div\n  id="foo"\n>\n\ntext\n\n</div>',
        "a comment over several paragraphs": "<!-- a\n\n<div b\n\nc -->",
        "a comment of several paragraphs in a list": "- <!-- a\n\n  b -->\n- c",
        "an escaped tag or comment": "\\<div a\n\n\\<!-- b\n\n\\\\<b>c</b>",
        "a comment with a fence": "<!--\n```\n-->\n\n```\n<!-- code\n```",
        "an instruction": "<?php echo 1 ?>",
        code: "```html\n<div id\n```\n\n    <div id\n\n`<!-- x`",
        "an address": "<https://a.example/>",
    };
    for (const [what, source] of Object.entries(complete)) {
        it(`is not found in ${what}`, async () => {
            const { html, warnings } = await read(`# A\n\n${source}\n\nLast text\n`);
            assert.deepEqual(warnings, []);
            assert.doesNotMatch(html, /&amp;lt;/);
            assert.match(html, /Last text/);
        });
    }
});

describe("A comment hides only its own text if it goes on after", () => {
    const cut: Record<string, [source: string, shown: string]> = {
        "a blank line in an element": ["<div>\n<!-- a\n\nb -->\n<i>c</i>\n</div>", "<i>c</i>"],
        "an item of a list": ["- <!-- a\n- b -->\n- c", "<li>c</li>"],
        "a quotation": ["> <!-- a\nb -->\n\nc", "<p>c</p>"],
        "another comment on its line": ["<!-- a --> <!-- b\nc -->\n\nd", "<p>d</p>"],
    };
    for (const [where, [source, shown]] of Object.entries(cut)) {
        it(where, async () => {
            const { html, warnings } = await read(`${source}\n\nLast text\n`);
            assert.deepEqual(warnings, []);
            assert.match(html, /<p>Last text<\/p>/);
            assert.ok(html.includes(shown), html);
            assert.doesNotMatch(html, /--&gt;/);
        });
    }
});
