/** Aligns the columns of a table for people; the first row contains the headings. */
export function formatTable(rows: readonly (readonly string[])[]): string {
    const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
    return rows
        .map((row) =>
            row
                .map((cell, column) => cell.padEnd(widths[column] ?? 0))
                .join("  ")
                .trimEnd(),
        )
        .join("\n");
}
