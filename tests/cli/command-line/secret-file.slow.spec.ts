import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readSecretFile, readSecretLines } from "../../../cli/src/command-line/secret-file.js";
import { withFolder } from "../../exporter/support/site-fixture.js";

describe("A file with secrets", () => {
    for (const encoding of ["utf8", "utf16le"] as const) {
        it(`may have a byte order mark, as the shell of Windows writes it: ${encoding}`, async () => {
            await withFolder(async (folder) => {
                const path = join(folder, "key.txt");
                await writeFile(path, "\uFEFFadmin_one\r\nadmin_two\r\n", { encoding, mode: 0o600 });
                assert.deepEqual(readSecretLines(path, "key file", ""), ["admin_one", "admin_two"]);
                assert.throws(() => readSecretFile(path, "key file", ""), /must contain one secret/);
            });
        });
    }
});
