import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { bin, run, withFolder, withServe } from "./support/command.js";

describe("static-export serve with a data folder", function () {
    this.timeout(60_000);

    it("refuses a data folder inside a site, before writing anything there", async () => {
        await withFolder(async (folder) => {
            const { exitCode, stderr } = await run(folder, [
                "serve",
                "--site",
                "docs.example.com=docs",
                "--data-dir",
                "docs/data",
            ]);
            assert.equal(exitCode, 2);
            assert.match(stderr, /^error: Data folder .* is inside the folder of site docs\.example\.com/);
            assert.deepEqual(await readdir(join(folder, "docs")), ["index.md"]);
        });
    });

    for (const file of ["docs/key", "linked/key"]) {
        it(`refuses an admin key file inside a site, which would publish the key: ${file}`, async () => {
            await withFolder(async (folder) => {
                await symlink("docs", join(folder, "linked"));
                await writeFile(join(folder, "docs", "key"), "admin_0123456789abcdef\n", { mode: 0o600 });
                const args = ["serve", "--site", "docs.example.com=docs", "--port", "0", "--admin-key-file", file];
                const { exitCode, stderr } = await run(folder, args);
                assert.equal(exitCode, 2);
                assert.match(
                    stderr,
                    /^error: Admin key file .* is inside the folder of site docs\.example\.com and would be/,
                );
                assert.deepEqual((await readdir(folder)).sort(), ["docs", "linked"]);
            });
        });
    }

    it("immediately refuses a data folder that cannot be created", async () => {
        await withFolder(async (folder) => {
            const { exitCode, stderr } = await run(folder, [
                "serve",
                "--site",
                "docs.example.com=docs",
                "--data-dir",
                "docs/index.md/.data",
            ]);
            assert.equal(exitCode, 2);
            assert.match(stderr, /^error: Data folder .* cannot be written \(ENOTDIR\): choose another one/);
        });
    });

    it("keeps an existing .gitignore", async () => {
        await withFolder(async (folder) => {
            const file = join(folder, ".static-export", ".gitignore");
            await mkdir(join(folder, ".static-export"));
            await writeFile(file, "mine\n");
            await withServe(folder, [], async () => {
                assert.equal(await readFile(file, "utf8"), "mine\n");
            });
        });
    });
});

describe("static-export --help, if its output is closed early,", function () {
    this.timeout(60_000);

    it("ends without a stack trace", async () => {
        const pipe = `"${process.execPath}" "${bin}" serve --help | head -n 1`;
        const { stdout, stderr } = await promisify(execFile)("bash", ["-c", pipe]);
        assert.equal(stdout, "Usage: static-export serve [options]\n");
        assert.equal(stderr, "");
    });
});
