import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createOwnFolders, createSharedFolders, removeOldWork } from "../../../service/src/storage/storage-folders.js";
import { withFolder } from "../../sdk/support/files.js";

describe("The work folders of workers", () => {
    it("are removed only when no job can use them any more", async () => {
        await withFolder(async (folder) => {
            const folders = createSharedFolders(folder);
            for (const [name, ageSeconds] of [
                ["se_1-killed", 7200],
                ["se_2-running", 1800],
            ] as const) {
                await mkdir(join(folders.work, name));
                await writeFile(join(folders.work, name, "page.html"), "");
                const changed = Date.now() / 1000 - ageSeconds;
                await utimes(join(folders.work, name), changed, changed);
            }
            removeOldWork(folders, 3600 * 1000);
            assert.deepEqual(await readdir(folders.work), ["se_2-running"]);
        });
    });
});

describe("The cache of a site", () => {
    it("survives a restart, without a killed process's unfinished files", async () => {
        await withFolder(async (folder) => {
            const cache = join(folder, "cache", "docs.example.com");
            const names = ["archive", "archive.jsonl", "pages", "pages.json", "sources.json"];
            await mkdir(cache, { recursive: true });
            for (const name of [...names, `pages.${randomUUID()}`, `sources.json.${randomUUID()}`]) {
                await writeFile(join(cache, name), "");
            }
            createOwnFolders(folder, ["docs.example.com"]);
            assert.deepEqual((await readdir(cache)).sort(), names);
        });
    });

    it("is removed at a restart without the site", async () => {
        await withFolder(async (folder) => {
            await mkdir(join(folder, "cache", "old.example.com"), { recursive: true });
            createOwnFolders(folder, ["docs.example.com"]);
            assert.deepEqual(await readdir(join(folder, "cache")), []);
        });
    });
});
