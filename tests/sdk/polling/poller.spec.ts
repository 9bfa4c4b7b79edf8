import assert from "node:assert/strict";
import { type Polled, pollUntil, type PollerOptions } from "../../../sdk/src/polling/poller.js";
import { rejectionOf } from "../support/client.js";
import { FakeClock } from "../../fake-clock.js";

type Step = number | Error | Polled<number>;

/** Polls through prepared steps, and repeats the last step; a number of at least 100 means done. */
function start(steps: readonly Step[], options: Partial<PollerOptions<number>> = {}) {
    const clock = new FakeClock(0);
    const polledAtMs: number[] = [];
    const outcome = pollUntil<number>({
        poll: () => {
            polledAtMs.push(clock.now());
            const step = steps[Math.min(polledAtMs.length, steps.length) - 1] ?? 0;
            if (step instanceof Error) {
                return Promise.reject(step);
            }
            return Promise.resolve(typeof step === "number" ? { value: step } : step);
        },
        isDone: (value) => value >= 100,
        nextDelayMs: () => 1_000,
        failedDelayMs: (_, failures) => failures * 100,
        clock,
        deadlineMs: 10_000,
        ...options,
    });
    return { outcome, polledAtMs, clock };
}

function abortedDuringPoll(reason: Error): Pick<PollerOptions<number>, "poll" | "signal"> {
    const controller = new AbortController();
    const poll = () => {
        controller.abort(reason);
        return Promise.reject(reason);
    };
    return { poll, signal: controller.signal };
}

describe("pollUntil", () => {
    it("polls for the last time at the deadline", async () => {
        const { outcome, polledAtMs } = start([7], { nextDelayMs: () => 4_000 });
        assert.deepEqual(await outcome, { done: false, last: 7, lastError: undefined });
        assert.deepEqual(polledAtMs, [0, 4_000, 8_000, 10_000]);
    });

    it("succeeds if the last poll, at the deadline, finds the job done", async () => {
        const { outcome } = start([7, 100], { nextDelayMs: () => 60_000 });
        assert.deepEqual(await outcome, { done: true, value: 100 });
    });

    it("polls once if the deadline has already passed", async () => {
        const { outcome, polledAtMs } = start([7], { deadlineMs: -1 });
        assert.deepEqual(await outcome, { done: false, last: 7, lastError: undefined });
        assert.deepEqual(polledAtMs, [0]);
    });

    it("never sleeps for a negative time", async () => {
        const { outcome, clock } = start([1, 100], { nextDelayMs: () => -5 });
        await outcome;
        assert.deepEqual(clock.sleptMs, [0]);
    });

    it("counts the failures in a row, and begins again after a success", async () => {
        const lost = new Error("lost");
        const { outcome, clock } = start([lost, lost, 1, lost, 100]);
        assert.deepEqual(await outcome, { done: true, value: 100 });
        assert.deepEqual(clock.sleptMs, [100, 200, 1_000, 100]);
    });

    it("reports each failure that is retried, but not the last one, which it returns", async () => {
        const lost = new Error("lost");
        const reported: unknown[] = [];
        const { outcome } = start([7, lost], {
            failedDelayMs: () => 6_000,
            onFailure: (error) => reported.push(error),
        });
        assert.deepEqual(await outcome, { done: false, last: 7, lastError: lost });
        assert.deepEqual(reported, [lost, lost]);
    });

    it("rejects with an error that ends the wait", async () => {
        const lost = new Error("lost");
        const { outcome, polledAtMs } = start([1, lost], { failedDelayMs: () => undefined });
        assert.equal(await rejectionOf(outcome), lost);
        assert.equal(polledAtMs.length, 2);
    });

    it("does not poll earlier than the server asks", async () => {
        const { outcome, clock } = start([
            { value: 1, retryAfterMs: 3_000 },
            { value: 2, retryAfterMs: 500 },
            { value: 100 },
        ]);
        await outcome;
        assert.deepEqual(clock.sleptMs, [3_000, 1_000]);
    });

    it("does not ask for a delay after an abort during a poll", async () => {
        const reason = new Error("stop");
        const { outcome, clock } = start([reason], {
            failedDelayMs: () => assert.fail("asked"),
            ...abortedDuringPoll(reason),
        });
        assert.equal(await rejectionOf(outcome), reason);
        assert.deepEqual(clock.sleptMs, []);
    });

    it("rejects with the signal's reason when it is aborted between two polls", async () => {
        const reason = new Error("stop");
        const controller = new AbortController();
        const { outcome, polledAtMs, clock } = start([1], {
            signal: controller.signal,
            onValue: () => controller.abort(reason),
        });
        assert.equal(await rejectionOf(outcome), reason);
        assert.equal(polledAtMs.length, 1);
        assert.deepEqual(clock.sleptMs, []);
    });

    it("does not poll if it is already aborted", async () => {
        const reason = new Error("stop");
        const { outcome, polledAtMs } = start([1], { signal: AbortSignal.abort(reason) });
        assert.equal(await rejectionOf(outcome), reason);
        assert.equal(polledAtMs.length, 0);
    });
});
