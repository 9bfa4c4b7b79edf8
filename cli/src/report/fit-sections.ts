/** A part of the report: rows under a heading. The last rows may be omitted to save space. */
export interface Section {
    /** Lines above the rows, each a separate block. */
    heading: string;
    /** The header of a table; without a header, every row is a separate block. */
    columns?: readonly string[];
    rows: readonly string[];
    /** A sentence below the rows. */
    note?: string;
    /** The line that is visible while the section is collapsed. */
    summary?: string;
}

/** The size of a text in bytes, as GitHub counts it. */
export function sizeOf(text: string): number {
    return Buffer.byteLength(text);
}

/**
 * Joins the sections into text of at most `limit` bytes. Omits whole rows and says how many: every section keeps
 * its first rows, and earlier sections get the remaining space.
 */
export function fitSections(head: string, sections: readonly Section[], foot: string, limit: number): string {
    const frames = sections.map((section) => {
        const tableHead = sizeOf(headOf(section).join("\n")) + separator.length;
        return sizeOf(render(section, [], section.rows.length)) + tableHead + separator.length;
    });
    let room = limit - sizeOf(head) - sizeOf(foot) - 2 * separator.length - frames.reduce((sum, each) => sum + each, 0);
    const keep = (section: Section, from: number, to: number): number => {
        let kept = from;
        for (const row of section.rows.slice(from, to)) {
            const size = sizeOf(row) + rowSeparator(section).length;
            if (size > room) {
                break;
            }
            room -= size;
            kept += 1;
        }
        return kept;
    };
    const first = sections.map((section) => keep(section, 0, keptOfEach));
    const parts = sections.map((section, index) => {
        const from = first[index] ?? 0;
        const kept = from < keptOfEach ? from : keep(section, from, section.rows.length);
        return render(section, section.rows.slice(0, kept), section.rows.length - kept);
    });
    return [head, ...parts, foot].filter((part) => part !== "").join(separator);
}

/** The number of rows that every section keeps, regardless of the length of earlier ones. */
const keptOfEach = 5;
const separator = "\n\n";

function headOf({ columns }: Section): string[] {
    return columns === undefined ? [] : [line(columns), line(columns.map(() => "---"))];
}

function rowSeparator({ columns }: Section): string {
    return columns === undefined ? separator : "\n";
}

function render(section: Section, rows: readonly string[], leftOut: number): string {
    const { heading, note, summary } = section;
    const table = rows.length === 0 ? [] : [...headOf(section), ...rows];
    const more = leftOut === 0 ? [] : [`… and ${leftOut} more, left out to keep this short.`];
    const body = [table.join(rowSeparator(section)), ...more, ...(note === undefined ? [] : [note])];
    const blocks = [...(heading === "" ? [] : [heading]), ...body].filter((block) => block !== "");
    return summary === undefined
        ? blocks.join(separator)
        : [`<details><summary>${summary}</summary>`, ...blocks, "</details>"].join(separator);
}

/** One row of a table. The cells contain neither line breaks nor unescaped vertical bars. */
export function line(cells: readonly string[]): string {
    return `| ${cells.join(" | ")} |`;
}
