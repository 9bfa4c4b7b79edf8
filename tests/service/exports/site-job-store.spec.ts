import assert from "node:assert/strict";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { type SiteJob } from "../../../service/src/exports/site-job.js";
import { removalBatch, SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { withSqlite } from "../support/sqlite.js";

const [domain, other] = ["docs.example.com", "other.example.com"];
const update = { domain, projectId: "docs", startedBy: "api", isDone: false };
const [one, two, three] = ["a", "b", "c"].map((digit) => digit.repeat(64)) as [string, string, string];

interface Given {
    database: ServiceDatabase;
    store: SiteJobStore;
    attempts: SiteJobAttempts;
    clock: { now: number };
    /** Completes the job that is next. */
    complete: (sha256?: string | null) => Promise<SiteJob>;
    /** Exports a domain. */
    exported: (domain: string, sha256?: string) => Promise<string>;
}

async function withStore(use: (given: Given) => Promise<void>): Promise<void> {
    await withSqlite(async (database) => {
        const clock = { now: 1000 };
        const read = (): number => clock.now;
        const [store, attempts] = [new SiteJobStore(database, read), new SiteJobAttempts(database, read)];
        const complete: Given["complete"] = async (sha256 = one) => {
            const job = (await attempts.claim())!;
            await attempts.complete(job, { pageCount: 1, sizeBytes: 1, sha256 });
            return job;
        };
        const exported: Given["exported"] = async (name, sha256) => {
            const { jobId } = await store.create({ domain: name });
            await complete(sha256);
            return jobId;
        };
        await use({ database, store, attempts, clock, complete, exported });
    });
}

describe("A new job", () => {
    it("is queued, with what its client asked for", async () => {
        await withStore(async ({ store }) => {
            const plain = await store.create({ domain });
            assert.match(plain.jobId, /^se_[0-9a-f]{24}$/);
            assert.deepEqual(
                [plain.kind, plain.status, plain.version, plain.paths, plain.queuedBy, plain.preview, plain.branch],
                ["export", "queued", null, null, null, null, null],
            );
            assert.deepEqual(
                [plain.createdAt, plain.updatedAt, plain.traceParent],
                [new Date(1000), new Date(1000), null],
            );
            const preview = { of: domain, branch: "next" };
            const { jobId } = await store.create({
                ...{ domain: other, version: "2", paths: ["guides"], queuedBy: "ak_1", preview, traceParent: "00-1" },
            });
            const job = await store.get(jobId);
            assert.deepEqual(
                [job?.version, job?.paths, job?.queuedBy, job?.preview, job?.traceParent],
                ["2", ["guides"], "ak_1", preview, "00-1"],
            );
        });
    });

    it("is completed at once if it is an update for which there is nothing to fetch", async () => {
        await withStore(async ({ store }) => {
            const waiting = await store.createUpdate(update);
            assert.match(waiting.jobId, /^du_[0-9a-f]{24}$/);
            assert.deepEqual(
                [waiting.kind, waiting.status, waiting.projectId, waiting.startedBy],
                ["update", "queued", "docs", "api"],
            );
            assert.equal((await store.createUpdate({ ...update, isDone: true })).status, "completed");
        });
    });
});

describe("A waiting update", () => {
    it("is found by its domain, the oldest first, until it has fetched its commit", async () => {
        await withStore(async ({ database, store, attempts }) => {
            await store.create({ domain });
            assert.equal(await store.findQueuedUpdate(domain, database), undefined);
            const [first, second] = [await store.createUpdate(update), await store.createUpdate(update)];
            assert.equal(await store.findQueuedUpdate(domain, database), first.jobId);
            assert.equal(await store.findQueuedUpdate(other, database), undefined);
            await store.cancel((await attempts.claim())!.jobId, "Not needed.");
            await attempts.takeAll();
            const run = (await attempts.claim())!;
            assert.equal(run.jobId, first.jobId);
            assert.equal(await store.findQueuedUpdate(domain, database), second.jobId);
            await attempts.recordSource(run, "c1");
            await attempts.putBack(run);
            assert.equal(await store.findQueuedUpdate(domain, database), second.jobId);
        });
    });
});

describe("The previewed branch of a domain", () => {
    it("is that of its newest update that has succeeded", async () => {
        await withStore(async ({ store, complete, attempts }) => {
            assert.equal(await store.findPreview(other), undefined);
            const previewed = (branch: string) =>
                store.createUpdate({ ...update, domain: other, preview: { of: domain, branch } });
            await previewed("next");
            assert.equal(await store.findPreview(other), undefined);
            await complete(null);
            await previewed("later");
            await complete(null);
            await previewed("broken");
            await attempts.fail((await attempts.claim())!, "No pages.");
            assert.deepEqual(await store.findPreview(other), { of: domain, branch: "later" });
            assert.equal(await store.findPreview(domain), undefined);
        });
    });
});

describe("The jobs of a service", () => {
    it("are listed by their domain, the newest first, without updates", async () => {
        await withStore(async ({ store }) => {
            const jobs = [
                await store.create({ domain }),
                await store.create({ domain }),
                await store.create({ domain }),
            ];
            await store.createUpdate(update);
            await store.create({ domain: other });
            const listed = (await store.list(domain, 2)).map(({ jobId }) => jobId);
            assert.deepEqual(listed, [jobs[2]!.jobId, jobs[1]!.jobId]);
            assert.deepEqual(await store.list("unknown.example.com", 2), []);
        });
    });

    it("have domains, without those of previews", async () => {
        await withStore(async ({ store }) => {
            assert.deepEqual(await store.domains(), []);
            await store.create({ domain: other });
            await store.create({ domain });
            await store.create({ domain });
            await store.create({ domain: "next.example.com", preview: { of: domain, branch: "next" } });
            assert.deepEqual((await store.domains()).sort(), [domain, other]);
        });
    });

    it("are counted as waiting and running, with the time since which the oldest one waits", async () => {
        await withStore(async ({ store, attempts, clock }) => {
            assert.deepEqual(await store.queue(), { queued: 0, running: 0, oldestQueuedAt: undefined });
            assert.deepEqual(await store.countQueued(domain), { total: 0, ofDomain: 0 });
            assert.equal(await store.count(), 0);
            await store.create({ domain });
            await attempts.claim();
            clock.now = 2000;
            await store.create({ domain });
            clock.now = 3000;
            await store.create({ domain: other });
            await store.create({ domain: other });
            assert.deepEqual(await store.queue(), { queued: 3, running: 1, oldestQueuedAt: new Date(2000) });
            assert.deepEqual(await store.countQueued(domain), { total: 3, ofDomain: 1 });
            assert.deepEqual(await store.countQueued(other), { total: 3, ofDomain: 2 });
            assert.equal(await store.count(), 4);
        });
    });
});

describe("An archive", () => {
    it("is removed only if no job has it", async () => {
        await withStore(async ({ store, exported }) => {
            await exported(domain, one);
            const removed: (readonly string[])[] = [];
            const remove = (unused: readonly string[]) => Promise.resolve(void removed.push(unused));
            assert.equal(await store.whileUnused([one, two, three], remove), 2);
            assert.equal(await store.whileUnused([one], remove), 0);
            assert.equal(await store.whileUnused([], remove), 0);
            assert.deepEqual(removed, [[two, three]]);
        });
    });

    it("can be stored again after it was removed", async () => {
        await withStore(async ({ store, attempts }) => {
            await store.create({ domain });
            const run = (await attempts.claim())!;
            await store.whileUnused([one], async () => {
                await assert.rejects(attempts.announce(run, one), /is being removed/);
            });
            assert.equal(await attempts.announce(run, one), true);
        });
    });
});

describe("A job that is cancelled", () => {
    it("fails at once while it waits, and when its run stops otherwise", async () => {
        await withStore(async ({ store, attempts }) => {
            const { jobId } = await store.create({ domain });
            const cancelled = await store.cancel(jobId, "Not needed.");
            assert.deepEqual(
                [cancelled?.status, cancelled?.error, cancelled?.wasCancelledBefore],
                ["failed", "Not needed.", false],
            );
            const again = await store.cancel(jobId, "Cancelled twice.");
            assert.deepEqual([again?.error, again?.wasCancelledBefore], ["Not needed.", true]);
            const running = await store.create({ domain });
            await attempts.claim();
            const stopping = await store.cancel(running.jobId, "Not needed.");
            assert.deepEqual([stopping?.status, stopping?.isCancelled, stopping?.error], ["running", true, null]);
            assert.equal((await store.cancel(running.jobId, "Again."))?.wasCancelledBefore, true);
        });
    });

    it("does not change if it has ended before", async () => {
        await withStore(async ({ store, exported }) => {
            const jobId = await exported(domain);
            assert.equal(await store.cancel(jobId, "Not needed."), undefined);
            assert.equal((await store.get(jobId))?.status, "completed");
            assert.equal(await store.cancel("se_unknown", "Not needed."), undefined);
        });
    });
});

describe("The retention of jobs", () => {
    const nothing = () => Promise.resolve();
    const always = Number.MAX_SAFE_INTEGER;

    it("removes old jobs, and those beyond the newest of their domain, but not the newest completed one", async () => {
        await withStore(async ({ database, store, clock, exported }) => {
            const jobs = [await exported(domain), await exported(domain), await exported(domain)];
            const ofOther = await exported(other);
            const left = async () => {
                const sql = "SELECT job_id FROM static_export_jobs ORDER BY sequence";
                return (await database.all<{ job_id: string }>(sql)).map((row) => row.job_id);
            };
            const limits = { keepJobs: 2, unusedBefore: 1000, linkedSince: always };
            assert.equal(await store.removeUnused({ ...limits, keepJobs: 3 }, nothing), 0);
            assert.equal(await store.removeUnused(limits, nothing), 1);
            assert.deepEqual(await left(), [jobs[1], jobs[2], ofOther]);
            clock.now = 2000;
            await store.markLinked(jobs[1]!);
            assert.equal(await store.removeUnused({ ...limits, unusedBefore: 2000 }, nothing), 0);
            assert.equal(await store.removeUnused({ ...limits, unusedBefore: 2001, linkedSince: 1999 }, nothing), 0);
            assert.equal(await store.removeUnused({ ...limits, unusedBefore: 2001 }, nothing), 1);
            assert.deepEqual(await left(), [jobs[2], ofOther]);
        });
    });

    it("removes failed jobs, and no job that waits or runs", async () => {
        await withStore(async ({ store, attempts }) => {
            await store.create({ domain });
            await attempts.fail((await attempts.claim())!, "No pages.");
            await store.create({ domain });
            await attempts.claim();
            await store.create({ domain });
            const limits = { keepJobs: 0, unusedBefore: always, linkedSince: always };
            assert.equal(await store.removeUnused(limits, nothing), 1);
            assert.equal(await store.count(), 2);
        });
    });

    it("removes many jobs in batches, between which others use the database", async () => {
        await withStore(async ({ database, store, exported }) => {
            await exported(domain);
            const columns = "kind, domain, status, created_at, updated_at";
            await database.run(
                `WITH RECURSIVE number (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number WHERE value < :count)
                 INSERT INTO static_export_jobs (job_id, ${columns})
                 SELECT 'se_' || value, ${columns} FROM number, (SELECT ${columns} FROM static_export_jobs)`,
                { count: 2 * removalBatch + 1 },
            );
            let batches = 0;
            const limits = { keepJobs: 1, unusedBefore: 0, linkedSince: always };
            const removed = await store.removeUnused(limits, () => Promise.resolve(void (batches += 1)));
            assert.deepEqual([removed, batches, await store.count()], [2 * removalBatch + 1, 3, 1]);
        });
    });
});
