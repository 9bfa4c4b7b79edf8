import assert from "node:assert/strict";
import { createGate } from "../../../../sdk/src/http/transport/gate.js";
import { rejectionOf } from "../../support/client.js";

/** Creates a task that runs until the spec ends it. */
function createTask() {
    let end: (error?: Error) => void = () => undefined;
    let started = false;
    const ended = new Promise<void>((resolve, reject) => {
        end = (error) => (error === undefined ? resolve() : reject(error));
    });
    return { end: (error?: Error) => end(error), isStarted: () => started, run: () => ((started = true), ended) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("createGate", () => {
    it("runs functions in order, and no more than its limit at the same time", async () => {
        const gate = createGate(2);
        const tasks = [createTask(), createTask(), createTask(), createTask()] as const;
        const all = Promise.all(tasks.map((task) => gate(undefined, task.run)));
        const started = () => tasks.map((task) => task.isStarted());
        await settle();
        assert.deepEqual(started(), [true, true, false, false]);
        tasks[1].end();
        await settle();
        assert.deepEqual(started(), [true, true, true, false]);
        tasks.forEach((task) => task.end());
        await all;
        assert.deepEqual(started(), [true, true, true, true]);
    });

    it("runs all functions, and returns each result", async () => {
        const gate = createGate(2);
        let running = 0;
        let most = 0;
        const results = await Promise.all(
            Array.from({ length: 7 }, (_, index) =>
                gate(undefined, async () => {
                    most = Math.max(most, ++running);
                    await settle();
                    running -= 1;
                    return index;
                }),
            ),
        );
        assert.equal(most, 2);
        assert.deepEqual(results, [0, 1, 2, 3, 4, 5, 6]);
    });

    it("starts the next function after a failure", async () => {
        const gate = createGate(1);
        const oops = new Error("oops");
        const failing = gate(undefined, () => Promise.reject(oops));
        const next = gate(undefined, () => Promise.resolve("done"));
        assert.equal(await rejectionOf(failing), oops);
        assert.equal(await next, "done");
    });

    it("does not run a function that is aborted while waiting, and rejects with the signal's reason", async () => {
        const gate = createGate(1);
        const [first, aborted, last] = [createTask(), createTask(), createTask()];
        const controller = new AbortController();
        const running = gate(undefined, first.run);
        const waiting = gate(controller.signal, aborted.run);
        const lastRunning = gate(undefined, last.run);
        const reason = new Error("stop");
        controller.abort(reason);
        assert.equal(await rejectionOf(waiting), reason);
        first.end();
        last.end();
        await Promise.all([running, lastRunning]);
        assert.equal(aborted.isStarted(), false);
    });
});
