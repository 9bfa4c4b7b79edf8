import assert from "node:assert/strict";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { LiveProgress } from "../../../service/src/exports/live-progress.js";
import { type SiteJob } from "../../../service/src/exports/site-job.js";
import { JobHistory } from "../../../service/src/history/job-history.js";
import { JobLogs } from "../../../service/src/jobs/job-log.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { domain } from "../support/running-service.js";
import { describeOnBoth } from "../database/databases.js";

const sha256 = "a".repeat(64);
const bundle = { pageCount: 3, sizeBytes: 7, sha256 };

interface Process {
    store: SiteJobStore;
    attempts: SiteJobAttempts;
}

/** Returns the stores that one process uses to access the database. */
function processOver(database: ServiceDatabase): Process {
    const live = new LiveProgress(Date.now);
    return {
        store: new SiteJobStore(database, Date.now, live),
        attempts: new SiteJobAttempts(database, Date.now, live),
    };
}

async function claim({ attempts }: Process): Promise<SiteJob> {
    const job = await attempts.claim();
    assert.ok(job);
    return job;
}

/** Takes the job away from its run, as if the run's worker had died. */
async function takeAway({ attempts }: Process, { jobId }: { jobId: string }): Promise<boolean> {
    const run = (await attempts.running()).find((each) => each.jobId === jobId);
    assert.ok(run);
    return attempts.takeFrom(run);
}

describeOnBoth("A run of an export job", (withDatabase) => {
    const withProcess = (use: (one: Process) => Promise<void>) =>
        withDatabase((database) => use(processOver(database)));

    it("is claimed by only one of many concurrent workers", async () => {
        await withProcess(async (one) => {
            for (let count = 0; count < 3; count += 1) {
                await one.store.create({ domain });
            }
            const claimed = await Promise.all(Array.from({ length: 8 }, () => one.attempts.claim()));
            assert.equal(claimed.filter((job) => job !== undefined).length, 1);
        });
    });

    it("stores its outcome, even if it retries after a lost response", async () => {
        await withProcess(async (one) => {
            await one.store.create({ domain });
            const job = await claim(one);
            assert.equal(await one.attempts.complete(job, bundle), true);
            assert.equal(await one.attempts.complete(job, bundle), true);
            const stored = await one.store.get(job.jobId);
            assert.deepEqual([stored?.status, stored?.sha256, stored?.progress], ["completed", sha256, 100]);
        });
    });

    it("changes nothing after its job was given to another run", async () => {
        await withProcess(async (one) => {
            await one.store.create({ domain });
            const lost = await claim(one);
            assert.equal(await takeAway(one, lost), true);
            const current = await claim(one);
            assert.ok(current.attempt > lost.attempt);
            assert.deepEqual(
                [
                    await one.attempts.tick(lost),
                    await one.attempts.announce(lost, sha256),
                    await one.attempts.complete(lost, bundle),
                    await one.attempts.fail(lost, "no"),
                    await one.attempts.putBack(lost),
                ],
                ["lost", false, false, false, "lost"],
            );
            assert.equal(await one.attempts.tick(current), "wanted");
            assert.equal(await one.attempts.fail(current, "index.md: not closed"), true);
            assert.equal(await one.attempts.complete(lost, bundle), false);
            const stored = await one.store.get(lost.jobId);
            assert.deepEqual([stored?.status, stored?.error], ["failed", "index.md: not closed"]);
        });
    });

    it("shows its progress to other processes after a tick", async () => {
        await withDatabase(async (database) => {
            const [worker, api] = [processOver(database), processOver(database)];
            await api.store.create({ domain });
            const job = await claim(worker);
            worker.attempts.reportProgress(job, { progress: 40, pageCount: 12 });
            assert.equal((await worker.store.get(job.jobId))?.progress, 40);
            assert.equal((await api.store.get(job.jobId))?.progress, 0);
            await worker.attempts.tick(job);
            const seen = await api.store.get(job.jobId);
            assert.deepEqual([seen?.progress, seen?.pageCount], [40, 12]);
        });
    });

    it("protects from removal only the archive that it is about to store", async () => {
        await withProcess(async (one) => {
            await one.store.create({ domain });
            const job = await claim(one);
            await one.attempts.announce(job, sha256);
            const removed: string[] = [];
            for (const digest of [sha256, "b".repeat(64)]) {
                await one.store.whileUnused([digest], () => Promise.resolve(void removed.push(digest)));
            }
            assert.deepEqual(removed, ["b".repeat(64)]);
            await takeAway(one, job);
            assert.equal(await one.store.whileUnused([sha256], () => Promise.resolve()), 1);
        });
    });

    it("keeps its job if it has ticked since the last check", async () => {
        await withProcess(async (one) => {
            await one.store.create({ domain });
            const job = await claim(one);
            const [seen] = await one.attempts.running();
            assert.ok(seen);
            await one.attempts.tick(job);
            assert.equal(await one.attempts.takeFrom(seen), false);
        });
    });

    it("waits after two interruptions until no other job runs in its process", async () => {
        await withProcess(async (one) => {
            const { jobId } = await one.store.create({ domain });
            await takeAway(one, await claim(one));
            const second = await one.attempts.claim(["se_other"]);
            assert.equal(second?.jobId, jobId);
            await takeAway(one, second);
            assert.equal(await one.attempts.claim(["se_other"]), undefined);
            const again = await claim(one);
            assert.deepEqual([again.jobId, again.starts], [jobId, 3]);
        });
    });
});

