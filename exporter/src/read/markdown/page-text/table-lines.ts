import { heading, itemMarker, thematicBreak } from "./block-starts.js";

/** A line of a page. */
export interface Line {
    readonly text: string;
    readonly start: number;
    /** Whether the line belongs to front matter, or to code or a formula of whole lines. */
    readonly isCode: boolean;
}

interface TableLine {
    readonly line: Line;
    /** The line's number in the page, from 1. */
    readonly number: number;
    readonly columns: number;
    readonly kind: "delimiter" | "row" | "end";
}

export const mayHaveTables = /\|[ \t]*:?-|-:?[ \t]*\|/;
const delimiterRow = /^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;

/** A line without bars is also a table row. An empty line or another block ends the table. */
const endsTable = new RegExp(String.raw`^[ \t>]*(?:$|[<{]|${heading}|${itemMarker}[ \t]|${thematicBreak})`);

/** Yields the lines of tables, from their delimiters to the first line below the tables. */
export function* tableLines(lines: Iterable<Line>): Generator<TableLine> {
    let columns = 0;
    let head = "";
    let number = 0;
    for (const line of lines) {
        const { text, isCode } = line;
        number += 1;
        if (columns === 0) {
            columns = !isCode && text.includes("-") && delimiterRow.test(text) ? columnsOf(head, text) : 0;
            if (columns > 0) {
                yield { line, number, columns, kind: "delimiter" };
            }
        } else if (isCode || (!text.includes("|") && endsTable.test(text))) {
            yield { line, number, columns, kind: "end" };
            columns = 0;
        } else {
            yield { line, number, columns, kind: "row" };
        }
        head = text;
    }
}

function columnsOf(head: string, delimiters: string): number {
    const columns = cellsOf(delimiters).length;
    return head.includes("|") && cellsOf(head).length === columns ? columns : 0;
}

export function cellsOf(row: string): string[] {
    const inner = row.trim().replace(/^(?:>[ \t]*)*\|?/, "");
    const cells = inner.replace(/\\[\\|]/g, "x").split("|");
    return cells.at(-1)?.trim() === "" ? cells.slice(0, -1) : cells;
}
