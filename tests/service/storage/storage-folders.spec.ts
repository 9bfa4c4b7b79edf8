import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { createOwnFolders, createSharedFolders, WorkFolders } from "../../../service/src/storage/storage-folders.js";
import { pruneCaches } from "../../../service/src/storage/prune-caches.js";
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
            await new WorkFolders(folders, 3600 * 1000).removeUnheld();
            assert.deepEqual(await readdir(folders.work), ["se_2-running"]);
        });
    });

    it("stay while their jobs run, also if these wait for space for a long time", async () => {
        await withFolder(async (folder) => {
            const folders = createSharedFolders(folder);
            const work = new WorkFolders(folders, 3600 * 1000);
            await work.withWorkFolder("se_1", async (used) => {
                for (const name of await readdir(folders.work)) {
                    await utimes(join(folders.work, name), 0, 0);
                }
                await work.removeUnheld();
                assert.deepEqual((await readdir(folders.work))[0], basename(used));
            });
        });
    });

    it("are removed at once by a service that shares them with no other process", async () => {
        await withFolder(async (folder) => {
            const folders = createOwnFolders(folder, []);
            await mkdir(join(folders.work, "se_1-killed"));
            await new WorkFolders(folders, 0).removeUnheld();
            assert.deepEqual(await readdir(folders.work), []);
        });
    });
});

describe("The cache of a site", () => {
    it("survives a restart, except for the unfinished files of a killed process", async () => {
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

    it("is removed at a restart if the site no longer exists", async () => {
        await withFolder(async (folder) => {
            await mkdir(join(folder, "cache", "old.example.com"), { recursive: true });
            createOwnFolders(folder, ["docs.example.com"]);
            assert.deepEqual(await readdir(join(folder, "cache")), []);
        });
    });
});

describe("The caches of many sites", () => {
    const day = 86_400_000;
    const now = Date.parse("2026-11-23T12:00:00Z");
    const limits = { maxBytes: 250 * 1024, unusedMs: 90 * day, inUseMs: day };

    /** Prunes caches of 100 kB that were last used this many days ago. @returns the remaining caches */
    async function prune(daysAgo: Record<string, number>): Promise<string[]> {
        let left: string[] = [];
        await withFolder(async (folder) => {
            const { cache } = createSharedFolders(folder);
            for (const [domain, days] of Object.entries(daysAgo)) {
                await mkdir(join(cache, domain));
                await writeFile(join(cache, domain, "pages"), Buffer.alloc(100 * 1024));
                await utimes(join(cache, domain), (now - days * day) / 1000, (now - days * day) / 1000);
            }
            await pruneCaches(cache, limits, now);
            left = (await readdir(cache)).sort();
        });
        return left;
    }

    it("are removed after a long time without use", async () => {
        assert.deepEqual(await prune({ "a.example.com": 89, "b.example.com": 91 }), ["a.example.com"]);
    });

    it("are removed beyond their total limit, least recently used first", async () => {
        assert.deepEqual(await prune({ "a.example.com": 3, "b.example.com": 5, "c.example.com": 4 }), [
            "a.example.com",
            "c.example.com",
        ]);
    });

    it("are kept while a job may use them, even beyond the limit", async () => {
        const used = { "a.example.com": 0.1, "b.example.com": 0.2, "c.example.com": 0.3 };
        assert.deepEqual(await prune(used), Object.keys(used));
    });
});
