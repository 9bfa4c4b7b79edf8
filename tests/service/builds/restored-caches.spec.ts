import assert from "node:assert/strict";
import { mkdir, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BuildCaches } from "../../../service/src/builds/build-caches.js";
import { withFolder } from "../../sdk/support/files.js";

describe("The caches of a builder", () => {
    it("are not kept if they cannot be stored, which the log says, and the build does not fail because of it", async () => {
        await withFolder(async (created) => {
            const folder = await realpath(created);
            const [root, home, caches] = ["site", "home", "caches"].map((name) => join(folder, name)) as [
                string,
                string,
                string,
            ];
            await mkdir(root);
            await mkdir(join(home, ".cache"), { recursive: true });
            await writeFile(join(home, ".cache", "package"), "");
            await writeFile(caches, "A file where the folder of all caches should be.");
            const places = { root, base: root, home, cache: join(folder, "cache") };
            const lines: string[] = [];
            const build = { output: join(root, "out"), cacheMegabytes: 1, onLine: (line: string) => lines.push(line) };
            assert.equal(await new BuildCaches(caches).keep("site", places, build), false);
            assert.match(lines.join(), /^The build's cache was not saved: it cannot be stored \(EEXIST\)\.$/);
        });
    });

    it("are not restored through a link by which the installation replaced the folder of the command", async () => {
        await withFolder(async (created) => {
            const folder = await realpath(created);
            const [root, base, cache, elsewhere] = ["site", "site/docs", "cache", "elsewhere"].map((name) =>
                join(folder, name),
            ) as [string, string, string, string];
            await mkdir(base, { recursive: true });
            await mkdir(join(cache, "_build+doctrees"), { recursive: true });
            await mkdir(elsewhere);
            await rm(base, { recursive: true });
            await symlink(elsewhere, base);
            await new BuildCaches(join(folder, "caches")).restoreFolders({
                root,
                base,
                home: join(folder, "home"),
                cache,
            });
            assert.deepEqual(await readdir(elsewhere), []);
        });
    });
});
