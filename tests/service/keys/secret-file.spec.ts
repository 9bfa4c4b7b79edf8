import assert from "node:assert/strict";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readOrCreateSecretFile } from "../../../service/src/keys/secret-file.js";
import { withFolder } from "../support/running-service.js";

describe("A file with a secret", () => {
    it("is created once, complete and only for its owner", async () => {
        await withFolder(async (folder) => {
            const path = join(folder, "secret");
            const secret = readOrCreateSecretFile(path, "admin_");
            assert.match(secret, /^admin_[0-9a-f]{64}$/);
            assert.equal(await readFile(path, "utf8"), `${secret}\n`);
            assert.equal(readOrCreateSecretFile(path, "admin_"), secret);
            assert.deepEqual((await readdir(folder)).sort(), ["secret", "site"]);
            assert.equal((await stat(path)).mode & 0o777, 0o600);
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
