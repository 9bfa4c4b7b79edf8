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
 * The secret kept in `path`, made on first use. The file is readable by its owner only, also when somebody loosened it.
 *
 * @throws when the file exists but is empty: a secret that nobody chose must not sign anything.
 */
export function readOrCreateSecretFile(path: string, prefix = ""): string {
    if (existsSync(path)) {
        chmodSync(path, 0o600);
    } else {
        create(path, `${prefix}${randomBytes(32).toString("hex")}\n`);
    }
    const secret = readFileSync(path, "utf8").trim();
    if (secret === "") {
        throw new Error(`Secret file ${path} is empty: remove it, and a new secret is made on the next start.`);
    }
    return secret;
}

/** The file is there whole or not at all, also when the process is killed or the machine loses power. */
function create(path: string, content: string): void {
    const unfinished = `${path}.${randomBytes(4).toString("hex")}`;
    try {
        writeFileSync(unfinished, content, { flag: "wx", mode: 0o600, flush: true });
        linkSync(unfinished, path);
    } catch (error) {
        const { code = "" } = error as NodeJS.ErrnoException;
        if (["EPERM", "ENOTSUP", "ENOSYS"].includes(code)) {
            // A file system without hard links.
            renameSync(unfinished, path);
        } else if (code !== "EEXIST") {
            throw error;
        }
    } finally {
        rmSync(unfinished, { force: true });
    }
    if (process.platform !== "win32") {
        const folder = openSync(dirname(path), "r");
        fsyncSync(folder);
        closeSync(folder);
    }
}
