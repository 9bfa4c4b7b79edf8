import assert from "node:assert/strict";
import { type TransferContext, transfer } from "../../../provider/src/engine/time-limit.js";

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

    it("fails with its own error, and returns its result", async () => {
        await assert.rejects(
            run(() => Promise.reject(new Error("refused")), {}),
            /refused/,
        );
        assert.equal(await run(() => Promise.resolve("copied"), {}), "copied");
    });
});
