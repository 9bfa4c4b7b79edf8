import { randomBytes } from "node:crypto";
import {
    chmodSync,
    closeSync,
    existsSync,
    fsyncSync,
    linkSync,
    openSync,
    readFileSync,
    renameSync,
    rmSync,
    writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

/**
 * The secret in `path`, created on first use. The file's permissions are reset so that only its owner can read it.
 *
 * @throws when the file exists but is empty: an empty secret must not sign anything.
 */
export function readOrCreateSecretFile(path: string, prefix = ""): string {
    if (existsSync(path)) {
        chmodSync(path, 0o600);
    } else {
        create(path, `${prefix}${randomBytes(32).toString("hex")}\n`);
    }
    const secret = readFileSync(path, "utf8").trim();
    if (secret === "") {
        throw new Error(`Secret file ${path} is empty: remove the file, and the next start creates a new secret.`);
    }
    return secret;
}

/** Writes the file atomically: killing the process or losing power leaves it complete or absent. */
function create(path: string, content: string): void {
    const unfinished = `${path}.${randomBytes(4).toString("hex")}`;
    try {
        writeFileSync(unfinished, content, { flag: "wx", mode: 0o600, flush: true });
        moveUnlessExists(unfinished, path);
    } finally {
        rmSync(unfinished, { force: true });
    }
    if (process.platform !== "win32") {
        const folder = openSync(dirname(path), "r");
        fsyncSync(folder);
        closeSync(folder);
    }
}

/** Leaves the file of another process, which was faster. */
function moveUnlessExists(file: string, path: string): void {
    try {
        linkSync(file, path);
    } catch (error) {
        const { code = "" } = error as NodeJS.ErrnoException;
        if (["EPERM", "ENOTSUP", "ENOSYS"].includes(code)) {
            // The file system does not support hard links.
            renameSync(file, path);
        } else if (code !== "EEXIST") {
            throw error;
        }
    }
}
