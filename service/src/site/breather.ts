import { setImmediate } from "node:timers/promises";

/** Work of at most this length stands between two turns of the event loop. */
const longestStretchMs = 12;

/** Call the result between two pieces of work: it stops an aborted task, and lets others have their turn. */
export function createBreather(signal: AbortSignal | undefined): () => Promise<void> {
    let turnStartedMs = performance.now();
    return async () => {
        signal?.throwIfAborted();
        if (performance.now() - turnStartedMs < longestStretchMs) {
            return;
        }
        await setImmediate();
        signal?.throwIfAborted();
        turnStartedMs = performance.now();
    };
}
