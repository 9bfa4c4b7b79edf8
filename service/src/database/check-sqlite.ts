import { isUtf8 } from "node:buffer";
import { type DatabaseSync } from "node:sqlite";
import { isDamage } from "./sqlite-errors.js";

/** The comparison of all indexes with their tables takes seconds for smaller files, but minutes for larger ones. */
const maxComparedBytes = 64 * 1024 * 1024;

/**
 * Reads every row, because SQLite notices damage only where it reads, and Node.js replaces bytes that are not UTF-8.
 * @returns where the damage is; undefined if there is none
 */
export function findDamage(database: DatabaseSync): string | undefined {
    let reading = "its structure";
    try {
        const check = sizeOf(database) > maxComparedBytes ? "quick_check" : "integrity_check";
        if (database.prepare(`PRAGMA ${check}(1)`).get()?.[check] !== "ok") {
            return "its structure is not consistent";
        }
        for (const { name: table } of rowsOf(database, "SELECT name FROM sqlite_schema WHERE type = 'table'")) {
            reading = `table ${table}`;
            const columns = rowsOf(database, `PRAGMA table_info(${quote(table)})`).map(({ name }) => quote(name));
            if (findBrokenText(database, quote(table), columns) !== undefined) {
                const broken = columns.map((column) => ({
                    column,
                    row: findBrokenText(database, quote(table), [column]),
                }));
                const { column, row } = broken.find((each) => each.row !== undefined) ?? { column: "?", row: "?" };
                return `table ${table}, row ${row}, column ${column.replaceAll('"', "")}: the text is not valid UTF-8`;
            }
        }
        return undefined;
    } catch (error) {
        if (isDamage(error)) {
            return `${reading} cannot be read`;
        }
        throw error;
    }
}

function rowsOf(database: DatabaseSync, sql: string): { name: string }[] {
    return database.prepare(sql).all() as { name: string }[];
}

function sizeOf(database: DatabaseSync): number {
    const { bytes } = database
        .prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()")
        .get() as { bytes: number };
    return bytes;
}

/** The first row in which a text of these columns is not valid UTF-8. */
function findBrokenText(database: DatabaseSync, table: string, columns: readonly string[]): number | undefined {
    const texts = database.prepare(
        `SELECT rowid AS row, CAST(concat_ws(char(10), ${columns.join(", ")}) AS BLOB) AS bytes FROM ${table}`,
    );
    for (const { row, bytes } of texts.iterate() as Iterable<{ row: number; bytes: Uint8Array }>) {
        if (!isUtf8(bytes)) {
            return row;
        }
    }
    return undefined;
}

function quote(name: string): string {
    return `"${name.replaceAll('"', '""')}"`;
}
