import assert from "node:assert/strict";
import type { JournalJob, JournalStart, StartClaim } from "../../../provider/src/engine/journal/entries.js";
import { EarlierRuns } from "../../../provider/src/jobs/earlier-runs.js";
import { PendingJobError } from "../../../provider/src/jobs/job-errors.js";
import type { JobStatus, JobTask } from "../../../provider/src/jobs/job-task.js";
import type { JobRuntime } from "../../../provider/src/jobs/runtime.js";
import { FakeClock } from "../../fake-clock.js";

const hour = 3_600_000;
const keyLifetimeMs = 24 * hour;

/** A journal in memory, whose starts are shown one after another, the last of them for ever. */
class KnownRuns {
    readonly clock = new FakeClock();
    readonly nowMs = this.clock.now();
    readonly lines: string[] = [];
    readonly calls: string[] = [];
    starts: (Partial<JournalStart> | undefined)[] = [undefined];
    jobs: Partial<JournalJob>[] = [];
    /** How often another run is faster. */
    lostClaims = 0;
    status: JobStatus | Error = { status: "running" };
    keptMs: number | Error = keyLifetimeMs;

    ago(ms: number): string {
        return new Date(this.nowMs - ms).toISOString();
    }

    #start(start: Partial<JournalStart> | undefined): JournalStart | undefined {
        const settle = () => Promise.resolve(void this.calls.push("settle"));
        return start && { number: 1, startedAt: this.ago(0), isUnderWay: false, isOpen: false, settle, ...start };
    }

    #job(job: Partial<JournalJob>): JournalJob {
        const jobId = job.jobId ?? "se_1";
        const remove = () => Promise.resolve(void this.calls.push(`remove ${jobId}`));
        return { jobId, startedAt: this.ago(0), isRunning: false, share: assert.fail, remove, ...job };
    }

    find(task: Partial<JobTask> = {}) {
        const { clock } = this;
        const journal = {
            lastStart: () =>
                Promise.resolve(this.#start(this.starts.length > 1 ? this.starts.shift() : this.starts[0])),
            jobs: () => Promise.resolve(this.jobs.map((job) => this.#job(job))),
            claim: (_key: unknown, _subject: string, last?: JournalStart, repeated?: JournalStart) => {
                const isLost = this.lostClaims-- > 0;
                this.calls.push(isLost ? "lost" : `claim after ${last?.number}${repeated ? ", repeated" : ""}`);
                return Promise.resolve(isLost ? undefined : ({ idempotencyKey: "k" } as StartClaim));
            },
        };
        const runtime = { journal, clock, log: (line: string) => this.lines.push(line) } as unknown as JobRuntime;
        return new EarlierRuns(runtime, {
            client: { idempotencyKeyMaxAgeMs: () => settled(this.keptMs) },
            key: ["k"],
            subject: "docs.example.com",
            title: "Export of docs.example.com",
            noun: "export",
            unanswered: "export may be in progress.",
            deadlineMs: this.nowMs + 10_000,
            freshForMs: hour,
            acceptsFailed: false,
            get: (jobId: string) => {
                this.calls.push(`get ${jobId}`);
                return settled(this.status);
            },
            ...task,
        } as unknown as JobTask).findOrClaim();
    }
}

function settled<T>(value: T | Error): Promise<T> {
    return value instanceof Error ? Promise.reject(value) : Promise.resolve(value);
}

describe("The search for jobs of earlier runs", () => {
    let runs: KnownRuns;
    beforeEach(() => {
        runs = new KnownRuns();
    });
    const jobIdOf = (found: object) => (found as { jobId?: string }).jobId;

    it("claims the right to start a job if there is none", async () => {
        assert.ok("claim" in (await runs.find()));
        assert.deepEqual([runs.calls, runs.lines], [["claim after undefined"], []]);
    });

    for (const [ms, words] of [
        [1000, "1 second ago"],
        [119_000, "119 seconds ago"],
        [120_000, "2 minutes ago"],
        // By a clock that was set back.
        [-5000, "0 seconds ago"],
    ] as const) {
        it(`says that the job that it adopts was started ${words}`, async () => {
            runs.jobs = [{ startedAt: runs.ago(ms) }];
            assert.equal(jobIdOf(await runs.find()), "se_1");
            const at = runs.ago(ms);
            assert.ok(
                runs.lines.join().includes(`adopted: another run started it for the same inputs ${words}, at ${at}`),
            );
        });
    }

    it("removes a job that cannot be adopted, unless its run still waits for it", async () => {
        runs.status = { status: "failed", error: "no disk" };
        runs.jobs = [{ jobId: "se_1" }, { jobId: "se_2", isRunning: true }];
        await runs.find();
        assert.deepEqual(runs.calls, ["get se_1", "remove se_1", "get se_2", "claim after undefined"]);
        assert.match(runs.lines.join(), /se_1: another run started this job .*, but it failed: no disk/);
    });

    it("keeps the entry of a job that it adopts", async () => {
        runs.jobs = [{}];
        await runs.find();
        assert.deepEqual(runs.calls, ["get se_1"]);
    });

    it("leaves a job alone whose result a running process has received", async () => {
        runs.jobs = [{ isRunning: true, deliveredAt: runs.ago(0) }];
        assert.ok("claim" in (await runs.find()));
        assert.deepEqual(runs.calls, ["claim after undefined"]);
        runs.jobs = [{ isRunning: false, deliveredAt: runs.ago(0) }];
        assert.equal(jobIdOf(await runs.find()), "se_1");
    });

    it("asks about a refused job once, although another run is faster", async () => {
        runs.status = { status: "failed" };
        runs.jobs = [{ isRunning: true }];
        runs.lostClaims = 2;
        await runs.find();
        assert.deepEqual(runs.calls, ["get se_1", "lost", "lost", "claim after undefined"]);
    });

    it("settles the open start of the job that it adopts, and no other", async () => {
        runs.jobs = [{}];
        for (const [start, expected] of [
            [{ isOpen: true }, ["get se_1", "settle"]],
            [{ isOpen: true, startedAt: runs.ago(1) }, ["get se_1"]],
            [{ isOpen: false }, ["get se_1"]],
        ] as const) {
            runs.calls.length = 0;
            runs.starts = [start];
            await runs.find();
            assert.deepEqual(runs.calls, expected);
        }
    });

    it("waits for the start of another run, says so once, and takes its job although the entry is gone", async () => {
        const job = { jobId: "se_7", share: assert.fail };
        runs.starts = [{ isUnderWay: true }, { isUnderWay: true }, { isUnderWay: true }, { job }];
        assert.equal(jobIdOf(await runs.find()), "se_7");
        assert.deepEqual(runs.clock.sleptMs, [250, 250, 250]);
        assert.equal(runs.lines.filter((line) => line.includes("another run is starting an export")).length, 1);
    });

    it("does not take the job of a start that had ended before", async () => {
        runs.starts = [{ job: { jobId: "se_7", share: assert.fail } }];
        assert.ok("claim" in (await runs.find()));
        assert.deepEqual(runs.calls, ["claim after 1"]);
    });

    it("takes the job of the run that was faster, whose start follows the last one", async () => {
        runs.starts = [{ number: 3 }, { number: 4, job: { jobId: "se_7", share: assert.fail } }];
        runs.lostClaims = 1;
        assert.equal(jobIdOf(await runs.find()), "se_7");
        runs = new KnownRuns();
        runs.starts = [{ number: 3 }, { number: 3, job: { jobId: "se_7", share: assert.fail } }];
        runs.lostClaims = 1;
        assert.ok("claim" in (await runs.find()));
    });

    it("times out at its deadline while another run is starting the job", async () => {
        runs.starts = [{ isUnderWay: true }];
        await assert.rejects(
            runs.find({ deadlineMs: runs.nowMs + 500 }),
            /^Error: Export of .*: timed out while another/,
        );
        assert.deepEqual(runs.clock.sleptMs, [250, 250]);
    });

    describe("after a request without a response", () => {
        const open = (ms: number) => ({ isOpen: true, idempotencyKey: "k", startedAt: runs.ago(ms) });

        for (const [what, ms] of [
            ["at once", 0],
            ["until a minute before the key expires", keyLifetimeMs - 60_001],
            ["by a clock that was set back by a minute", -60_000],
        ] as const) {
            it(`repeats it ${what}`, async () => {
                runs.starts = [open(ms)];
                await runs.find();
                assert.deepEqual(runs.calls, ["claim after 1, repeated"]);
                assert.match(runs.lines.join(), /Repeating it with the same Idempotency-Key/);
            });
        }

        for (const [what, ms] of [
            ["in the last minute of the key", keyLifetimeMs - 60_000],
            ["by a clock that was set back by more", -60_001],
        ] as const) {
            it(`does not repeat it ${what}, and says that a job may be in progress`, async () => {
                runs.starts = [open(ms)];
                await runs.find();
                assert.deepEqual(runs.calls, ["claim after 1"]);
                assert.match(runs.lines.join(), /got no response to its request, so its export may be in progress\./);
            });
        }

        it("does not repeat it without its key", async () => {
            runs.starts = [{ isOpen: true }];
            await runs.find();
            assert.deepEqual(runs.calls, ["claim after 1"]);
        });

        it("starts nothing while the platform does not say whether it honours the key", async () => {
            runs.starts = [open(0)];
            runs.keptMs = new Error("no route");
            await assert.rejects(runs.find(), (error: Error) => {
                assert.match(
                    error.message,
                    /Nothing was started\. Run `pulumi up` again when the platform responds\.$/,
                );
                return error.cause === runs.keptMs;
            });
            assert.deepEqual(runs.calls, []);
        });
    });

    it("saves a job that cannot be read as pending, unless it is too old or its age is unknown", async () => {
        runs.status = new Error("no route");
        for (const [ms, isPending] of [
            [hour, true],
            [hour + 1, false],
            [-60_000, true],
            [-60_001, false],
        ] as const) {
            runs.jobs = [{ startedAt: new Date(runs.clock.now() - ms).toISOString() }];
            const isExpected = (error: unknown) => error instanceof PendingJobError === isPending;
            await assert.rejects(runs.find(), isExpected, `${ms}`);
        }
    });
});
