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
import { type ServiceDatabase } from "../database/database.js";

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
        throw new Error(`Secret file ${path} is empty: remove it; the next start creates a new secret.`);
    }
    return secret;
}

/** Writes the file atomically: killing the process or losing power leaves it complete or absent. */
function create(path: string, content: string): void {
    const unfinished = `${path}.${randomBytes(4).toString("hex")}`;
    try {
        writeFileSync(unfinished, content, { flag: "wx", mode: 0o600, flush: true });
        linkSync(unfinished, path);
    } catch (error) {
        const { code = "" } = error as NodeJS.ErrnoException;
        if (["EPERM", "ENOTSUP", "ENOSYS"].includes(code)) {
            // The file system does not support hard links.
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

/**
 * Returns the secret with this name, which all processes of the service share. The first process that needs the secret
 * creates it.
 */
export async function readOrCreateSecret(database: ServiceDatabase, name: string): Promise<string> {
    await database.run("INSERT INTO secrets (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING", {
        name,
        value: randomBytes(32).toString("hex"),
    });
    const row = await database.get<{ value: string }>("SELECT value FROM secrets WHERE name = :name", { name });
    if (row === undefined) {
        throw new Error(`The secret ${name} is not in the database.`);
    }
    return row.value;
}
