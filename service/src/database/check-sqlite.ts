import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The program's output: the part that it is about to read, or the damage that it found. */
export type CheckLine = { reading: string } | { damage: string };

/**
 * SQLite's codes for a file that is damaged, or that is not the service's database. General errors count, too, because
 * all statements are known to be correct.
 */
const damageCodes = /^SQLITE_(?:CORRUPT|NOTADB|ERROR|FORMAT|SCHEMA|IOERR_SHORT_READ)/;

export function isDamage(error: unknown): boolean {
    return damageCodes.test((error as { code?: string }).code ?? "");
}

/** The path is valid from both src/database/ and dist/database/. */
const program = fileURLToPath(new URL("../../dist/database/check-sqlite-main.js", import.meta.url));

/**
 * Looks for damage in a separate process: libsql ends its process at a string that is not UTF-8, so the service could
 * not report the damage.
 * @returns where the damage is; undefined if there is none, or if the file cannot be opened, which the service
 * reports
 */
export function findDamage(file: string): string | undefined {
    if (!existsSync(file)) {
        return undefined;
    }
    // Omits NODE_OPTIONS, which may load a tracer for the service.
    const env = { ...process.env, NODE_OPTIONS: "" };
    const { error, signal, stdout } = spawnSync(process.execPath, [program, file], {
        env,
        stdio: ["ignore", "pipe", "ignore"],
        encoding: "utf8",
        windowsHide: true,
    });
    if (error !== undefined) {
        throw new Error(`The database could not be checked: ${error.message}`, { cause: error });
    }
    const lines = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as CheckLine]));
    const last = lines.at(-1);
    if (last === undefined) {
        return undefined;
    }
    return "damage" in last ? last.damage : signal === null ? undefined : `${last.reading} cannot be read`;
}
