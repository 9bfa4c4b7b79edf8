import { readFileSync, statSync } from "node:fs";
import { UsageError } from "./usage-error.js";

/**
 * Reads a secret from a file.
 *
 * @param name - the file's name in messages
 * @param howToCreate - advice for a missing file
 * @throws UsageError when the file is missing, empty or readable by everybody
 */
export function readSecretFile(path: string, name: string, howToCreate: string): string {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found?.isFile()) {
        throw new UsageError(`The ${name} ${path} does not exist. ${howToCreate}`);
    }
    if (process.platform !== "win32" && (found.mode & 0o007) !== 0) {
        throw new UsageError(
            `Every user of this machine can read the ${name} ${path}: run chmod 600 ${path}. ` +
                "Choose another one if others may have read it.",
        );
    }
    const secret = readFileSync(path, "utf8").trim();
    if (secret === "") {
        throw new UsageError(`The ${name} ${path} is empty: write the secret into it, on one line.`);
    }
    if (/\s/.test(secret)) {
        throw new UsageError(`The ${name} ${path} must hold one secret, on one line and without spaces.`);
    }
    return secret;
}
