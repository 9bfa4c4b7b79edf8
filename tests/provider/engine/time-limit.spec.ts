import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { mock } from "node:test";
import { timeoutMsOf, type TransferContext, transfer } from "../../../provider/src/engine/time-limit.js";

/** As libraries do, which pass the reason on only as a cause. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new DOMException("Request aborted", "AbortError")));
    });

describe("A transfer", () => {
    const run = (
        work: (signal: AbortSignal) => Promise<string>,
        { signal = new AbortController().signal, ms = 60_000 },
    ) =>
        transfer(
            { signal, engine: { finish: (finish) => finish() } } satisfies TransferContext,
            (_, use) => use(),
            { timeoutMs: ms, timeoutMessage: "not finished within its limit" },
            work,
        );

    it("fails after its limit with a message that names it, whatever its libraries say", async () => {
        await assert.rejects(run(untilAborted, { ms: 1 }), /^Error: not finished within its limit$/);
    });

    it("fails with the reason if the engine ends the run", async () => {
        const controller = new AbortController();
        const running = run(untilAborted, { signal: controller.signal });
        controller.abort(new Error("the engine is gone"));
        await assert.rejects(running, /^Error: the engine is gone$/);
    });

    it("does not begin once the engine has ended the run", async () => {
        const signal = AbortSignal.abort(new Error("the engine is gone"));
        await assert.rejects(
            run(() => assert.fail("began"), { signal }),
            /^Error: the engine is gone$/,
        );
    });

    it("is over once its work has ended: neither the limit nor the engine aborts anything later", async () => {
        mock.timers.enable({ apis: ["setTimeout"] });
        try {
            const { signal } = new AbortController();
            let ofWork: AbortSignal | undefined;
            await run((given) => Promise.resolve(((ofWork = given), "copied")), { signal });
            mock.timers.tick(60_000);
            assert.deepEqual([ofWork?.aborted, getEventListeners(signal, "abort").length], [false, 0]);
        } finally {
            mock.timers.reset();
        }
    });

    it("fails with its own error, and returns its result", async () => {
        await assert.rejects(
            run(() => Promise.reject(new Error("refused")), {}),
            /refused/,
        );
        assert.equal(await run(() => Promise.resolve("copied"), {}), "copied");
    });
});

describe("The time limit of a run", () => {
    it("is that of the operation, otherwise that of the program, otherwise an hour", () => {
        assert.equal(timeoutMsOf({ timeoutSeconds: 5 }, { timeoutSeconds: 10 }), 5000);
        assert.equal(timeoutMsOf({}, { timeoutSeconds: 10 }), 10_000);
        assert.equal(timeoutMsOf({}, {}), 3600_000);
    });
});
