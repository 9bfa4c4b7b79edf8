import assert from "node:assert/strict";
import fc from "fast-check";
import { markdownToHast, mdxToHast } from "satteri";
import { escapeManyReferences } from "../../../../exporter/src/read/markdown/many-references.js";
import { PageText } from "../../../../exporter/src/read/markdown/page-text/page-text.js";
import { parsePage } from "../../../../exporter/src/read/markdown/parse-page.js";
import { textOf } from "../../../../exporter/src/text/syntax-tree.js";
import { scaled } from "../../../scale.js";
import { shapeOf } from "../../support/tree-shape.js";

const ignore = () => undefined;
const pieces = [
    ...["&lt;", "&gt;", "&amp;", "&quot;", "&amp;lt;", "\\&lt;", "\\\\&gt;", "a", " ", "\n", "\n\n", "&", ";", "*"],
    ...["[a](b&amp;c)", "`&lt;`", "https://a.example/?b&amp;c ", "- &lt;", "\n- ", "\n> ", "\n# "],
];
const html = ["<b title='&lt;'>", "</b>", "\n\n<div>\n&lt;\n</div>\n\n", "\n\n<pre>\n&lt;\n\n&gt;\n</pre>\n\n"];

describe("A paragraph with many character references", () => {
    for (const isMdx of [false, true]) {
        it(`keeps its tree if escapes are in their place: ${isMdx ? "MDX" : "Markdown"}`, () => {
            const parse = isMdx ? mdxToHast : markdownToHast;
            const texts = fc.array(fc.constantFrom(...pieces, ...(isMdx ? [] : html)), { maxLength: 12 });
            let changed = 0;
            const check = (some: readonly string[]) => {
                const text = `x ${some.join("")}`;
                const page = escapeManyReferences(new PageText(text, isMdx), ignore, 0);
                changed += page.text === text ? 0 : 1;
                assert.equal(shapeOf(parse(page.text)), shapeOf(parse(text)), JSON.stringify(text));
            };
            fc.assert(fc.property(texts, check), { numRuns: scaled({ short: 500, long: 5000 }) });
            assert.ok(changed > 100, `only ${changed} pages were changed`);
        });
    }

    it("shows what it showed, within a second and a quarter of a gigabyte", () => {
        for (const [text, isMdx] of [
            ["Vec&lt;T&gt; ".repeat(12_000), false],
            ["Vec&lt;T&gt; ".repeat(12_000), true],
            ["a <!-- ".repeat(20_000), false],
        ] as const) {
            const before = process.memoryUsage().rss;
            const startedAt = process.cpuUsage();
            const { root } = parsePage(text, isMdx);
            assert.ok(process.cpuUsage(startedAt).user < 1_000_000, text.slice(0, 9));
            assert.ok(process.memoryUsage().rss - before < 250_000_000, text.slice(0, 9));
            assert.equal(textOf(root).trim(), text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").trim());
        }
    });

    it("shows references as they are written that no escape can write, with a warning", () => {
        const references = "&#1;".repeat(15_000);
        const { root, repairs } = parsePage(`# x\n\n${references}\n`, false);
        assert.ok(textOf(root).includes(references));
        const reason =
            "the 15000 character references of this paragraph are shown as they are written, because they are too many: " +
            "split the paragraph";
        assert.deepEqual(repairs, [{ line: 3, reason }]);
    });
});

describe("A page of MDX with many open braces", () => {
    it("is read as Markdown at once", () => {
        for (const text of ["{a ".repeat(14_000), "{/* a\n".repeat(7000)]) {
            const startedAt = process.cpuUsage();
            const { repairs } = parsePage(text, true);
            assert.ok(process.cpuUsage(startedAt).user < 1_000_000, text.slice(0, 5));
            assert.match(repairs[0]?.reason ?? "", /read as Markdown, because it leaves more than 100 braces open/);
        }
    });

    it("is read as MDX if its braces are in code, after backslashes or in pairs", () => {
        const text = `${"`{` \\{ {1} ".repeat(200)}\n\n<Note>a</Note>\n`;
        assert.deepEqual(parsePage(text, true).repairs, []);
    });
});
