import assert from "node:assert/strict";
import { mock } from "node:test";
import { type ClaimedJob } from "../../../service/src/jobs/job-kind.js";
import { type Run } from "../../../service/src/jobs/run.js";
import { abortOf, OneJob } from "./support/one-job.js";

/** A job whose run ends when it is stopped, or only when it is cut. */
function jobUntil(end: "stopped" | "cut", options: ConstructorParameters<typeof OneJob>[0] = {}) {
    const began = Promise.withResolvers<Run>();
    const job = new OneJob({
        do: async (run) => {
            began.resolve(run);
            const signal = end === "stopped" ? run.stopping : run.signal;
            await abortOf(signal);
            throw signal.reason;
        },
        ...options,
    });
    return { job, began: began.promise };
}

describe("A run that is stopped", () => {
    it("has the time of its kind of job to end", async () => {
        const { job, began } = jobUntil("stopped", { kind: { graceMs: 60_000 } });
        await job.runner.startAlone();
        const { signal } = await began;
        await job.runner.stop("se_1");
        assert.equal((await job.ended).kind, "stopped");
        assert.equal(signal.aborted, false);
    });

    it("is cut after this time, or at once without such a time", async () => {
        for (const graceMs of [0, 1]) {
            const { job, began } = jobUntil("cut", { kind: { graceMs } });
            await job.runner.startAlone();
            const { signal } = await began;
            const stopped = job.runner.stop("se_1");
            assert.equal(signal.aborted, graceMs === 0);
            await job.ended;
            await stopped;
        }
    });

    it("is not the run of another job", async () => {
        const { job, began } = jobUntil("stopped");
        await job.runner.startAlone();
        const { stopping } = await began;
        await job.runner.stop("se_2");
        assert.equal(stopping.aborted, false);
        await job.runner.close();
    });
});

describe("A runner that closes", () => {
    afterEach(() => mock.timers.reset());

    it("first gives its runs the time to end that its process has", async () => {
        const { job, began } = jobUntil("stopped", { times: { closeMs: 60_000 } });
        await job.runner.startAlone();
        const run = await began;
        const closed = job.runner.close();
        await new Promise(setImmediate);
        assert.equal(run.isStopped, false);
        run.stop();
        await closed;
        assert.equal((await job.ended).kind, "stopped");
    });

    it("then stops its runs, ends what the next process repeats, and releases the rest at their end", async () => {
        const events: string[] = [];
        const { job, began } = jobUntil("stopped", {
            times: { closeMs: 1 },
            kind: {
                graceMs: 60_000,
                closing: () => void events.push("closing"),
                close: () => Promise.resolve(void events.push("close")),
            },
            close: () => Promise.resolve(void events.push("work ended")),
        });
        await job.runner.startAlone();
        await began;
        await job.runner.close(() => events.push("only the database is missing"));
        assert.deepEqual(events, ["closing", "work ended", "only the database is missing", "close"]);
    });

    it("says when only the database is missing, also if its answer does not come", async () => {
        const answer = Promise.withResolvers<"requeued">();
        const { job, began } = jobUntil("stopped", { attempts: { putBack: () => answer.promise } });
        await job.runner.startAlone();
        await began;
        await job.runner.close(() => answer.resolve("requeued"));
        assert.equal((await job.ended).kind, "stopped");
    });

    it("stops a job that is claimed meanwhile, and claims no further one", async () => {
        const claimed = Promise.withResolvers<ClaimedJob>();
        let claims = 0;
        const { job } = jobUntil("stopped", {
            kind: {
                concurrency: 2,
                claim: () => {
                    claims += 1;
                    return claimed.promise;
                },
            },
        });
        await job.runner.startAlone();
        const closed = job.runner.close();
        await new Promise(setImmediate);
        claimed.resolve({ jobId: "se_1", attempt: 1, starts: 1 });
        await closed;
        assert.deepEqual([(await job.ended).kind, claims], ["stopped", 1]);
    });

    it("starts nothing if it is closed while it still prepares", async () => {
        mock.timers.enable({ apis: ["setInterval"] });
        for (const how of ["start", "startAlone"] as const) {
            const prepared = Promise.withResolvers<void>();
            let searches = 0;
            const running = () => Promise.resolve(((searches += 1), []));
            const job = new OneJob({ kind: { prepare: () => prepared.promise }, attempts: { running } });
            const started = job.runner[how]();
            const closed = job.runner.close();
            await new Promise(setImmediate);
            prepared.resolve();
            await Promise.all([started, closed]);
            mock.timers.tick(60_000);
            await new Promise(setImmediate);
            assert.deepEqual([job.lines, searches, job.waiting.length], [[], 0, 1]);
        }
    });
});

describe("A runner that is closed before or while it prepares", () => {
    it("closes what the preparation has opened, and does not begin to prepare", async () => {
        const events: string[] = [];
        const prepared = Promise.withResolvers<void>();
        const kind = {
            prepare: () => prepared.promise.then(() => void events.push("prepared")),
            close: () => Promise.resolve(void events.push("close")),
        };
        const job = new OneJob({ kind });
        const started = job.runner.start();
        const closed = job.runner.close();
        await new Promise(setImmediate);
        prepared.resolve();
        await Promise.all([started, closed]);
        await job.runner.start();
        await job.runner.startAlone();
        assert.deepEqual(events, ["prepared", "close"]);
    });
});

describe("A runner with a shared database", () => {
    afterEach(() => mock.timers.reset());

    it("prepares, and then looks for waiting jobs at each poll, until it closes", async () => {
        mock.timers.enable({ apis: ["setInterval"] });
        const events: string[] = [];
        const job = new OneJob({
            kind: {
                prepare: () => Promise.resolve(void events.push("prepare")),
                claim: () => Promise.resolve(void events.push("claim")),
            },
            times: { pollMs: 2000 },
        });
        await job.runner.start();
        await new Promise(setImmediate);
        assert.deepEqual(events, ["prepare", "claim"]);
        mock.timers.tick(2000);
        await new Promise(setImmediate);
        assert.deepEqual(events, ["prepare", "claim", "claim"]);
        await job.runner.close();
        mock.timers.tick(60_000);
        await new Promise(setImmediate);
        assert.equal(events.length, 3);
    });

    it("gets the jobs of dead workers, also after a search that failed", async () => {
        const taken = Promise.withResolvers<void>();
        let searches = 0;
        const job = new OneJob({
            attempts: {
                running: () => {
                    searches += 1;
                    return searches === 1
                        ? Promise.reject(new Error("timeout"))
                        : Promise.resolve([{ jobId: "se_2", attempt: 1, ticks: 7 }]);
                },
                takeFrom: () => Promise.resolve((taken.resolve(), true)),
            },
            times: { tickMs: 1 },
        });
        await job.runner.start();
        await taken.promise;
        await job.runner.close();
        assert.ok(job.lines.includes("! The search for stalled jobs failed: Error: timeout"));
    });

    it("searches for dead workers once at a time, and closes when the search has ended", async () => {
        const answer = Promise.withResolvers<[]>();
        let searches = 0;
        const job = new OneJob({ attempts: { running: () => ((searches += 1), answer.promise) } });
        mock.timers.enable({ apis: ["setInterval"] });
        await job.runner.start();
        mock.timers.tick(10_000);
        mock.timers.tick(10_000);
        assert.equal(searches, 1);
        let isClosed = false;
        const closed = job.runner.close().then(() => (isClosed = true));
        await job.ended;
        await new Promise(setImmediate);
        assert.equal(isClosed, false);
        answer.resolve([]);
        await closed;
    });
});
