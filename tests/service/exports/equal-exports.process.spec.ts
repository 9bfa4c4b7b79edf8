import assert from "node:assert/strict";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { LiveProgress } from "../../../service/src/exports/live-progress.js";
import { type SiteJob } from "../../../service/src/exports/site-job.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { describeOnBoth } from "../database/databases.js";
import { domain } from "../support/running-service.js";

const sha256 = "a".repeat(64);
const bundle = { pageCount: 3, sizeBytes: 7, sha256 };

describeOnBoth("Exports that wait for the same domain, version and paths", (withDatabase) => {
    interface Fixture {
        store: SiteJobStore;
        attempts: SiteJobAttempts;
        claim: () => Promise<SiteJob>;
        database: ServiceDatabase;
    }

    const withStore = (use: (fixture: Fixture) => Promise<void>): Promise<void> =>
        withDatabase(async (database) => {
            const clock = (): number => Date.parse("2026-11-01T10:00:00Z");
            const live = new LiveProgress(clock);
            const attempts = new SiteJobAttempts(database, clock, live);
            const claim = async (): Promise<SiteJob> => {
                const job = await attempts.claim();
                assert.ok(job);
                return job;
            };
            const store = new SiteJobStore(database, clock, live);
            await use({ store, attempts, claim, database });
        });

    it("share one run, and all receive its bundle and commit", async () => {
        await withStore(async ({ store, attempts, claim }) => {
            const old = await store.create({ domain, queuedBy: "ak_1", version: "1", paths: ["guides"] });
            const newer = await store.create({ domain, queuedBy: "ak_2", version: "1", paths: ["guides"] });
            const run = await claim();
            assert.equal(await attempts.claim(), undefined);
            attempts.reportProgress(run, { progress: 40, pageCount: 2 });
            const seen = await store.get(newer.jobId);
            assert.deepEqual([seen?.status, seen?.progress, seen?.pageCount], ["running", 40, 2]);
            await attempts.recordSource(run, "4f2a");
            assert.equal(await attempts.complete(run, bundle), true);
            for (const { jobId } of [old, newer]) {
                const job = await store.get(jobId);
                assert.deepEqual([job?.status, job?.sha256, job?.sourceRef], ["completed", sha256, "4f2a"]);
            }
            assert.deepEqual(await attempts.answered(run), [newer.jobId]);
            assert.equal(await attempts.claim(), undefined);
        });
    });

    it("all fail with the error of the run", async () => {
        await withStore(async ({ store, attempts, claim }) => {
            await store.create({ domain });
            const newer = await store.create({ domain });
            assert.equal(await attempts.fail(await claim(), "index.md: not closed"), true);
            const job = await store.get(newer.jobId);
            assert.deepEqual([job?.status, job?.error], ["failed", "index.md: not closed"]);
        });
    });

    it("run separately if their requests differ, if they are updates, or if they started after the run", async () => {
        await withStore(async ({ store, attempts, claim }) => {
            await store.create({ domain, version: "1" });
            const others = [
                await store.create({ domain, version: "2" }),
                await store.create({ domain }),
                await store.create({ domain, version: "1", paths: ["guides"] }),
                await store.create({ domain, version: "1", preview: { of: "docs.example.com", branch: "next" } }),
                await store.createUpdate({ domain, projectId: "p", startedBy: "api", isDone: false }),
            ];
            const run = await claim();
            others.push(await store.create({ domain, version: "1" }));
            await attempts.complete(run, bundle);
            for (const { jobId } of others) {
                const next = await claim();
                assert.equal(next.jobId, jobId);
                await attempts.complete(next, bundle);
            }
        });
    });

    it("are not completed by a running update, nor by a run that an earlier choice of the commit binds", async () => {
        await withStore(async ({ store, attempts, claim }) => {
            const update = await store.createUpdate({ domain, projectId: "p", startedBy: "api", isDone: false });
            const waiting = await store.create({ domain });
            assert.equal((await claim()).jobId, update.jobId);
            assert.equal((await store.get(waiting.jobId))?.status, "queued");
            await store.cancel(update.jobId, "cancelled");
            await attempts.takeAll();
            const first = await claim();
            assert.equal(first.jobId, waiting.jobId);
            await attempts.recordSource(first, "4f2a");
            await attempts.putBack(first);
            const later = await store.create({ domain });
            await attempts.complete(await claim(), bundle);
            assert.equal((await store.get(later.jobId))?.status, "queued");
            assert.equal((await claim()).jobId, later.jobId);
        });
    });

    it("return to the queue if only the running job is cancelled", async () => {
        await withStore(async ({ store, attempts, claim }) => {
            const old = await store.create({ domain });
            const newer = await store.create({ domain });
            const run = await claim();
            await store.cancel(old.jobId, "cancelled");
            await attempts.putBack(run);
            assert.equal((await store.get(newer.jobId))?.status, "queued");
            assert.equal((await claim()).jobId, newer.jobId);
        });
    });

    it("stay cancelled if they were cancelled individually", async () => {
        await withStore(async ({ store, attempts, claim }) => {
            await store.create({ domain });
            const newer = await store.create({ domain });
            const run = await claim();
            await store.cancel(newer.jobId, "cancelled");
            await attempts.complete(run, bundle);
            const job = await store.get(newer.jobId);
            assert.deepEqual([job?.status, job?.error, job?.sha256], ["failed", "cancelled", null]);
        });
    });

    it("run again if a worker of the previous release ends the run that they share", async () => {
        await withStore(async ({ store, claim, database }) => {
            await store.create({ domain });
            const newer = await store.create({ domain });
            const { jobId } = await claim();
            await database.run("UPDATE static_export_jobs SET status = 'completed' WHERE job_id = :jobId", { jobId });
            assert.equal((await claim()).jobId, newer.jobId);
        });
    });

    it("are not completed by the repair of a damaged bundle", async () => {
        await withStore(async ({ store, attempts, claim }) => {
            await store.create({ domain });
            const answered = await store.create({ domain });
            await attempts.complete(await claim(), bundle);
            await store.rebuild(answered.jobId);
            const later = await store.create({ domain });
            const repair = await claim();
            assert.equal(repair.jobId, answered.jobId);
            await attempts.complete(repair, bundle);
            assert.equal((await claim()).jobId, later.jobId);
        });
    });
});
