import { readFileSync, statSync } from "node:fs";
import { UsageError } from "./usage-error.js";

/**
 * Reads the admin API key from a file.
 *
 * @param howToCreate - what to do if the file does not exist
 * @throws UsageError when the file is missing, empty or readable by everybody
 */
export function readAdminKeyFile(path: string, howToCreate: string): string {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found?.isFile()) {
        throw new UsageError(`The admin key file ${path} does not exist. ${howToCreate}`);
    }
    if (process.platform !== "win32" && (found.mode & 0o007) !== 0) {
        throw new UsageError(
            `Every user of this machine can read the admin key file ${path}: run chmod 600 ${path}. ` +
                "Choose a new key if others may have read it.",
        );
    }
    const key = readFileSync(path, "utf8").trim();
    if (key === "") {
        throw new UsageError(`The admin key file ${path} is empty: write the key into it, on one line.`);
    }
    if (/\s/.test(key)) {
        throw new UsageError(`The admin key file ${path} must hold one key, on one line and without spaces.`);
    }
    return key;
}
