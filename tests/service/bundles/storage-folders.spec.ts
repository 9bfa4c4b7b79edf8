import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createOwnFolders } from "../../../service/src/bundles/storage-folders.js";
import { withFolder } from "../../sdk/support/files.js";

describe("The cache of a site", () => {
    it("outlives a restart, without what a killed process left unfinished", async () => {
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
