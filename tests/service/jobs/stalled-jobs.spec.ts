import assert from "node:assert/strict";
import { type RunningAttempt } from "../../../service/src/jobs/attempts.js";
import { silentLogger } from "../../../service/src/shared/logger.js";
import { StalledJobs } from "../../../service/src/jobs/stalled-jobs.js";

const checkMs = 1000;
const deadAfterMs = 10_000;

/** A job whose worker is silent, and a service that checks it. */
class SilentJob {
    readonly run: RunningAttempt = { jobId: "sej_1", attempt: 1, ticks: 5 };
    readonly taken: string[] = [];
    readonly errors: unknown[] = [];
    nowMs = 0;
    /** How long the database takes to answer. */
    answerMs = 0;
    readonly #jobs = new StalledJobs({
        kind: "Export job",
        checkMs,
        deadAfterMs,
        elapsedMs: () => this.nowMs,
        attempts: {
            running: () => {
                this.nowMs += this.answerMs;
                return Promise.resolve([{ ...this.run }]);
            },
            takeFrom: ({ jobId }) => Promise.resolve(this.taken.push(jobId) > 0),
        },
        logger: { ...silentLogger, error: (...line) => void this.errors.push(line) },
    });

    async checkFor(ms: number): Promise<void> {
        for (const end = this.nowMs + ms; this.nowMs < end; this.nowMs += checkMs) {
            await this.#jobs.check();
        }
    }
}

describe("A job whose worker is silent", () => {
    it("is taken from its worker after the limit, and not before", async () => {
        const job = new SilentJob();
        await job.checkFor(deadAfterMs);
        assert.deepEqual(job.taken, []);
        assert.deepEqual(job.errors, []);
        await job.checkFor(checkMs);
        assert.deepEqual(job.taken, ["sej_1"]);
        const message = "Export job sej_1 was taken from its worker, which has not been heard from for 10 s.";
        assert.deepEqual(job.errors, [[message, { job: "sej_1" }]]);
    });

    it("keeps its worker if the worker is heard from within the limit", async () => {
        const job = new SilentJob();
        for (let count = 0; count < 4; count += 1) {
            await job.checkFor(deadAfterMs - checkMs);
            Object.assign(job.run, { ticks: job.run.ticks + 1 });
        }
        assert.deepEqual(job.taken, []);
    });

    it("is taken after the same time if one check was left out, or was answered just in time", async () => {
        const job = new SilentJob();
        await job.checkFor(2 * checkMs);
        job.nowMs += checkMs;
        job.answerMs = checkMs;
        await job.checkFor(checkMs);
        job.answerMs = 0;
        await job.checkFor(deadAfterMs - 4 * checkMs);
        assert.deepEqual(job.taken, ["sej_1"]);
    });

    it("keeps its worker for the whole limit after a time in which nobody checked", async () => {
        const job = new SilentJob();
        await job.checkFor(deadAfterMs);
        job.nowMs += 3 * checkMs;
        await job.checkFor(deadAfterMs);
        assert.deepEqual(job.taken, []);
        await job.checkFor(checkMs);
        assert.deepEqual(job.taken, ["sej_1"]);
    });

    it("keeps its worker for the whole limit after a check that the database answered late", async () => {
        const job = new SilentJob();
        await job.checkFor(deadAfterMs - checkMs);
        job.answerMs = 2 * checkMs;
        await job.checkFor(checkMs);
        job.answerMs = 0;
        await job.checkFor(deadAfterMs - 2 * checkMs);
        assert.deepEqual(job.taken, []);
        await job.checkFor(4 * checkMs);
        assert.deepEqual(job.taken, ["sej_1"]);
    });
});
