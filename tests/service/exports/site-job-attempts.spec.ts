import { type CountedWarnings } from "@pulumi-static-export/exporter";
import assert from "node:assert/strict";
import { DatabaseUnavailableError, type ServiceDatabase } from "../../../service/src/database/database.js";
import { LiveProgress } from "../../../service/src/exports/live-progress.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { type SiteJob } from "../../../service/src/exports/site-job.js";
import { JobHistory } from "../../../service/src/history/job-history.js";
import { JobLogs } from "../../../service/src/jobs/job-log.js";
import { withSqlite } from "../support/sqlite.js";

const domain = "docs.example.com";
const minute = 60_000;
const sha256 = "a".repeat(64);
const bundle = { pageCount: 3, sizeBytes: 10, sha256 };
const warnings: CountedWarnings = {
    count: 1,
    first: [{ kind: "broken-link", file: "index.md", reason: "The link is broken." }],
    countByKind: { link: 1 },
};

interface Given {
    database: ServiceDatabase;
    store: SiteJobStore;
    attempts: SiteJobAttempts;
    live: LiveProgress;
    logs: JobLogs;
    clock: { now: number };
    /** Starts an export, and claims it. */
    run: () => Promise<SiteJob>;
    logOf: (jobId: string) => Promise<string[]>;
}

async function withAttempts(use: (given: Given) => Promise<void>): Promise<void> {
    await withSqlite(async (database) => {
        const clock = { now: 1000 };
        const read = (): number => clock.now;
        const [live, logs] = [new LiveProgress(read), new JobLogs(read)];
        const attempts = new SiteJobAttempts(database, read, live, { logs });
        const store = new SiteJobStore(database, read, live);
        const run = async (): Promise<SiteJob> => {
            await store.create({ domain });
            return (await attempts.claim())!;
        };
        const logOf = async (jobId: string) =>
            (await new JobHistory(database, live, new JobLogs(read)).details(jobId))?.log.map(
                ({ message }) => message,
            ) ?? [];
        await use({ database, store, attempts, live, logs, clock, run, logOf });
    });
}

