import { setImmediate } from "node:timers/promises";

/** The longest time before the event loop gets a turn. */
const maxStretchMs = 12;

/**
 * Returns a function to call between two steps. The function throws if the task was aborted, and gives the event loop a
 * turn.
 */
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
