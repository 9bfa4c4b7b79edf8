import assert from "node:assert/strict";
import { startRealTimer, systemClock } from "../../../sdk/src/time/clock.js";

/** The timers that keep this process alive. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

describe("systemClock", () => {
    it("rejects with the signal's reason if it is already aborted", async () => {
        const reason = new Error("stopped");
        await assert.rejects(systemClock.sleep(60_000, AbortSignal.abort(reason)), reason);
    });

    it("rejects with the signal's reason as soon as it is aborted", async () => {
        const reason = new Error("stopped");
        const controller = new AbortController();
        const sleep = systemClock.sleep(60_000, controller.signal);
        controller.abort(reason);
        await assert.rejects(sleep, reason);
    });

    it("does not fire immediately for a delay that would overflow Node's timers", async () => {
        const controller = new AbortController();
        const sleep = systemClock.sleep(2 ** 40, controller.signal).then(() => "woke up");
        const overflowed = await Promise.race([sleep, systemClock.sleep(20).then(() => "sleeps")]);
        controller.abort(new Error("enough"));
        await assert.rejects(sleep);
        assert.equal(overflowed, "sleeps");
    });

    it("leaves no timer behind once it is aborted", async () => {
        const controller = new AbortController();
        const before = timers();
        const sleep = systemClock.sleep(60_000, controller.signal);
        controller.abort(new Error("stopped"));
        const after = timers();
        await assert.rejects(sleep);
        assert.equal(after, before);
    });

    for (const ms of [0, -5, NaN]) {
        it(`does not wait for ${ms} ms`, async () => {
            await systemClock.sleep(ms);
        });
    }
});

describe("A real timer", () => {
    it("fires once after its time", async () => {
        await new Promise<void>((fired) => startRealTimer(1, fired));
    });

    it("does not fire once it is stopped", () => {
        const before = timers();
        startRealTimer(60_000, () => assert.fail("it fired")).stop();
        assert.equal(timers(), before);
    });

    it("does not fire immediately for a delay that would overflow Node's timers", async () => {
        let hasFired = false;
        const timer = startRealTimer(2 ** 40, () => (hasFired = true));
        await systemClock.sleep(5);
        timer.stop();
        assert.equal(hasFired, false);
    });
});
