import { describeOwner } from "@pulumi-static-export/contract/file-owner";
import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseDamagedError, DatabaseUnavailableError, RefusedValueError } from "./database.js";

/**
 * SQLite's result codes for a file that is damaged, or that is not the service's database: ERROR, CORRUPT, SCHEMA,
 * FORMAT, NOTADB and IOERR_SHORT_READ. The general ERROR counts, too, because all statements are known to be correct.
 */
const damageCodes: readonly number[] = [1, 11, 17, 24, 26, 522];

const busyCode = 5;

/** PERM, BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL and CANTOPEN: the same statement may succeed later. */
const unavailable: Readonly<Record<number, string>> = {
    3: "the disk cannot be written",
    5: "another program has locked it",
    6: "another program has locked it",
    7: "there is no memory left",
    8: "the disk cannot be written",
    10: "the disk cannot be read or written",
    13: "the disk is full",
    14: "the disk cannot be read or written",
};

/** PERM, READONLY, IOERR and CANTOPEN, also of a file that another user owns. */
const accessCodes: readonly number[] = [3, 8, 10, 14];

const constraintCode = 19;
/** TOOBIG, CONSTRAINT, MISMATCH and RANGE. */
const refused: readonly number[] = [18, constraintCode, 20, 25];
/** SQLite counts a value of the wrong type as a broken constraint, too. */
const wrongType = /^cannot store/;

/** A table or column that the file lacks, while the file itself can be read. */
const lacks = /^no such (table|column): ?(\S+)/;

function codeOf(error: unknown): number | undefined {
    const { code, errcode = 0 } = error as { code?: string; errcode?: number };
    return code === "ERR_SQLITE_ERROR" ? errcode : undefined;
}

/** The general code, without the details in its higher bits. */
function generalCodeOf(error: unknown): number | undefined {
    const code = codeOf(error);
    return code === undefined ? undefined : code & 0xff;
}

export function isDamage(error: unknown): boolean {
    const code = codeOf(error) ?? 0;
    return damageCodes.includes(code) || damageCodes.includes(code & 0xff);
}

export function isBusy(error: unknown): boolean {
    return generalCodeOf(error) === busyCode;
}

/** Describes who owns a file that this user may not read and write. */
function describeOwnerOf(file: string): string | undefined {
    try {
        accessSync(file, constants.R_OK | constants.W_OK);
        return undefined;
    } catch {
        return existsSync(file) ? describeOwner(file) : undefined;
    }
}

/** @returns an error that says whether retrying helps; the driver's error if that is unknown */
export function toServiceError(error: unknown, dataDir: string): unknown {
    const { message } = error as Error;
    const code = generalCodeOf(error) ?? 0;
    const file = `The database service.sqlite in data folder ${dataDir}`;
    const [, kind, name] = lacks.exec(message) ?? [];
    if (kind !== undefined && code === 1) {
        return new DatabaseDamagedError(
            `${file} has no ${kind} ${name}, because another program has changed it: restore a backup.`,
            { cause: error },
        );
    }
    if (isDamage(error)) {
        return damagedError(dataDir, undefined, error);
    }
    const reason = unavailable[code];
    if (reason !== undefined) {
        const owned = accessCodes.includes(code) ? describeOwnerOf(join(dataDir, "service.sqlite")) : undefined;
        if (owned !== undefined) {
            const advice = `${owned}. Run chown --recursive on ${dataDir}`;
            return new DatabaseUnavailableError(`${file} cannot be used: ${advice}.`, { cause: error, reason });
        }
        return new DatabaseUnavailableError(`${file} cannot be used: ${reason}.`, { cause: error, reason });
    }
    return refused.includes(code)
        ? new RefusedValueError(`The database refuses a value: ${message}.`, {
              cause: error,
              breaksRule: code === constraintCode && !wrongType.test(message),
          })
        : error;
}

/** @param place - where the damage is, if that is known */
export function damagedError(dataDir: string, place?: string, cause?: unknown): DatabaseDamagedError {
    const where = place === undefined ? "" : ` (${place})`;
    return new DatabaseDamagedError(
        `The database service.sqlite in data folder ${dataDir} is damaged${where}: restore a backup, ` +
            "or remove it together with the folder bundles; then all jobs are lost and their links stop working.",
        { cause },
    );
}