describeOnBoth("An export job that is cancelled", (withDatabase) => {
    const reason = "Cancelled by a client with the key ci.";
    const withProcess = (use: (one: Process) => Promise<void>) =>
        withDatabase((database) => use(processOver(database)));

    it("keeps the last lines of its run, also if the run has lost it", async () => {
        for (const isLost of [false, true]) {
            await withDatabase(async (database) => {
                const live = new LiveProgress(Date.now);
                const logs = new JobLogs(Date.now);
                const attempts = new SiteJobAttempts(database, Date.now, live, { logs });
                const one = { attempts, store: new SiteJobStore(database, Date.now, live) };
                await one.store.create({ domain });
                const run = await claim(one);
                attempts.note(run, "Attempt 1 begins.", "prepare");
                await attempts.tick(run);
                attempts.note(run, "Exports the pages.", "export");
                await one.store.cancel(run.jobId, reason);
                if (isLost) {
                    await takeAway(one, run);
                }
                assert.equal(await attempts.putBack(run), isLost ? "lost" : "cancelled");
                await attempts.keepLog(run);
                attempts.forget(run);
                const details = await new JobHistory(database, live, logs).details(run.jobId);
                assert.deepEqual(
                    details?.log.map(({ message }) => message),
                    ["Attempt 1 begins.", "Exports the pages."],
                );
            });
        }
    });

    it("counts a run whose worker has died once, and gets no lines of that run after the next one began", async () => {
        await withDatabase(async (database) => {
            const live = new LiveProgress(Date.now);
            const logs = new JobLogs(Date.now);
            const attempts = new SiteJobAttempts(database, Date.now, live, { logs });
            const one = { attempts, store: new SiteJobStore(database, Date.now, live) };
            await one.store.create({ domain });
            const lost = await claim(one);
            await takeAway(one, lost);
            const next = await claim(one);
            assert.equal(next.attempt, 2);
            await attempts.complete(next, bundle);
            attempts.note(lost, "Ended without a result.");
            await attempts.keepLog(lost);
            const details = await new JobHistory(database, live, new JobLogs(Date.now)).details(lost.jobId);
            assert.deepEqual(details?.log, []);
        });
    });

    it("can be cancelled again without effect, unlike a job that has ended for another reason", async () => {
        await withProcess(async (one) => {
            const { jobId } = await one.store.create({ domain });
            assert.equal((await one.store.cancel(jobId, reason))?.wasCancelledBefore, false);
            const again = await one.store.cancel(jobId, "Another reason.");
            assert.deepEqual([again?.error, again?.wasCancelledBefore], [reason, true]);
            await one.store.create({ domain });
            const run = await claim(one);
            await one.attempts.fail(run, "guide.md:12: unclosed tag");
            assert.equal(await one.store.cancel(run.jobId, reason), undefined);
        });
    });
});
