import assert from "node:assert/strict";
import { AgentJobStore } from "../../../service/src/agents/agent-job-store.js";
import { PromptAttempts } from "../../../service/src/agents/prompt-attempts.js";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { SiteJobAttempts } from "../../../service/src/exports/site-job-attempts.js";
import { SiteJobStore } from "../../../service/src/exports/site-job-store.js";
import { type SiteJob } from "../../../service/src/exports/site-job.js";
import { withSqlite } from "../support/sqlite.js";

const domain = "docs.example.com";
const bundle = { pageCount: 3, sizeBytes: 10, sha256: "a".repeat(64) };
const reason = "Not needed.";

interface Given {
    store: SiteJobStore;
    attempts: SiteJobAttempts;
    /** Starts an export, and claims it. */
    run: () => Promise<SiteJob>;
    /** The status and error of a job. */
    stateOf: (job: SiteJob) => Promise<unknown[]>;
}

async function withJobs(use: (given: Given) => Promise<void>): Promise<void> {
    await withSqlite(async (database) => {
        const store = new SiteJobStore(database, () => 1000);
        const attempts = new SiteJobAttempts(database, () => 1000);
        const run = async (): Promise<SiteJob> => {
            await store.create({ domain });
            return (await attempts.claim())!;
        };
        const stateOf = async ({ jobId }: SiteJob) => {
            const job = await store.get(jobId);
            return [job?.status, job?.error];
        };
        await use({ store, attempts, run, stateOf });
    });
}

describe("An export", () => {
    it("that is cancelled while it runs ends with the reason of that, whatever its run has done", async () => {
        await withJobs(async ({ store, attempts, run, stateOf }) => {
            const job = await run();
            assert.equal(await attempts.tick(job), "wanted");
            await store.cancel(job.jobId, reason);
            assert.equal(await attempts.tick(job), "unwanted");
            assert.deepEqual([await attempts.fail(job, "no"), await attempts.complete(job, bundle)], [false, false]);
            assert.equal((await stateOf(job))[0], "running");
            assert.equal(await attempts.putBack(job), "cancelled");
            assert.deepEqual(await stateOf(job), ["failed", reason]);
        });
    });

    it("is cancelled once, and not after it has ended", async () => {
        await withJobs(async ({ store, attempts, run, stateOf }) => {
            const queued = await store.create({ domain });
            assert.equal((await store.cancel(queued.jobId, reason))?.wasCancelledBefore, false);
            assert.equal((await store.cancel(queued.jobId, "Again."))?.wasCancelledBefore, true);
            assert.deepEqual(await stateOf(queued), ["failed", reason]);
            const running = await run();
            await store.cancel(running.jobId, reason);
            assert.equal((await store.cancel(running.jobId, "Again."))?.wasCancelledBefore, true);
            await attempts.putBack(running);
            assert.deepEqual(await stateOf(running), ["failed", reason]);
            const completed = await run();
            await attempts.complete(completed, bundle);
            await store.cancel(completed.jobId, reason);
            assert.deepEqual(await stateOf(completed), ["completed", null]);
        });
    });

    it("is taken from a worker only as long as that has not ticked, and then its run changes nothing", async () => {
        await withJobs(async ({ attempts, run }) => {
            const { jobId, attempt } = await run();
            const [seen] = await attempts.running();
            assert.deepEqual(seen, { jobId, attempt, ticks: 0 });
            await attempts.tick(seen);
            assert.equal(await attempts.takeFrom(seen), false);
            assert.equal(await attempts.takeFrom({ ...seen, ticks: 1 }), true);
            assert.deepEqual([await attempts.tick(seen), await attempts.putBack(seen)], ["lost", "lost"]);
            assert.deepEqual(await attempts.running(), []);
            const next = await attempts.claim();
            assert.deepEqual([next?.jobId, next?.attempt, next?.starts], [jobId, attempt + 1, 2]);
            assert.equal(await attempts.putBack(next!), "requeued");
            assert.equal((await attempts.claim())?.starts, 2);
        });
    });

    it("that was cancelled does not run again if its worker is dead", async () => {
        await withJobs(async ({ store, attempts, run, stateOf }) => {
            const job = await run();
            await store.cancel(job.jobId, reason);
            await attempts.takeAll();
            assert.deepEqual(await stateOf(job), ["failed", reason]);
            assert.equal(await attempts.claim(), undefined);
        });
    });

    it("runs again if its bundle is damaged, and may be interrupted as often as a new one", async () => {
        await withJobs(async ({ store, attempts, run }) => {
            const job = await run();
            await store.rebuild(job.jobId);
            assert.equal((await store.get(job.jobId))?.status, "running");
            await attempts.complete(job, bundle);
            await store.rebuild(job.jobId);
            const again = await attempts.claim();
            assert.deepEqual([again?.jobId, again?.attempt, again?.starts], [job.jobId, 2, 1]);
        });
    });

    it("is removed after it has ended, and not while it waits or runs", async () => {
        await withJobs(async ({ store, attempts, run }) => {
            const failed = await run();
            await attempts.fail(failed, "no");
            const running = await run();
            const queued = await store.create({ domain });
            const limits = { keepJobs: 0, unusedBefore: 2000, linkedSince: 2000 };
            assert.equal(await store.removeUnused(limits, () => Promise.resolve()), 1);
            const left = (await store.list(domain, 10)).map(({ jobId }) => jobId);
            assert.deepEqual(new Set(left), new Set([running.jobId, queued.jobId]));
        });
    });
});

describe("An update of the documentation", () => {
    it("for which there is nothing to fetch is completed at once", async () => {
        await withJobs(async ({ store, attempts, stateOf }) => {
            const update = { domain, projectId: domain, startedBy: "api", isDone: true } as const;
            assert.deepEqual(await stateOf(await store.createUpdate(update)), ["completed", null]);
            assert.equal(await attempts.claim(), undefined);
        });
    });
});

describe("A prompt of an agent", () => {
    const withPrompt = (use: (jobs: AgentJobStore, runs: PromptAttempts, database: ServiceDatabase) => Promise<void>) =>
        withSqlite(async (database) => {
            const jobs = new AgentJobStore(database, () => 1000);
            await jobs.create("docs", { repository: "https://git.example.com/acme/docs" }, "Fix typos.");
            await use(jobs, new PromptAttempts(database), database);
        });

    it("is wanted until its job is archived, and then ends without another run", async () => {
        await withPrompt(async (jobs, runs) => {
            const run = (await runs.claim())!;
            assert.equal(await runs.tick(run), "wanted");
            await jobs.archive(run.jobId);
            assert.equal(await runs.tick(run), "unwanted");
            assert.equal(await runs.putBack(run), "cancelled");
            assert.deepEqual([await runs.tick(run), await runs.claim()], ["lost", undefined]);
        });
    });

    it("is taken from a dead worker, and waits for another one", async () => {
        await withPrompt(async (_jobs, runs) => {
            const { jobId, attempt } = (await runs.claim())!;
            const [seen] = await runs.running();
            assert.deepEqual(seen, { jobId, attempt, ticks: 0 });
            assert.equal(await runs.takeFrom({ ...seen, ticks: 1 }), false);
            assert.equal(await runs.takeFrom(seen), true);
            assert.deepEqual([await runs.tick(seen), await runs.putBack(seen)], ["lost", "lost"]);
            assert.equal((await runs.claim())?.attempt, attempt + 1);
        });
    });
});
