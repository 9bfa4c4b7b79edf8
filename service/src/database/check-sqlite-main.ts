import { isUtf8 } from "node:buffer";
import { writeSync } from "node:fs";
import Database from "libsql";
import { type CheckLine, isDamage } from "./check-sqlite.js";

/** Reads every row of the SQLite database that the argument names, and writes a line before each part. */
const [, , file = ""] = process.argv;
const database = new Database(file);
// Without exclusive mode, a database in WAL mode gets a file for shared memory.
database.exec("PRAGMA locking_mode = EXCLUSIVE");
let reading = "its structure";
try {
    const damage = findDamage();
    if (damage !== undefined) {
        write({ damage });
    }
} catch (error) {
    if (isDamage(error)) {
        write({ damage: `${reading} cannot be read` });
    }
}

function findDamage(): string | undefined {
    write({ reading });
    const { integrity_check: result } = database.prepare("PRAGMA integrity_check(1)").get() as {
        integrity_check: string;
    };
    if (result !== "ok") {
        return "its structure is not consistent";
    }
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[];
    for (const { name: table } of tables) {
        reading = `table ${table}`;
        write({ reading });
        const columns = database.prepare(`PRAGMA table_info(${quote(table)})`).all() as { name: string }[];
        for (const { name: column } of columns) {
            const row = findBrokenText(quote(table), quote(column));
            if (row !== undefined) {
                return `table ${table}, row ${row}, column ${column}: the text is not valid UTF-8`;
            }
        }
        // Decodes every column of each row.
        const rows = database.prepare(`SELECT * FROM ${quote(table)}`).iterate();
        let row = rows.next();
        while (row.done !== true) {
            row = rows.next();
        }
    }
    return undefined;
}

function findBrokenText(table: string, column: string): number | undefined {
    const texts = database.prepare(
        `SELECT rowid AS row, CAST(${column} AS BLOB) AS bytes FROM ${table} WHERE typeof(${column}) = 'text'`,
    );
    for (const { row, bytes } of texts.iterate() as IterableIterator<{ row: number; bytes: Buffer }>) {
        if (!isUtf8(bytes)) {
            return row;
        }
    }
    return undefined;
}

function write(line: CheckLine): void {
    writeSync(process.stdout.fd, `${JSON.stringify(line)}\n`);
}

function quote(name: string): string {
    return `"${name.replaceAll('"', '""')}"`;
}
