import { setImmediate } from "node:timers/promises";

/** The event loop gets a turn at least this often. */
const maxStretchMs = 12;

/** Call the result between two pieces of work: it throws if the task was aborted, and gives the event loop its turn. */
export function createYieldToEventLoop(signal: AbortSignal | undefined): () => Promise<void> {
    let turnStartedMs = performance.now();
    return async () => {
        signal?.throwIfAborted();
        if (performance.now() - turnStartedMs < maxStretchMs) {
            return;
        }
        await setImmediate();
        signal?.throwIfAborted();
        turnStartedMs = performance.now();
    };
}
