import assert from "node:assert/strict";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { GoneSites } from "../../../service/src/exports/gone-sites.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { type Site } from "../../../service/src/exports/site.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { withSqlite } from "../support/sqlite.js";

const [gone, kept] = ["gone.example.com", "docs.example.com"];
const preview = { of: gone, branch: "next" };
const bundle = { pageCount: 1, sizeBytes: 1, sha256: "a".repeat(64) };

interface Given {
    database: ServiceDatabase;
    clock: { now: number };
    store: SiteJobStore;
    attempts: SiteJobAttempts;
    goneSites: GoneSites;
    /** The sites that the service has now. */
    sites: Map<string, Site>;
    /** The sites whose page caches were removed. */
    forgotten: string[];
    /** Exports a domain. @returns the job's id */
    exported: (domain: string, of?: typeof preview) => Promise<string>;
    /** The jobs that are left. */
    left: () => Promise<string[]>;
    /** Removes what was not used since a time. */
    removeUnused: (unusedBefore: number, linkedSince?: number) => Promise<number>;
}

async function withGoneSites(use: (given: Given) => Promise<void>): Promise<void> {
    await withSqlite(async (database) => {
        const clock = { now: 1000 };
        const read = (): number => clock.now;
        const [store, attempts] = [new SiteJobStore(database, read), new SiteJobAttempts(database, read)];
        const [sites, forgotten] = [new Map([[kept, {} as Site]]), [] as string[]];
        const caches = { forget: (domain: string) => Promise.resolve(void forgotten.push(domain)) };
        const goneSites = new GoneSites({ database, store, sites, caches, clock: read });
        await use({
            ...{ database, clock, store, attempts, goneSites, sites, forgotten },
            exported: async (domain, of) => {
                const { jobId } = await store.create({ domain, ...(of && { preview: of }) });
                await attempts.complete((await attempts.claim())!, bundle);
                return jobId;
            },
            left: async () => {
                const sql = "SELECT job_id FROM static_export_jobs ORDER BY sequence";
                return (await database.all<{ job_id: string }>(sql)).map((row) => row.job_id);
            },
            removeUnused: (unusedBefore, linkedSince = Number.MAX_SAFE_INTEGER) =>
                goneSites.removeUnused({ unusedBefore, linkedSince }, () => Promise.resolve()),
        });
    });
}

describe("A site that is removed on request", () => {
    it("loses its jobs, those of its previews and its page cache, and no other site does", async () => {
        await withGoneSites(async ({ goneSites, exported, left, forgotten }) => {
            const other = await exported(kept);
            await exported(gone);
            await exported("next.gone.example.com", preview);
            assert.deepEqual(await goneSites.purge(gone), { removed: 2, running: [] });
            assert.deepEqual([await left(), forgotten], [[other], [gone]]);
        });
    });

    it("cancels its exports, and names those that still run", async () => {
        await withGoneSites(async ({ store, attempts, goneSites, left }) => {
            const { jobId: running } = await store.create({ domain: gone });
            await attempts.claim();
            await store.create({ domain: gone });
            assert.deepEqual(await goneSites.purge(gone), { removed: 1, running: [running] });
            assert.deepEqual(await left(), [running]);
            const job = await store.get(running);
            assert.deepEqual([job?.status, job?.isCancelled], ["running", true]);
        });
    });

    it("does not name an export that ends meanwhile", async () => {
        await withGoneSites(async ({ database, store, attempts, clock }) => {
            await store.create({ domain: gone });
            const run = (await attempts.claim())!;
            const cancel = async (jobId: string, reason: string) => {
                await attempts.complete(run, bundle);
                return store.cancel(jobId, reason);
            };
            const goneSites = new GoneSites({
                ...{ database, sites: new Map(), caches: undefined, clock: () => clock.now },
                store: { cancel, domains: () => store.domains() },
            });
            assert.deepEqual(await goneSites.purge(gone), { removed: 1, running: [] });
        });
    });
});

describe("A site that rounds of the retention miss", () => {
    it("loses its jobs and page cache once it was missed for longer than jobs are kept, not others", async () => {
        await withGoneSites(async ({ clock, exported, left, forgotten, removeUnused }) => {
            const [other, newest] = [await exported(kept), await exported(gone)];
            clock.now = 5000;
            assert.equal(await removeUnused(4000), 0);
            clock.now = 9000;
            assert.equal(await removeUnused(5000), 0);
            assert.deepEqual([await left(), forgotten], [[other, newest], []]);
            assert.equal(await removeUnused(5001), 1);
            assert.deepEqual([await left(), forgotten], [[other], [gone]]);
        });
    });

    it("keeps jobs that were used since then, and its page cache with them", async () => {
        await withGoneSites(async ({ clock, exported, store, left, forgotten, removeUnused }) => {
            const used = await exported(gone);
            await removeUnused(0);
            clock.now = 6000;
            await store.markLinked(used);
            clock.now = 9000;
            assert.equal(await removeUnused(6000), 0);
            assert.equal(await removeUnused(7000, 5999), 0);
            assert.deepEqual([await left(), forgotten], [[used], []]);
            assert.equal(await removeUnused(7000, 6000), 1);
        });
    });

    it("counts from the beginning if it comes back meanwhile", async () => {
        await withGoneSites(async ({ clock, sites, exported, left, removeUnused }) => {
            const job = await exported(gone);
            await removeUnused(0);
            clock.now = 2000;
            sites.set(gone, {} as Site);
            await removeUnused(0);
            sites.delete(gone);
            clock.now = 5000;
            assert.equal(await removeUnused(4000), 0);
            assert.deepEqual(await left(), [job]);
            assert.equal(await removeUnused(5001), 1);
        });
    });

    it("counts from now if it was missed at a time in the future, from a clock that has been set back", async () => {
        await withGoneSites(async ({ database, clock, exported, removeUnused }) => {
            await exported(gone);
            clock.now = 90_000;
            await removeUnused(0);
            clock.now = 2000;
            assert.equal(await removeUnused(1500), 0);
            const known = await database.all<{ gone_since: number }>("SELECT gone_since FROM gone_sites");
            assert.deepEqual(
                known.map((row) => row.gone_since),
                [2000],
            );
            clock.now = 4000;
            assert.equal(await removeUnused(2001), 1);
        });
    });
});
