import assert from "node:assert/strict";
import { onAbort } from "../../../sdk/src/time/on-abort.js";
import { withTimeout } from "../../../sdk/src/time/with-timeout.js";
import { ManualTimers } from "../support/manual-timers.js";
import { rejectionOf } from "../support/client.js";

const tooLate = () => new Error("too late");
const never = () => new Promise<never>(() => undefined);

describe("withTimeout", () => {
    it("returns the result, and later aborts and timeouts change nothing", async () => {
        const timers = new ManualTimers();
        const controller = new AbortController();
        let given: AbortSignal | undefined;
        const work = (signal: AbortSignal) => Promise.resolve((given = signal) && "done");
        assert.equal(await withTimeout(1000, controller.signal, tooLate, work, timers), "done");
        controller.abort(new Error("stop"));
        timers.advance(1000);
        assert.equal(given?.aborted, false);
    });

    it("aborts the work at the timeout, with the same error", async () => {
        const timers = new ManualTimers();
        let given: AbortSignal | undefined;
        const work = (signal: AbortSignal) => (given = signal) && never();
        const call = withTimeout(1000, undefined, tooLate, work, timers);
        timers.advance(1000);
        assert.equal((await rejectionOf(call)).message, "too late");
        assert.equal((given?.reason as Error).message, "too late");
    });

    it("counts the time again from each restart", async () => {
        const timers = new ManualTimers();
        let restart = () => undefined as void;
        const work = (_: AbortSignal, again: () => void) => (restart = again) && never();
        const call = rejectionOf(withTimeout(1000, undefined, tooLate, work, timers));
        timers.advance(900);
        restart();
        timers.advance(900);
        await new Promise(setImmediate);
        assert.equal(await Promise.race([call, Promise.resolve("waits")]), "waits");
        timers.advance(100);
        assert.equal((await call).message, "too late");
    });

    it("aborts the rest of the work if a part of the work fails", async () => {
        const failure = new Error("failed");
        let given: AbortSignal | undefined;
        const work = (signal: AbortSignal) => (given = signal) && Promise.reject(failure);
        assert.equal(await rejectionOf(withTimeout(1000, undefined, tooLate, work)), failure);
        assert.equal(given?.reason, failure);
    });

    it("starts nothing if it is already aborted", async () => {
        const reason = new Error("stop");
        let isStarted = false;
        const work = () => Promise.resolve((isStarted = true));
        assert.equal(await rejectionOf(withTimeout(1000, AbortSignal.abort(reason), tooLate, work)), reason);
        assert.equal(isStarted, false);
    });
});

describe("onAbort", () => {
    it("calls each callback once, as often as it was registered", () => {
        const controller = new AbortController();
        let calls = 0;
        const count = () => void (calls += 1);
        onAbort(controller.signal, count);
        onAbort(controller.signal, count);
        controller.abort();
        assert.equal(calls, 2);
    });

    it("does not call a callback that is no longer registered", () => {
        const controller = new AbortController();
        let calls = 0;
        const count = () => void (calls += 1);
        const forget = onAbort(controller.signal, count);
        onAbort(controller.signal, count);
        forget();
        controller.abort();
        assert.equal(calls, 1);
    });

    it("accepts a missing signal", () => {
        onAbort(undefined, () => assert.fail("called"))();
    });
});
