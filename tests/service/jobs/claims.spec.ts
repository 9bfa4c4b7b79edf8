import assert from "node:assert/strict";
import { mock } from "node:test";
import { type ClaimedJob } from "../../../service/src/jobs/job-kind.js";
import { type Run } from "../../../service/src/jobs/run.js";
import { waitUntil } from "../../wait-until.js";
import { OneJob } from "./support/one-job.js";

const away = new Error("timeout");

/** A runner whose claims the spec answers, with their number. */
function claiming(answer: (count: number) => Promise<ClaimedJob | undefined>, script: Script = {}) {
    let claims = 0;
    const job: OneJob = new OneJob({ ...script, kind: { claim: () => answer((claims += 1)), ...script.kind } });
    return { job, claims: () => claims };
}

type Script = NonNullable<ConstructorParameters<typeof OneJob>[0]>;

function until(isReached: () => boolean): Promise<boolean> {
    return waitUntil("the runner has continued", isReached, { withinMs: 2000 });
}

/** Lets everything end that waits for nothing outside of the process. */
async function settled(): Promise<void> {
    await new Promise(setImmediate);
    await new Promise(setImmediate);
}

describe("A runner that is woken", () => {
    it("looks for jobs once more, whenever the wake comes during a search", async () => {
        for (let turns = 0; turns < 12; turns += 1) {
            const { job, claims } = claiming(async (count) => {
                if (count === 1) {
                    void afterTurns(turns).then(() => job.runner.wake());
                }
                return Promise.resolve(undefined);
            });
            await job.runner.startAlone();
            await settled();
            assert.equal(claims(), 2, `after ${turns} turns`);
            await job.runner.close();
        }
    });

    it("looks for nothing before it is started, and after it was closed", async () => {
        const { job, claims } = claiming(() => Promise.resolve(undefined));
        job.runner.wake();
        await settled();
        assert.equal(claims(), 0);
        await job.runner.startAlone();
        await job.runner.close();
        job.runner.wake();
        await settled();
        assert.equal(claims(), 1);
    });
});

async function afterTurns(count: number): Promise<void> {
    for (let turn = 0; turn < count; turn += 1) {
        await Promise.resolve();
    }
}

describe("A search for jobs that failed", () => {
    it("is repeated once, however often the runner is woken meanwhile", async () => {
        let isAway = true;
        const retryMs = 20;
        const { job, claims } = claiming(() => (isAway ? Promise.reject(away) : Promise.resolve(undefined)), {
            times: { retryMs },
        });
        await job.runner.startAlone();
        await settled();
        job.runner.wake();
        await settled();
        isAway = false;
        const failed = claims();
        await until(() => claims() > failed);
        // A second timer of the same length would end before this one.
        await new Promise((ended) => setTimeout(ended, retryMs));
        await settled();
        assert.equal(claims(), failed + 1);
        await job.runner.close();
    });

    it("leaves no timer when the runner closes, so that the process can end", async () => {
        const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
        const { job } = claiming(() => Promise.reject(away), { times: { retryMs: 60_000 } });
        await job.runner.start();
        await settled();
        const during = timers();
        await job.runner.close();
        await settled();
        // Timers of other specs may have ended as well.
        assert.ok(timers() <= during - 3, `${during} timers, then ${timers()}`);
    });
});

describe("The log of a runner", () => {
    it("says once when no job can be started, on one line, and once when jobs start again", async () => {
        const again = Promise.withResolvers<void>();
        const { job } = claiming((count) => {
            if (count === 8) {
                again.resolve();
            }
            return [1, 2, 3, 6].includes(count)
                ? Promise.reject(new Error("the disk\nis full"))
                : Promise.resolve(undefined);
        });
        await job.runner.startAlone();
        const failed = "! No export job could be started, and the service tries again: Error: the disk is full";
        const works = "The service starts export jobs again.";
        await until(() => job.lines.length === 2);
        job.runner.wake();
        await settled();
        job.runner.wake();
        await until(() => job.lines.length === 4);
        job.runner.wake();
        await again.promise;
        await job.runner.close();
        assert.deepEqual(job.lines, [failed, works, failed, works]);
        assert.deepEqual(job.fields, [undefined, undefined, undefined, undefined]);
    });

    it("names the job and the site of each run", async () => {
        const job = new OneJob({
            attempts: { putBack: () => Promise.resolve("lost") },
            complete: () => Promise.resolve(false),
        });
        await job.run();
        const about = { job: "se_1", domain: "docs.example.com" };
        assert.deepEqual(job.fields, [about, about]);
    });
});

