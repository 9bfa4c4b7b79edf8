import assert from "node:assert/strict";
import { type Attempts } from "../../../service/src/jobs/attempts.js";
import { type Run } from "../../../service/src/jobs/run.js";
import { waitUntil } from "../../wait-until.js";
import { type ClaimedJob } from "../../../service/src/jobs/job-kind.js";
import { JobRunner } from "../../../service/src/jobs/runner.js";
import { writeUntilStored } from "../../../service/src/shared/write-until-stored.js";
import { OneJob } from "./support/one-job.js";

/** A runner whose runs wait until the spec ends them, and whose claims fail a given number of times. */
class Jobs {
    readonly waiting: string[];
    readonly active = new Map<string, () => void>();
    readonly errors: string[] = [];
    failures = 0;
    readonly runner: JobRunner<ClaimedJob, void>;
    #onChange = (): void => undefined;

    constructor(jobIds: string[], run?: (jobId: string) => Promise<void>) {
        this.waiting = jobIds;
        const logger = { info: () => undefined, error: (message: string) => this.#onError(message) };
        const attempts: Partial<Attempts> = {
            takeAll: () => Promise.resolve(),
            putBack: () => Promise.resolve("requeued"),
        };
        this.runner = new JobRunner<ClaimedJob, void>(
            {
                name: "Job",
                attempts: attempts as Attempts,
                concurrency: 2,
                graceMs: 60_000,
                claim: (running) => Promise.resolve(this.#claim(running)),
                describe: ({ jobId }) => `Job ${jobId}`,
                begin: ({ jobId }) => ({
                    do: () => this.#wait(jobId),
                    complete: () => Promise.resolve(true),
                    fail: () => Promise.resolve(true),
                    ended: () => Promise.resolve(),
                }),
                around: ({ jobId }, execute) => (run === undefined ? execute() : run(jobId)),
            },
            logger,
            { retryMs: 1 },
        );
    }

    #claim(running: readonly string[]): ClaimedJob | undefined {
        if (this.failures > 0) {
            this.failures -= 1;
            throw new Error("database or disk is full");
        }
        const index = this.waiting.findIndex((id) => !running.includes(id));
        const [jobId] = index < 0 ? [] : this.waiting.splice(index, 1);
        return jobId === undefined ? undefined : { jobId, attempt: 1, starts: jobId === "interrupted" ? 3 : 1 };
    }

    #wait(jobId: string): Promise<void> {
        return new Promise((end) => {
            this.active.set(jobId, end);
            this.#onChange();
        });
    }

