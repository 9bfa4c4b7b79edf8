import assert from "node:assert/strict";
import { mkdir, readdir, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import { type BuildLimits, readSiteBuild } from "../../../service/src/builds/site-build.js";
import { BuildFolders } from "../../../service/src/builds/build-folders.js";
import { lockFile } from "../../../service/src/database/open-sqlite.js";
import { holdFolder, removeUnheldFolders } from "../../../service/src/processes/held-folders.js";
import { silentLogger } from "../../../service/src/shared/logger.js";
import { withFolder } from "../../sdk/support/files.js";
import { hold } from "./support/left-run.js";

/** Without the part of a lock's name that names the machine. */
async function namesIn(place: string): Promise<string[]> {
    return (await readdir(place)).map((name) => name.replace(/\.[0-9a-f]{8}\.lock$/, ".lock")).sort();
}

/** Lets every folder and lock look as if it had not changed for two days. */
async function age(place: string): Promise<void> {
    const changed = Date.now() / 1000 - 2 * 86_400;
    for (const name of await readdir(place)) {
        await utimes(join(place, name), changed, changed);
    }
}

const limits = readSiteBuild("docs.example.com", true)?.limits as BuildLimits;

describe("The folder of a run", () => {
    it("stays while its process lives, and is removed by any other process after a kill", async () => {
        await withFolder(async (place) => {
            const kill = await hold(join(place, "se_1-a1"));
            await removeUnheldFolders(place);
            assert.deepEqual(await namesIn(place), ["se_1-a1", "se_1-a1.lock"]);
            await kill();
            await removeUnheldFolders(place);
            assert.deepEqual(await readdir(place), []);
        });
    }).timeout(30_000);

    it("stays while another run of this process uses it", async () => {
        await withFolder(async (place) => {
            const release = holdFolder(join(place, "se_1-a1"));
            await mkdir(join(place, "se_1-a1"));
            await removeUnheldFolders(place);
            assert.deepEqual(await namesIn(place), ["se_1-a1", "se_1-a1.lock"]);
            await release();
            assert.deepEqual(await readdir(place), ["se_1-a1"]);
        });
    });

    it("of a build is removed when the next build begins, if its process was killed", async () => {
        await withFolder(async (dataDir) => {
            const place = join(dataDir, "builds");
            await mkdir(place);
            const kill = await hold(join(place, "se_1-a1"));
            await kill();
            const folders = new BuildFolders(dataDir, silentLogger);
            await folders.withFolder("se_2", limits, async (folder) => {
                assert.deepEqual(await namesIn(place), [basename(folder), `${basename(folder)}.lock`]);
            });
            assert.deepEqual(await readdir(place), []);
        });
    }).timeout(30_000);

    it("of a build stays while the build runs, however long ago it began", async () => {
        await withFolder(async (dataDir) => {
            const folders = new BuildFolders(dataDir, silentLogger);
            await folders.withFolder("se_1", limits, async (folder) => {
                await age(folders.place);
                await folders.withFolder("se_2", limits, () => Promise.resolve());
                assert.deepEqual(await namesIn(folders.place), [basename(folder), `${basename(folder)}.lock`]);
            });
        });
    });

    it("without a lock is removed only when it has not changed for a day", async () => {
        await withFolder(async (place) => {
            await mkdir(join(place, "se_1-old"));
            await age(place);
            await mkdir(join(place, "se_2-new"));
            await removeUnheldFolders(place);
            assert.deepEqual(await readdir(place), ["se_2-new"]);
        });
    });

    it("of another machine stays while its lock is held or it is young", async () => {
        await withFolder(async (place) => {
            const names = ["se_1-a1", "se_1-a1.lock"];
            await mkdir(join(place, "se_1-a1"));
            const release = lockFile(join(place, "se_1-a1.00000000.lock"));
            await age(place);
            await removeUnheldFolders(place);
            assert.deepEqual(await namesIn(place), names);
            release();
            await utimes(join(place, "se_1-a1"), new Date(), new Date());
            await removeUnheldFolders(place);
            assert.deepEqual(await namesIn(place), names);
            await age(place);
            await removeUnheldFolders(place);
            assert.deepEqual(await readdir(place), []);
        });
    });
});
