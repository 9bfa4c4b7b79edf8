import assert from "node:assert/strict";
import { PageText } from "../../../../exporter/src/read/markdown/page-text/page-text.js";
import { keepCells } from "../../../../exporter/src/read/markdown/table-bars.js";
import { articleOf } from "../../support/one-page.js";

describe("a row with more cells than its table has columns", () => {
    it("keeps a bar in code inside its cell", async () => {
        const { html, warnings } = await articleOf(
            "| type | meaning |\n| --- | --- |\n| `A | B` | the one or ``C|D`` |\n",
        );
        assert.match(html, /<td><code>A \| B<\/code><\/td>\s*<td>the one or <code>C\|D<\/code><\/td>/);
        assert.deepEqual(warnings, []);
    });

    it("is reported if the bar is in text", async () => {
        const { warnings } = await articleOf(
            "text\n\n| type | meaning |\n| --- | --- |\n| A | B | the one |\n| a | b | |\n",
        );
        assert.deepEqual(warnings, [
            "a.mdx:5: the row has 3 cells, but its table has 2 columns, so the last cells are left out: write " +
                "\\| for a bar that is text",
        ]);
    });

    it("is reported if a backslash before the bar is escaped", async () => {
        const { html, warnings } = await articleOf(
            "| a | b |\n| --- | --- |\n| 1 \\\\| 2 | 3 |\n| 4 \\\\\\| 5 | 6 |\n",
        );
        assert.match(html, /<td>1 \\<\/td>\s*<td>2<\/td>[^]*<td>4 \\\| 5<\/td>\s*<td>6<\/td>/);
        assert.match(warnings.join("\n"), /^a\.mdx:3: the row has 3 cells[^\n]*$/);
    });

    it("has no cell too many if the bar is in an expression of MDX", async () => {
        const { html, warnings } = await articleOf('| a | b |\n| --- | --- |\n| {1 + 1} | {"x|y"} |\n');
        assert.match(html, /<td>2<\/td>\s*<td>x\|y<\/td>/);
        assert.deepEqual(warnings, []);
    });

    it("is reported after a row without bars, but not after the end of a table", async () => {
        const table = "| a | b |\n| --- | --- |\n| 1 | 2 |\n";
        const { html, warnings } = await articleOf(`${table}text\n| 3 | 4 | 5 |\n`);
        assert.match(html, /<td>text<\/td>/);
        assert.match(warnings.join("\n"), /^a\.mdx:5: the row has 3 cells/);
        for (const end of ["", "# heading", "- item", "***"]) {
            assert.deepEqual((await articleOf(`${table}${end}\n| 3 | 4 | 5 |\n`)).warnings, [], end);
        }
    });

    it("is unchanged in a fence and next to a table", async () => {
        const table = "| a |\n| --- |\n| `x | y` |";
        const { html, warnings } = await articleOf(`\`\`\`md\n${table}\n\`\`\`\n\nleft \`x | y\` | right | more\n`);
        assert.match(html, /`x \| y`/);
        assert.match(html, /left <code>x \| y<\/code> \| right \| more/);
        assert.deepEqual(warnings, []);
    });

    it("is found in linear time", () => {
        const long = 200_000;
        for (const line of [
            `${" ".repeat(long)}-x`,
            "\\".repeat(long),
            "{|".repeat(long / 2),
            "|".repeat(long),
            "| - ".repeat(long / 4),
            "`| ".repeat(long / 3),
        ]) {
            const startedAt = performance.now();
            keepCells(new PageText(`| a |\n| --- |\n${line}\n${line}\n`, true), () => undefined);
            assert.ok(performance.now() - startedAt < 2000, line.slice(-5));
        }
    });
});
