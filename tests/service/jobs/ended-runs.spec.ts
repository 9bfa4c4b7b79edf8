import assert from "node:assert/strict";
import { mock } from "node:test";
import { DatabaseUnavailableError } from "../../../service/src/database/database.js";
import { nameOf, PostponedRunError } from "../../../service/src/jobs/job-kind.js";
import { type Run } from "../../../service/src/jobs/run.js";
import { surviveUncaughtErrors } from "../../../service/src/shared/unit-of-work.js";
import { abortOf, OneJob } from "./support/one-job.js";

const started = "Export job se_1 started.";
const away = () => Promise.reject(new DatabaseUnavailableError("away"));
const untilCut = async ({ signal }: Run): Promise<never> => {
    await abortOf(signal);
    throw signal.reason;
};

describe("A run", () => {
    afterEach(() => mock.timers.reset());

    it("that completes or fails is stored once", async () => {
        const completed = new OneJob();
        assert.deepEqual(await completed.run(), { kind: "completed", result: "result" });
        assert.deepEqual(completed.stored, ["complete"]);
        const error = new Error("guide.md:12: not closed");
        const failed = new OneJob({ do: () => Promise.reject(error) });
        assert.deepEqual(await failed.run(), { kind: "failed", error });
        assert.deepEqual(failed.stored, ["fail"]);
        assert.deepEqual([completed.lines, failed.lines], [[started], [started]]);
    });

    for (const [state, outcome, line] of [
        ["requeued", { kind: "stopped", isRequeued: true }, undefined],
        ["cancelled", { kind: "stopped", isRequeued: false }, undefined],
        ["lost", { kind: "lost" }, "Export job se_1 was given to another worker: this run has ended."],
    ] as const) {
        it(`whose outcome is not accepted ends as what becomes of its job: ${state}`, async () => {
            for (const ending of [{ complete: () => Promise.resolve(false) }, { fail: () => Promise.resolve(false) }]) {
                const job = new OneJob({
                    do: () => ("fail" in ending ? Promise.reject(new Error("no")) : Promise.resolve("result")),
                    attempts: { putBack: () => Promise.resolve(state) },
                    ...ending,
                });
                assert.deepEqual(await job.run(), outcome);
                assert.deepEqual(job.stored, ["fail" in ending ? "fail" : "complete", "put back"]);
                assert.deepEqual(job.lines, line === undefined ? [started] : [started, line]);
            }
        });
    }

    it("is put back if its process cannot continue it now, or has stopped it, whatever its error is", async () => {
        const postponed = new OneJob({ do: () => Promise.reject(new PostponedRunError("The disk is full.")) });
        const stopped: OneJob = new OneJob({
            do: async (run) => {
                void stopped.runner.stop("se_1");
                await abortOf(run.stopping);
                throw new Error("killed");
            },
        });
        for (const job of [postponed, stopped]) {
            assert.deepEqual(await job.run(), { kind: "stopped", isRequeued: true });
            assert.deepEqual(job.stored, ["put back"]);
        }
    });

    it("completes if it was stopped too late", async () => {
        const job: OneJob = new OneJob({
            do: async ({ stopping }) => {
                void job.runner.stop("se_1");
                await abortOf(stopping);
                return "result";
            },
        });
        assert.equal((await job.run()).kind, "completed");
    });

    it("stores nothing once another worker has its job", async () => {
        const job = new OneJob({
            do: untilCut,
            attempts: { tick: () => Promise.resolve("lost") },
            times: { tickMs: 1 },
        });
        assert.deepEqual(await job.run(), { kind: "lost" });
        assert.deepEqual(job.stored, []);
    });

    it("is stopped if nobody wants its job any more", async () => {
        const job = new OneJob({
            do: untilCut,
            attempts: { tick: () => Promise.resolve("unwanted"), putBack: () => Promise.resolve("cancelled") },
            times: { tickMs: 1 },
        });
        assert.deepEqual(await job.run(), { kind: "stopped", isRequeued: false });
    });

    it("fails with an error that nobody has caught, also if its work waits for what is lost", async () => {
        const errors: string[] = [];
        const undo = surviveUncaughtErrors({ error: (line) => void errors.push(line) });
        try {
            const error = new Error("The connection\nbroke off.");
            const job = new OneJob({
                do: () => {
                    setImmediate(() => {
                        throw error;
                    });
                    return new Promise(() => undefined);
                },
            });
            assert.deepEqual(await job.run(), { kind: "failed", error });
            assert.deepEqual(job.stored, ["fail"]);
            const line = "An error that nobody handled has ended one job or request: Error: The connection broke off.";
            assert.deepEqual(errors, [line]);
        } finally {
            undo();
        }
    });

    it("keeps its outcome if a heartbeat comes while it is stored, and finds no running job any more", async () => {
        mock.timers.enable({ apis: ["setInterval"] });
        let run: Run | undefined;
        let isInterrupted: boolean | undefined;
        const job = new OneJob({
            do: (given) => {
                run = given;
                return Promise.resolve("result");
            },
            attempts: { tick: () => Promise.resolve("lost") },
            complete: async () => {
                mock.timers.tick(10_000);
                await new Promise(setImmediate);
                return true;
            },
            ended: () => Promise.resolve(void (isInterrupted = run?.signal.aborted)),
        });
        assert.equal((await job.run()).kind, "completed");
        assert.equal(isInterrupted, false);
    });

    it("waits to store its outcome while the database is away, with one line in the log", async () => {
        let failures = 3;
        const job = new OneJob({
            complete: () => {
                failures -= 1;
                return failures < 0 ? Promise.resolve(true) : away();
            },
        });
        assert.equal((await job.run()).kind, "completed");
        assert.deepEqual(job.lines, [
            started,
            "! The outcome of Export job se_1 could not be stored, and the service tries again (if its disk is full, make " +
                "room there): DatabaseUnavailableError: away",
        ]);
        assert.deepEqual(job.fields[1], { job: "se_1", domain: "docs.example.com" });
    });

    it("leaves its outcome to the next process if this one closes while the database is away", async () => {
        const first = Promise.withResolvers<void>();
        const job = new OneJob({
            complete: () => {
                first.resolve();
                return away();
            },
            times: { retryMs: 60_000 },
        });
        await job.runner.startAlone();
        await first.promise;
        await job.runner.close();
        assert.deepEqual(await job.ended, { kind: "stopped", isRequeued: true });
    });

    it("fails if the database never accepts its outcome, and the log has the reason on one line", async () => {
        const reasons: string[] = [];
        const job = new OneJob({
            complete: () => Promise.reject(new Error("out of\nrange")),
            attempts: { giveUp: (_attempt, reason) => Promise.resolve(reasons.push(reason) > 0) },
        });
        const reason = "The outcome cannot be stored: out of range";
        const outcome = await job.run();
        assert.equal(outcome.kind === "failed" && (outcome.error as Error).message, reason);
        assert.deepEqual(reasons, [reason]);
        assert.deepEqual(job.lines, [started, `! Export job se_1 failed: ${reason}`]);
        assert.deepEqual(job.stored, ["complete", "give up"]);
    });

    it("is put back if the database never accepts its outcome, and nobody wants its job any more", async () => {
        const job = new OneJob({
            complete: () => Promise.reject(new Error("out of range")),
            attempts: { giveUp: () => Promise.resolve(false), putBack: () => Promise.resolve("cancelled") },
        });
        assert.deepEqual(await job.run(), { kind: "stopped", isRequeued: false });
        assert.deepEqual(job.stored, ["complete", "give up", "put back"]);
    });

    it("that fails after its outcome is logged, and is still closed", async () => {
        let closed = 0;
        const job = new OneJob({
            ended: () => Promise.reject(new Error("no\nmirror")),
            close: () => Promise.resolve(void (closed += 1)),
        });
        await job.run();
        assert.deepEqual(job.lines, [started, "! Export job se_1 could not continue: Error: no mirror"]);
        assert.deepEqual(job.fields[1], { job: "se_1", domain: "docs.example.com" });
        assert.equal(closed, 1);
    });

    it("that cannot begin ticks no more, so that another worker takes its job", async () => {
        let ticks = 0;
        const job = new OneJob({
            kind: {
                begin: () => {
                    throw new Error("no log");
                },
            },
            attempts: {
                tick: () => {
                    ticks += 1;
                    return Promise.resolve("wanted");
                },
            },
        });
        mock.timers.enable({ apis: ["setInterval"] });
        await job.runner.startAlone();
        await job.runner.close();
        assert.deepEqual(job.lines, [started, "! Export job se_1 could not continue: Error: no log"]);
        mock.timers.tick(60_000);
        assert.equal(ticks, 0);
    });

    it("ends although the log fails, for example because its disk is full", async () => {
        const job = new OneJob({
            do: () => Promise.reject(new Error("no")),
            fail: () => Promise.reject(new Error("out of range")),
            logger: {
                info: () => undefined,
                error: () => {
                    throw new Error("ENOSPC");
                },
            },
        });
        assert.equal((await job.run()).kind, "failed");
    });
});

describe("An outcome in metrics", () => {
    it("has its own name, or says whether a stopped run's job waits for another run", () => {
        const names = [
            nameOf({ kind: "completed", result: "result" }),
            nameOf({ kind: "lost" }),
            nameOf({ kind: "stopped", isRequeued: true }),
            nameOf({ kind: "stopped", isRequeued: false }),
        ];
        assert.deepEqual(names, ["completed", "lost", "requeued", "cancelled"]);
    });
});