    #onError(message: string): void {
        this.errors.push(message);
        this.#onChange();
    }

    async until(isReached: () => boolean): Promise<void> {
        while (!isReached()) {
            await new Promise<void>((resolve) => (this.#onChange = resolve));
        }
    }

    end(jobId: string): void {
        const end = this.active.get(jobId);
        this.active.delete(jobId);
        end?.();
    }
}

describe("A job runner", () => {
    it("starts jobs up to its limit, and another job whenever one ends", async () => {
        const jobs = new Jobs(["a", "b", "c"]);
        await jobs.runner.startAlone();
        await jobs.until(() => jobs.active.size === 2);
        assert.deepEqual(jobs.waiting, ["c"]);
        jobs.end("a");
        await jobs.until(() => jobs.active.has("c"));
    });

    it("shows each claim which jobs run", async () => {
        const jobs = new Jobs(["a", "a", "b"]);
        await jobs.runner.startAlone();
        await jobs.until(() => jobs.active.size === 2);
        assert.deepEqual([...jobs.active.keys()], ["a", "b"]);
        jobs.end("a");
        await jobs.until(() => jobs.active.size === 2);
        assert.deepEqual(jobs.waiting, []);
    });

    it("starts nothing while a job runs that was interrupted twice", async () => {
        const jobs = new Jobs(["interrupted", "b", "c"]);
        await jobs.runner.startAlone();
        await jobs.until(() => jobs.active.size === 1);
        jobs.runner.wake();
        await jobs.runner.stop("none");
        assert.deepEqual(jobs.waiting, ["b", "c"]);
        jobs.end("interrupted");
        await jobs.until(() => jobs.active.size === 2);
        assert.deepEqual(jobs.waiting, []);
    });

    it("continues without a new wake-up after a failure of the store, for example on a full disk", async () => {
        const jobs = new Jobs(["a"]);
        jobs.failures = 3;
        await jobs.runner.startAlone();
        await jobs.until(() => jobs.active.size === 1);
        const error = "No job could be started, and the service tries again: Error: database or disk is full";
        assert.deepEqual(jobs.errors, [error]);
    });

    it("continues with the next job if a run throws", async () => {
        const ended: string[] = [];
        const jobs = new Jobs(["a", "b", "c"], (jobId) => {
            ended.push(jobId);
            return Promise.reject(new Error(`${jobId} failed`));
        });
        await jobs.runner.startAlone();
        await jobs.until(() => jobs.errors.length === 3);
        assert.deepEqual(ended, ["a", "b", "c"]);
    });

    it("starts nothing after being closed, and finishes closing when its runs have ended", async () => {
        const jobs = new Jobs(["a", "b", "c"]);
        await jobs.runner.startAlone();
        await jobs.until(() => jobs.active.size === 2);
        const closed = jobs.runner.close();
        jobs.end("a");
        jobs.end("b");
        await closed;
        assert.deepEqual(jobs.waiting, ["c"]);
    });
});

describe("A run whose outcome is stored", () => {
    it("ticks no more, and its last steps are not interrupted, however long they take", async () => {
        let ticks = 0;
        let ticksBefore = -1;
        let run: Run | undefined;
        let isInterrupted: boolean | undefined;
        const job = new OneJob({
            do: async (given) => {
                run = given;
                await waitUntil("a tick", () => ticks > 0);
                return "result";
            },
            // The database knows no running job any more, once the outcome is stored.
            attempts: { tick: () => Promise.resolve(((ticks += 1), ticksBefore < 0 ? "wanted" : "lost")) },
            complete: () => Promise.resolve(((ticksBefore = ticks), true)),
            ended: async () => {
                // Many ticks would fit into this time.
                let turns = 0;
                const timer = setInterval(() => (turns += 1), 1);
                await waitUntil("the upload has ended", () => turns >= 20);
                clearInterval(timer);
                isInterrupted = run?.signal.aborted;
            },
            close: () => Promise.resolve(void closed.resolve()),
            times: { tickMs: 1 },
        });
        const closed = Promise.withResolvers<void>();
        await job.runner.startAlone();
        await closed.promise;
        assert.equal(isInterrupted, false);
        assert.ok(ticks <= ticksBefore + 1, `${ticks - ticksBefore} ticks`);
        await job.runner.close();
    });
});

describe("The outcome of a run", () => {
    it("is stored as soon as the store accepts it", async () => {
        let failures = 3;
        const errors: unknown[] = [];
        const { signal } = new AbortController();
        await writeUntilStored(
            () => {
                failures -= 1;
                if (failures >= 0) {
                    throw new Error("full");
                }
            },
            { signal, retryMs: 1, onError: (error) => errors.push(error) },
        );
        assert.deepEqual([failures, errors.length], [-1, 3]);
    });

    it("is not tried again if the store never accepts it", async () => {
        const errors: unknown[] = [];
        await assert.rejects(
            writeUntilStored(() => Promise.reject(new Error("out of range")), {
                signal: new AbortController().signal,
                isTemporary: () => false,
                onError: (error) => errors.push(error),
            }),
            /^Error: out of range$/,
        );
        assert.deepEqual(errors, []);
    });

    it("is left to the next process if the service stops first", async () => {
        const stop = new AbortController();
        await writeUntilStored(() => Promise.reject(new Error("full")), {
            signal: stop.signal,
            onError: () => stop.abort(),
        });
    });
});
