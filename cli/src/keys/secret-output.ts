import { fchmodSync, fstatSync, ftruncateSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { UsageError } from "../command-line/usage-error.js";

const output = 1;
const fix = "Redirect it to a file that this user can write, or pipe it to a program";

/**
 * Proves that standard output keeps a secret, before the service is asked for one that it gives out only once. A file
 * becomes readable by its owner only.
 * @throws UsageError if the secret would be lost, or others could read it
 */
export function prepareSecretOutput(): void {
    const found = fstatSync(output);
    // Node.js opens the null device in place of a closed output.
    if (found.isCharacterDevice() && !isatty(output)) {
        throw new UsageError(`Standard output is closed, or is a device that keeps nothing. ${fix}.`);
    }
    if (found.isFile() && process.platform !== "win32") {
        makePrivate(found.mode);
        try {
            const written = writeSync(output, Buffer.alloc(spaceBytes), 0, spaceBytes, found.size);
            ftruncateSync(output, found.size);
            if (written === spaceBytes) {
                return;
            }
        } catch (error) {
            throw new UsageError(`Nothing can be written to standard output (${codeOf(error)}). ${fix}.`);
        }
        throw new UsageError(`The disk of standard output is full. ${fix}.`);
    }
}

/** More than a secret needs. */
const spaceBytes = 4096;

/** @param advice - what to do if the secret is lost after all @throws UsageError with the advice */
export function writeSecret(secret: string, advice: string): void {
    let rest = Buffer.from(`${secret}\n`);
    while (rest.length > 0) {
        try {
            rest = rest.subarray(writeSync(output, rest));
        } catch (error) {
            // The pipe is full for the moment.
            if (codeOf(error) !== "EAGAIN") {
                throw new UsageError(`The secret could not be written (${codeOf(error)}). ${advice}`);
            }
        }
    }
}

function makePrivate(mode: number): void {
    try {
        fchmodSync(output, 0o600);
    } catch (error) {
        if ((mode & 0o077) !== 0) {
            throw new UsageError(
                `Other users can read the file that standard output is redirected to, and it belongs to another user ` +
                    `(${codeOf(error)}). Run chmod 600 on the file first, or let the user of this command create it.`,
            );
        }
    }
}

function codeOf(error: unknown): string {
    return (error as NodeJS.ErrnoException).code ?? "unknown error";
}
