import assert from "node:assert/strict";
import { systemClock } from "@pulumi-static-export/sdk/internal";

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

    for (const ms of [0, -5, NaN]) {
        it(`does not wait for ${ms} ms`, async () => {
            await systemClock.sleep(ms);
        });
    }
});
