import assert from "node:assert/strict";
import fs from "node:fs";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { mock } from "node:test";
import { readOrCreateSecretFile } from "../../../service/src/keys/secret-file.js";
import { withFolder } from "../../sdk/support/files.js";

/** Calls `use` while a function of the file system fails. @param before - called before each failure */
function whileFails(name: "linkSync" | "writeFileSync", code: string, use: () => void, before?: () => void): void {
    const failing = mock.method(fs, name, () => {
        before?.();
        throw Object.assign(new Error(`${code}: ${name}`), { code });
    });
    syncBuiltinESMExports();
    try {
        use();
    } finally {
        failing.mock.restore();
        syncBuiltinESMExports();
    }
}

describe("A file with a secret", () => {
    it("is created once, complete and only for its owner", async () => {
        await withFolder(async (folder) => {
            const path = join(folder, "secret");
            const secret = readOrCreateSecretFile(path, "admin_");
            assert.match(secret, /^admin_[0-9a-f]{64}$/);
            assert.equal((await stat(path)).mode & 0o777, 0o600);
            assert.equal(await readFile(path, "utf8"), `${secret}\n`);
            assert.equal(readOrCreateSecretFile(path, "admin_"), secret);
            assert.deepEqual(await readdir(folder), ["secret"]);
        });
    });

    for (const code of ["EPERM", "ENOTSUP", "ENOSYS"]) {
        it(`is created in a folder that refuses hard links with ${code}`, async () => {
            await withFolder(async (folder) => {
                const path = join(folder, "secret");
                whileFails("linkSync", code, () => assert.match(readOrCreateSecretFile(path), /^[0-9a-f]{64}$/));
                assert.deepEqual(await readdir(folder), ["secret"]);
            });
        });
    }

    it("is that of the process that was first, if two create it at the same time", async () => {
        await withFolder(async (folder) => {
            const path = join(folder, "secret");
            whileFails(
                "linkSync",
                "EEXIST",
                () => assert.equal(readOrCreateSecretFile(path), "first"),
                () => fs.writeFileSync(path, "first\n"),
            );
            assert.deepEqual(await readdir(folder), ["secret"]);
        });
    });

    it("causes the error of the file system if it cannot be created, and leaves nothing behind", async () => {
        await withFolder(async (folder) => {
            const path = join(folder, "secret");
            for (const [name, code] of [
                ["linkSync", "ENOSPC"],
                ["writeFileSync", "EPERM"],
            ] as const) {
                whileFails(name, code, () => {
                    assert.throws(() => readOrCreateSecretFile(path), { message: `${code}: ${name}` });
                });
                assert.deepEqual(await readdir(folder), []);
            }
        });
    });

    it("leaves no other file open", async () => {
        await withFolder(async (folder) => {
            const open = async () => (await readdir("/proc/self/fd").catch((): string[] => [])).length;
            const before = await open();
            for (let count = 0; count < 20; count += 1) {
                readOrCreateSecretFile(join(folder, `secret ${count}`));
            }
            assert.ok((await open()) < before + 20);
        });
    });

    it("becomes readable only for its owner", async () => {
        await withFolder(async (folder) => {
            const path = join(folder, "secret");
            await writeFile(path, "own-secret\n");
            await chmod(path, 0o644);
            assert.equal(readOrCreateSecretFile(path), "own-secret");
            assert.equal((await stat(path)).mode & 0o777, 0o600);
        });
    });

    it("is refused if it is empty", async () => {
        await withFolder(async (folder) => {
            const path = join(folder, "secret");
            await writeFile(path, "\n");
            assert.throws(() => readOrCreateSecretFile(path), /is empty: remove the file, and the next start creates/);
        });
    });
});
