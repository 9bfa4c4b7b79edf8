import { type Edit, type PageText, type Report, withEdits } from "./page-text/page-text.js";

const delimiterRow = /^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
/** A bar in an expression of MDX ends no cell. */
const expression = /\{[^{}]*\}/g;

/** A line without bars is also a table row. An empty line or another block ends the table. */
const endsTable = /^[ \t>]*(?:$|[#<{]|[-*+][ \t]|\d+[.)][ \t]|(?:[-*_][ \t]*){3,}$)/;

/**
 * Markdown ends a cell at every bar, even within code, and drops cells without a column. Escapes bars within code in
 * rows that would lose a cell, and reports rows that still lose a cell.
 */
export function keepCells(page: PageText, report: Report): PageText {
    if (!/\|[ \t]*:?-|-:?[ \t]*\|/.test(page.text)) {
        return page;
    }
    const edits: Edit[] = [];
    let columns = 0;
    let head = "";
    for (const [at, { text: line, isCode, start }] of [...page.lines()].entries()) {
        if (isCode) {
            columns = 0;
        } else if (columns === 0) {
            columns = line.includes("-") && delimiterRow.test(line) ? columnsOf(head, line) : 0;
        } else if (!line.includes("|")) {
            columns = endsTable.test(line) ? 0 : columns;
        } else if (losesCells(page.isMdx ? line.replace(expression, "x") : line, columns)) {
            const bars = page
                .within(start, start + line.length)
                .flatMap(({ kind, start: from, end }) =>
                    kind !== "code"
                        ? []
                        : Array.from(page.text.slice(from, end).matchAll(/(?<!\\)\|/g), ({ index }) => from + index),
                );
            const kept = withEdits(
                line,
                bars.map((bar) => ({ start: bar - start, end: bar - start, text: "\\" })),
            );
            if (losesCells(kept, columns)) {
                report(at + 1, reasonOf(cellsOf(kept).length, columns));
            } else {
                edits.push(...bars.map((bar) => ({ start: bar, end: bar, text: "\\" })));
            }
        }
        head = line;
    }
    return page.edited(edits);
}

function columnsOf(head: string | undefined, delimiters: string): number {
    const columns = cellsOf(delimiters).length;
    return head?.includes("|") && cellsOf(head).length === columns ? columns : 0;
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

function cellsOf(row: string): string[] {
    const inner = row.trim().replace(/^(?:>[ \t]*)*\|?/, "");
    const cells = inner.replace(/\\[\\|]/g, "x").split("|");
    return cells.at(-1)?.trim() === "" ? cells.slice(0, -1) : cells;
}

function reasonOf(cells: number, columns: number): string {
    return (
        `the row has ${cells} cells, but its table has ${columns} columns, so the last cells are left out: write \\| ` +
        "for a bar that is text"
    );
}