describe("A run of an export", () => {
    it("sets the time of the job's last change with every write", async () => {
        await withAttempts(async ({ store, attempts, clock, run }) => {
            const job = await run();
            clock.now = 2000;
            await attempts.tick(job);
            assert.deepEqual((await store.get(job.jobId))?.updatedAt, new Date(2000));
            clock.now = 3000;
            await attempts.recordSource(job, "c1");
            assert.deepEqual((await store.get(job.jobId))?.updatedAt, new Date(3000));
        });
    });

    it("stores the details of its commit, or none", async () => {
        await withAttempts(async ({ store, attempts, run }) => {
            const job = await run();
            const details = {
                author: "Ann",
                message: "Fix typos",
                files: { added: [], modified: ["a.md"], removed: [] },
            };
            await attempts.recordSource(job, "c1", details);
            assert.deepEqual((await store.get(job.jobId))?.commitDetails, details);
            await attempts.recordSource(job, "c2");
            const stored = await store.get(job.jobId);
            assert.deepEqual([stored?.sourceRef, stored?.commitDetails], ["c2", null]);
        });
    });

    it("does not announce an archive that is being removed, until the removal is considered dead", async () => {
        await withAttempts(async ({ attempts, store, clock, run }) => {
            const job = await run();
            clock.now = 10 * minute;
            await assert.rejects(
                store.whileUnused([sha256], () => Promise.reject(new Error("no"))),
                /no/,
            );
            clock.now = 14 * minute;
            await assert.rejects(attempts.announce(job, sha256), DatabaseUnavailableError);
            assert.equal(await attempts.announce(job, "b".repeat(64)), true);
            clock.now = 16 * minute;
            assert.equal(await attempts.announce(job, sha256), true);
            // The clock has been set back.
            clock.now = 4 * minute;
            assert.equal(await attempts.announce(job, sha256), true);
        });
    });

    it("keeps an announced archive from being removed", async () => {
        await withAttempts(async ({ attempts, store, run }) => {
            await attempts.announce(await run(), sha256);
            const removed: string[] = [];
            const remove = (unused: readonly string[]) => Promise.resolve(void removed.push(...unused));
            assert.equal(await store.whileUnused([sha256, "c"], remove), 1);
            assert.deepEqual(removed, ["c"]);
        });
    });

    it("stores its warnings with a bundle and with an error, and null without any", async () => {
        await withAttempts(async ({ store, attempts, run }) => {
            const ended = async (end: (job: SiteJob) => Promise<boolean>) => {
                const job = await run();
                assert.equal(await end(job), true);
                return (await store.get(job.jobId))?.warnings;
            };
            assert.deepEqual(await ended((job) => attempts.complete(job, { ...bundle, warnings })), warnings);
            assert.equal(await ended((job) => attempts.complete(job, bundle)), null);
            assert.deepEqual(await ended((job) => attempts.fail(job, "no", warnings)), warnings);
            assert.equal(await ended((job) => attempts.fail(job, "no")), null);
        });
    });

    it("fails once, also if it repeats the write because its answer was lost", async () => {
        await withAttempts(async ({ attempts, run }) => {
            const job = await run();
            assert.deepEqual([await attempts.fail(job, "no"), await attempts.fail(job, "no")], [true, true]);
            assert.equal(await attempts.complete(job, bundle), false);
        });
    });

    it("that fails shows the pages which it had exported", async () => {
        await withAttempts(async ({ store, attempts, run }) => {
            const job = await run();
            attempts.reportProgress(job, { progress: 40, pageCount: 12 });
            await attempts.fail(job, "no");
            assert.equal((await store.get(job.jobId))?.pageCount, 12);
            const other = await run();
            await attempts.fail(other, "no");
            assert.equal((await store.get(other.jobId))?.pageCount, 0);
        });
    });

    it("that has lost its job stores its last lines, until another run begins", async () => {
        await withAttempts(async ({ attempts, run, logOf }) => {
            const job = await run();
            await attempts.takeAll();
            await attempts.keepLog(job);
            assert.deepEqual(await logOf(job.jobId), []);
            attempts.note(job, "Lost.");
            await attempts.keepLog(job);
            attempts.forget(job);
            assert.deepEqual(await logOf(job.jobId), ["Lost."]);
            await attempts.claim();
            attempts.note(job, "Too late.");
            await attempts.keepLog(job);
            assert.deepEqual(await logOf(job.jobId), ["Lost."]);
        });
    });

    it("that skips its commit cancels its job, unless it has lost the job or a client has cancelled it", async () => {
        await withAttempts(async ({ store, attempts, run }) => {
            const job = await run();
            const equal = await store.create({ domain: "other.example.com" });
            assert.equal(await attempts.skip(job, "Skipped."), true);
            const skipped = await store.get(job.jobId);
            assert.deepEqual([skipped?.isCancelled, skipped?.commitDetails], [true, null]);
            assert.equal((await store.get(equal.jobId))?.status, "queued");
            assert.equal(await attempts.skip(job, "Again."), false);
            await attempts.takeAll();
            assert.equal(await attempts.skip(job, "Too late."), false);
            assert.equal((await store.get(job.jobId))?.error, "Skipped.");
        });
    });

    it("that skips the commit of an update says so in its details", async () => {
        await withAttempts(async ({ store, attempts }) => {
            const { jobId } = await store.createUpdate({ domain, projectId: domain, startedBy: "api", isDone: false });
            const update = (await attempts.claim())!;
            const details = { author: "Ann", message: "Fix typos" };
            await attempts.recordSource(update, "c1", details);
            await attempts.skip(update, "Skipped.");
            assert.deepEqual((await store.get(jobId))?.commitDetails, { ...details, isSkipped: true });
        });
    });

    it("stores its lines once, with the outcome that the database accepts", async () => {
        await withAttempts(async ({ store, attempts, logs, run, logOf }) => {
            const job = await run();
            attempts.note(job, "Exports the pages.", "export");
            await store.cancel(job.jobId, "Not needed.");
            assert.equal(await attempts.complete(job, bundle), false);
            assert.equal(logs.of(job.jobId).length, 1);
            await attempts.putBack(job);
            assert.deepEqual([logs.of(job.jobId).length, await logOf(job.jobId)], [0, ["Exports the pages."]]);
            const other = await run();
            attempts.note(other, "Exports.", "export");
            await attempts.complete(other, bundle);
            assert.deepEqual([logs.of(other.jobId).length, await logOf(other.jobId)], [0, ["Exports."]]);
        });
    });

    it("fails without its lines if the database accepts none of them", async () => {
        await withAttempts(async ({ store, attempts, run, logOf }) => {
            const job = await run();
            attempts.note(job, "A line.", "export");
            assert.equal(await attempts.giveUp(job, "The outcome cannot be stored."), true);
            assert.deepEqual(await logOf(job.jobId), []);
            const stored = await store.get(job.jobId);
            assert.deepEqual([stored?.status, stored?.error], ["failed", "The outcome cannot be stored."]);
        });
    });

    it("shows the progress of its newest run, also when an earlier run in the same process ends later", async () => {
        await withAttempts(async ({ attempts, live, run }) => {
            const lost = await run();
            await attempts.takeAll();
            const job = (await attempts.claim())!;
            attempts.reportProgress(job, { progress: 40, pageCount: 12 });
            attempts.forget(lost);
            assert.equal(live.of(job.jobId, job.attempt)?.progress, 40);
        });
    });

    it("shows its progress while it runs, and none of it once it has ended, was put back or is forgotten", async () => {
        await withAttempts(async ({ attempts, live, run }) => {
            const ends: ((job: SiteJob) => unknown)[] = [
                (job) => attempts.complete(job, bundle),
                (job) => attempts.forget(job),
                async (job) => attempts.putBack(job),
            ];
            for (const end of ends) {
                const job = await run();
                attempts.reportProgress(job, { progress: 40, pageCount: 12 });
                assert.equal(live.of(job.jobId, job.attempt)?.progress, 40);
                await end(job);
                assert.equal(live.of(job.jobId, job.attempt), undefined);
                await attempts.takeAll();
                await attempts.fail((await attempts.claim()) ?? job, "no");
            }
        });
    });

    it("exports the commit of the newest update that has completed", async () => {
        await withAttempts(async ({ attempts, store }) => {
            assert.equal(await attempts.findPublishedCommit(domain), undefined);
            for (const commit of ["c1", "c2"]) {
                await store.createUpdate({ domain, projectId: domain, startedBy: "api", isDone: false });
                const update = (await attempts.claim())!;
                await attempts.recordSource(update, commit);
                await attempts.complete(update, { pageCount: 1, sizeBytes: null, sha256: null });
            }
            assert.equal(await attempts.findPublishedCommit(domain), "c2");
            assert.equal(await attempts.findPublishedCommit("other.example.com"), undefined);
        });
    });
});
