import { readFileSync, statSync } from "node:fs";
import { decodeText } from "@pulumi-static-export/exporter/decode-text";
import { UsageError } from "./usage-error.js";

/**
 * Reads a secret from a file.
 *
 * @param name - the file's name in messages
 * @param howToCreate - advice for a missing file
 * @throws UsageError when the file is missing, empty or readable by everybody, or contains several secrets
 */
export function readSecretFile(path: string, name: string, howToCreate: string): string {
    const [secret = "", ...others] = readSecretLines(path, name, howToCreate);
    if (others.length > 0) {
        throw new UsageError(`The ${name} ${path} must contain one secret, on one line and without spaces.`);
    }
    return secret;
}

/**
 * Reads secrets from a file, one per line; there is at least one.
 *
 * @throws UsageError when the file is missing, empty or readable by everybody
 */
export function readSecretLines(path: string, name: string, howToCreate: string): string[] {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found?.isFile()) {
        throw new UsageError(`The ${name} ${path} does not exist. ${howToCreate}`);
    }
    if (process.platform !== "win32" && (found.mode & 0o007) !== 0) {
        throw new UsageError(
            `Every user of this machine can read the ${name} ${path}: run chmod 600 ${path}. ` +
                "Choose a new secret if others may have read this one.",
        );
    }
    const secrets = decodeText(readFileSync(path)).trim().split("\n");
    if (secrets.join("") === "") {
        throw new UsageError(`The ${name} ${path} is empty: write the secret into it, on one line.`);
    }
    if (secrets.some((secret) => /\s/.test(secret))) {
        throw new UsageError(`The ${name} ${path} must contain one secret, on one line and without spaces.`);
    }
    return secrets.filter((secret) => secret !== "");
}
