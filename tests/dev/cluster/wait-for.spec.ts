import assert from "node:assert/strict";
import { waitFor } from "../../../dev/cluster/src/cluster/wait-for.js";

describe("waitFor", () => {
    /** Returns a clock that advances only by waiting. */
    const clock = () => {
        let time = 0;
        return {
            now: () => time,
            delay: (durationMs: number) => Promise.resolve((time += durationMs)),
        };
    };

    it("checks until nothing is missing", async () => {
        const answers = ["this", "that", undefined, "never asked"];
        const time = clock();
        assert.equal(await waitFor(() => Promise.resolve(answers.shift()), { timeoutMs: 1000, ...time }), undefined);
        assert.deepEqual([answers, time.now()], [["never asked"], 200]);
    });

    it("returns what was missing at the timeout", async () => {
        let looks = 0;
        const look = () => Promise.resolve(`missing ${++looks}`);
        assert.equal(await waitFor(look, { timeoutMs: 300, ...clock() }), "missing 4");
    });

    it("treats an error as something that is still missing", async () => {
        const look = () => Promise.reject(new Error("connection refused"));
        assert.equal(await waitFor(look, { timeoutMs: 100, ...clock() }), "connection refused");
    });

    it("rejects with the signal's reason, even while it waits", async () => {
        const interrupted = new AbortController();
        const reason = new Error("interrupted");
        const look = () => {
            interrupted.abort(reason);
            return Promise.resolve("something");
        };
        const waiting = waitFor(look, { timeoutMs: 60_000, intervalMs: 60_000, signal: interrupted.signal });
        await assert.rejects(waiting, reason);
    });
});
