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

describe("pollUntil", () => {
    it("polls immediately, and does not sleep if the first poll is sufficient", async () => {
        const { outcome, clock } = start([100]);
        assert.deepEqual(await outcome, { done: true, value: 100 });
        assert.deepEqual(clock.sleptMs, []);
    });

    it("sleeps for the interval between polls, and passes on each value", async () => {
        const shown: number[] = [];
        const { outcome, polledAtMs } = start([1, 50, 100], {
            nextDelayMs: (value) => value * 10,
            onValue: (value) => shown.push(value),
        });
        await outcome;
        assert.deepEqual(polledAtMs, [0, 10, 510]);
        assert.deepEqual(shown, [1, 50, 100]);
    });

    it("polls no earlier than the server requests", async () => {
        const { outcome, polledAtMs } = start([{ value: 1, retryAfterMs: 3_000 }, { value: 2, retryAfterMs: 5 }, 100]);
        await outcome;
        assert.deepEqual(polledAtMs, [0, 3_000, 4_000]);
    });

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

    it("continues after transient failures, and counts consecutive failures", async () => {
        const oops = new Error("oops");
        const failures: unknown[] = [];
        const { outcome, clock } = start([oops, oops, 1, oops, 100], { onFailure: (error) => failures.push(error) });
        assert.equal((await outcome).done, true);
        assert.deepEqual(clock.sleptMs, [100, 200, 1_000, 100]);
        assert.deepEqual(failures, [oops, oops, oops]);
    });

    it("ends with a permanent error", async () => {
        const gone = new Error("gone");
        const { outcome, polledAtMs } = start([1, gone, 100], { failedDelayMs: () => undefined });
        assert.equal(await rejectionOf(outcome), gone);
        assert.equal(polledAtMs.length, 2);
    });

    it("reports the last value and the last poll's error at the deadline", async () => {
        const oops = new Error("oops");
        const { outcome } = start([7, oops], { failedDelayMs: () => 30_000 });
        assert.deepEqual(await outcome, { done: false, last: 7, lastError: oops });
    });

    it("never sleeps for a negative time", async () => {
        const { outcome, clock } = start([1, 100], { nextDelayMs: () => -5 });
        await outcome;
        assert.deepEqual(clock.sleptMs, [0]);
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