describe("A job that was interrupted twice", () => {
    it("stays the only one that begins, also when a job ends that ran before", async () => {
        const ends: (() => void)[] = [];
        const waiting = ["third", "interrupted", "first"];
        const { job } = claiming(
            () => {
                const jobId = waiting.pop();
                const starts = jobId === "interrupted" ? 3 : 1;
                return Promise.resolve(jobId === undefined ? undefined : { jobId, attempt: 1, starts });
            },
            { kind: { concurrency: 3 }, do: () => new Promise((end) => ends.push(() => end("result"))) },
        );
        await job.runner.startAlone();
        await until(() => ends.length === 2);
        for (const left of [["third"], []]) {
            ends.shift()!();
            await settled();
            assert.deepEqual(waiting, left);
        }
        ends.shift()!();
        await job.runner.close();
    });
});

describe("The preparation of a runner", () => {
    it("that fails is reported to the starter, and the runner can be closed", async () => {
        for (const how of ["start", "startAlone"] as const) {
            let closed = 0;
            const { job, claims } = claiming(() => Promise.resolve(undefined), {
                kind: {
                    prepare: () => Promise.reject(away),
                    close: () => Promise.resolve(void (closed += 1)),
                },
            });
            await assert.rejects(job.runner[how](), away);
            await job.runner.close();
            assert.deepEqual([claims(), closed], [0, 1]);
        }
    });
});

describe("A runner of a database that other processes share", () => {
    beforeEach(() => mock.timers.enable({ apis: ["setInterval"] }));
    afterEach(() => {
        mock.timers.reset();
        mock.restoreAll();
    });

    it("takes a job whose worker has not been heard from for three and a half ticks", async () => {
        let [now, taken] = [1000, 0];
        mock.method(performance, "now", () => now);
        const job = new OneJob({
            attempts: {
                running: () => Promise.resolve([{ jobId: "se_2", attempt: 1, ticks: 7 }]),
                takeFrom: () => Promise.resolve((taken += 1) > 0),
            },
            kind: { claim: () => Promise.resolve(undefined) },
        });
        await job.runner.start();
        for (const [passed, expected] of [
            [10_000, 0],
            [20_000, 0],
            [30_000, 0],
            [40_000, 0],
            [50_000, 1],
        ] as const) {
            now = 1000 + passed;
            mock.timers.tick(10_000);
            await settled();
            assert.equal(taken, expected, `after ${passed} ms`);
        }
        await job.runner.close();
        const line = "! Export job se_2 was taken from its worker, which has not been heard from for 35 s.";
        assert.deepEqual(job.lines, [line]);
    });

    it("looks for waiting jobs every second", async () => {
        const { job, claims } = claiming(() => Promise.resolve(undefined));
        await job.runner.start();
        await settled();
        mock.timers.tick(999);
        await settled();
        assert.equal(claims(), 1);
        mock.timers.tick(1);
        await settled();
        assert.equal(claims(), 2);
        await job.runner.close();
    });
});

describe("A runner of a database that no other process uses", () => {
    it("takes the jobs that a killed process has left, before it looks for jobs", async () => {
        const events: string[] = [];
        const { job } = claiming(() => Promise.resolve(void events.push("claim")), {
            attempts: { takeAll: () => Promise.resolve(void events.push("take all")) },
            kind: { prepare: () => Promise.resolve(void events.push("prepare")) },
        });
        await job.runner.startAlone();
        await settled();
        await job.runner.close();
        assert.deepEqual(events, ["take all", "prepare", "claim"]);
    });
});

describe("A runner that was closed", () => {
    it("takes no jobs of other processes", async () => {
        let taken = 0;
        const job = new OneJob({ attempts: { takeAll: () => Promise.resolve(void (taken += 1)) } });
        await job.runner.close();
        await job.runner.startAlone();
        assert.equal(taken, 0);
    });

    it("has stopped its runs at once, if its process has no time for them", async () => {
        let run: Run | undefined;
        const job = new OneJob({
            do: (given) => {
                run = given;
                return new Promise((_, fail) => given.signal.addEventListener("abort", () => fail(away)));
            },
        });
        await job.runner.startAlone();
        await until(() => run !== undefined);
        const closed = job.runner.close();
        assert.equal(run?.isStopped, true);
        await closed;
    });
});

describe("The end of a run", () => {
    afterEach(() => mock.restoreAll());

    it("has the time that the run has taken", async () => {
        let now = 1000;
        mock.method(performance, "now", () => now);
        const durations: number[] = [];
        const job = new OneJob({
            do: () => Promise.resolve(((now += 250), "result")),
            ended: (_outcome, durationMs) => Promise.resolve(void durations.push(durationMs)),
        });
        await job.run();
        assert.deepEqual(durations, [250]);
    });
});
