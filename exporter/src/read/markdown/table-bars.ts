import { type Edit, type PageText, type Report, withEdits } from "./page-text/page-text.js";
import { cellsOf, mayHaveTables, tableLines } from "./page-text/table-lines.js";

/** A bar in an expression of MDX ends no cell. */
const expression = /\{[^{}]*\}/g;

/**
 * Markdown ends a cell at every bar, even within code, and drops cells without a column. Escapes bars within code in
 * rows that would lose a cell, and reports rows that still lose a cell.
 */
export function keepCells(page: PageText, report: Report): PageText {
    if (!mayHaveTables.test(page.text)) {
        return page;
    }
    const edits: Edit[] = [];
    for (const { line, number, columns, kind } of tableLines(page.lines())) {
        const { text: row, start } = line;
        if (kind === "row" && losesCells(page.isMdx ? row.replace(expression, "x") : row, columns)) {
            const bars = page
                .within(start, start + row.length)
                .flatMap(({ kind, start: from, end }) =>
                    kind !== "code"
                        ? []
                        : Array.from(page.text.slice(from, end).matchAll(/(?<!\\)\|/g), ({ index }) => from + index),
                );
            const kept = withEdits(
                row,
                bars.map((bar) => ({ start: bar - start, end: bar - start, text: "\\" })),
            );
            if (losesCells(kept, columns)) {
                report(number, reasonOf(cellsOf(kept).length, columns));
            } else {
                edits.push(...bars.map((bar) => ({ start: bar, end: bar, text: "\\" })));
            }
        }
    }
    return page.edited(edits);
}

function losesCells(row: string, columns: number): boolean {
    // A shortcut for most rows: with a bar at each end, the row has one bar more than it has cells.
    if (row.split("|", columns + 3).length <= columns + 2 && row.startsWith("|") && row.endsWith("|")) {
        return false;
    }
    return cellsOf(row)
        .slice(columns)
        .some((cell) => cell.trim() !== "");
}

function reasonOf(cells: number, columns: number): string {
    return (
        `the row has ${cells} cells, but its table has ${columns} columns, so the last cells are left out: write \\| ` +
        "for a bar that is text"
    );
}
