import { randomBytes } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";

/**
 * The secret kept in `path`, made on first use. The file is readable by its owner only, also when somebody loosened it.
 *
 * @throws when the file exists but is empty: a secret that nobody chose must not sign anything.
 */
export function readOrCreateSecretFile(path: string, prefix = ""): string {
    try {
        writeFileSync(path, `${prefix}${randomBytes(32).toString("hex")}\n`, { flag: "wx", mode: 0o600 });
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
            throw error;
        }
        chmodSync(path, 0o600);
    }
    const secret = readFileSync(path, "utf8").trim();
    if (secret === "") {
        throw new Error(`Secret file ${path} is empty: remove it, and a new secret is made on the next start.`);
    }
    return secret;
}
