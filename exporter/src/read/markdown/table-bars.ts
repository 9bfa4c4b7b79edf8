import { Fences } from "./fences.js";
import { type Repair } from "./repair-mdx.js";

const delimiterRow = /^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
const codeSpan = /(?<!`)(`{1,3})(?!`)([^`]*)\1(?!`)/g;

/** A bar in an expression of MDX ends no cell. */
const expression = /\{[^{}]*\}/g;

/** A line without bars is also a table row. An empty line or another block ends the table. */
const endsTable = /^[ \t>]*(?:$|[#<{]|[-*+][ \t]|\d+[.)][ \t]|(?:[-*_][ \t]*){3,}$)/;

/**
 * Markdown ends a cell at every bar, even within code, and drops cells without a column. Escapes bars within code in
 * rows that would lose a cell, and reports rows that still lose a cell.
 */
export function keepCells(source: string, isMdx: boolean): { text: string; repairs: readonly Repair[] } {
    if (!/\|[ \t]*:?-|-:?[ \t]*\|/.test(source)) {
        return { text: source, repairs: [] };
    }
    const lines = source.split("\n");
    const repairs: Repair[] = [];
    const fences = new Fences();
    let columns = 0;
    lines.forEach((line, index) => {
        if (fences.holds(line)) {
            columns = 0;
        } else if (columns === 0) {
            columns = line.includes("-") && delimiterRow.test(line) ? columnsOf(lines[index - 1], line) : 0;
        } else if (!line.includes("|")) {
            columns = endsTable.test(line) ? 0 : columns;
        } else if (losesCells(isMdx ? line.replace(expression, "x") : line, columns)) {
            const kept = line.replace(codeSpan, (span) => span.replace(/(?<!\\)\|/g, "\\|"));
            if (losesCells(kept, columns)) {
                repairs.push({ line: index + 1, reason: reasonOf(cellsOf(kept).length, columns) });
            } else {
                lines[index] = kept;
            }
        }
    });
    return { text: lines.join("\n"), repairs };
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
