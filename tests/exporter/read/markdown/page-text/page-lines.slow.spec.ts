import assert from "node:assert/strict";
import fc from "fast-check";
import { type HastNode } from "satteri";
import { PageText } from "../../../../../exporter/src/read/markdown/page-text/page-text.js";
import { childrenOf } from "../../../../../exporter/src/text/syntax-tree.js";
import { scaled } from "../../../../scale.js";
import * as reference from "../../../support/reference-parser.js";

/** Lines that begin, continue and end code, formulas, items and quotations. */
const lines = [
    "",
    "a",
    "  a",
    "    a",
    "      a",
    "\ta",
    "        a",
    "- a",
    "-   a",
    "   - a",
    "    - a",
    "1. a",
    "> a",
].concat(
    [">", ">\n>     a", "# a", "```", "~~~", "$$", "  ```", "  ~~~", "> ```", "- ```", "- $$", "> $$"],
    ["===", "---", "***", "* * *", "- - -", "-", "<!-- a -->", "[^1]: a"],
);

const isBlank = (line: string) => /^[ \t>]*$/.test(line);

/** The numbers of the lines that are code or a formula, except blank lines. */
function codeLines(text: string): string {
    const found = [...new PageText(text, false).lines()].entries();
    return [...found].flatMap(([at, line]) => (line.isCode && !isBlank(line.text) ? [at + 1] : [])).join();
}

function codeLinesOfReference(text: string): string {
    const math = { singleDollarTextMath: false };
    const found = linesOfPre(reference.markdownToHast(text, { features: { math } }));
    const all = text.split("\n");
    return found.filter((number) => !isBlank(all[number - 1] ?? "")).join();
}

function linesOfPre(node: HastNode): number[] {
    const { start, end } = node.position ?? {};
    if (node.type !== "element" || node.tagName !== "pre" || start === undefined || end === undefined) {
        return childrenOf(node).flatMap(linesOfPre);
    }
    const last = end.column === 1 ? end.line - 1 : end.line;
    return Array.from({ length: last - start.line + 1 }, (_, at) => start.line + at);
}

describe("The lines of a page", () => {
    it("have the code and the formulas of the reference parser, for random lines", function () {
        this.timeout(0);
        const random = fc.array(fc.constantFrom(...lines), { maxLength: 6 }).map((some) => `\n${some.join("\n")}\n`);
        let differences = 0;
        const count = scaled({ short: 1000, long: 20_000 });
        for (const text of fc.sample(random, count)) {
            differences += codeLines(text) === codeLinesOfReference(text) ? 0 : 1;
        }
        assert.ok(differences <= count / 200, `${differences} of ${count} pages differ`);
    });

    it("have the code and the formulas of the reference parser, for random lines in lists and quotations", function () {
        this.timeout(0);
        const container = fc.constantFrom(
            "> ",
            ">",
            "- ",
            "1. ",
            "-   ",
            "-     ",
            "* ",
            "  ",
            "   ",
            "    ",
            "\t",
            "+\t",
        );
        const leaf = fc.constantFrom(
            "",
            "a",
            "a",
            "```",
            "```",
            "~~~",
            "# h",
            "===",
            "---",
            "$$",
            "<!-- a -->",
            "````",
        );
        const line = fc
            .tuple(fc.array(container, { maxLength: 3 }), leaf)
            .map(([marks, text]) => marks.join("") + text);
        const random = fc.array(line, { maxLength: 7 }).map((some) => `\n${some.join("\n")}\n`);
        let differences = 0;
        const count = scaled({ short: 1000, long: 20_000 });
        for (const text of fc.sample(random, count)) {
            differences += codeLines(text) === codeLinesOfReference(text) ? 0 : 1;
        }
        assert.ok(differences <= count / 200, `${differences} of ${count} pages differ`);
    });
});
