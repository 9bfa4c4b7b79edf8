import assert from "node:assert/strict";
import { access, mkdir, open, readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { removeUnheldFolders } from "../../../service/src/processes/held-folders.js";
import { removeLeftovers } from "../../../service/src/processes/remove-leftovers.js";
import { type RunDisk, RunDisks } from "../../../service/src/processes/run-disk.js";
import { withFolder } from "../../sdk/support/files.js";

const megabyte = Buffer.alloc(2 ** 20, 1);
const limits = { bytes: 8 * 2 ** 20, files: 100 };

describe("The file system of a run, made by root", () => {
    let disk: RunDisk;

    /** Calls `use` with the folder that contains the run's. */
    async function withDisk(use: (place: string) => Promise<void>): Promise<void> {
        await withFolder(async (dataDir) => {
            const place = join(dataDir, "builds");
            await mkdir(place);
            const taken = await new RunDisks(dataDir).take(join(place, "se_1-a1"), "se_1-a1", limits);
            assert.ok(taken);
            disk = taken;
            try {
                await use(place);
            } finally {
                await removeLeftovers(taken.folder);
            }
            assert.ok(!(await readFile("/proc/mounts", "utf8")).includes(place), "it is unmounted");
        });
    }

    before(async function () {
        const isUsable = await withDisk(() => Promise.resolve()).catch((error: unknown) => String(error));
        if (isUsable !== undefined) {
            console.log(`      skipped: this process may not mount file systems: ${isUsable}`);
            this.skip();
        }
    });

    it("counts files that have no name", async () => {
        await withDisk(async () => {
            const file = await open(join(disk.folder, "a"), "w");
            await unlink(join(disk.folder, "a"));
            assert.equal(await disk.findExcess(), undefined);
            for (let written = 0; written < 10; written += 1) {
                await file.write(megabyte);
            }
            await file.sync();
            assert.equal(await disk.findExcess(), `used more than ${limits.bytes / 2 ** 20} MB of disk`);
            await file.close();
        });
    });

    it("counts empty files", async () => {
        await withDisk(async () => {
            for (let file = 0; file <= limits.files; file += 1) {
                await (await open(join(disk.folder, String(file)), "w")).close();
            }
            assert.equal(await disk.findExcess(), "created more than 100 files");
        });
    });

    it("leaves no image behind, and is removed by another process if its own was killed", async () => {
        await withDisk(async (place) => {
            assert.deepEqual(await readdir(place), ["se_1-a1"]);
            // No process holds the folder.
            assert.deepEqual(await removeUnheldFolders(place, 0), []);
            await assert.rejects(access(disk.folder));
        });
    });
});
