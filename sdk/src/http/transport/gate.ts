import { onAbort } from "../../time/on-abort.js";

/** Limits how many functions run at the same time. Further calls wait in order. */
export type Gate = <T>(signal: AbortSignal | undefined, run: () => Promise<T>) => Promise<T>;

/**
 * Creates a gate for at most `maxAtOnce` functions. Aborting `signal` during the wait rejects with `signal.reason`, and
 * `run` is not called.
 */
export function createGate(maxAtOnce: number): Gate {
    let running = 0;
    const waiting = new Set<() => void>();

    const enter = (signal: AbortSignal | undefined) =>
        new Promise<void>((resolve, reject) => {
            if (running < maxAtOnce) {
                running += 1;
                resolve();
                return;
            }
            const start = () => {
                waiting.delete(start);
                forget();
                running += 1;
                resolve();
            };
            const forget = onAbort(signal, () => {
                waiting.delete(start);
                reject(signal?.reason as Error);
            });
            waiting.add(start);
        });

    return async (signal, run) => {
        signal?.throwIfAborted();
        await enter(signal);
        try {
            return await run();
        } finally {
            running -= 1;
            const [next] = waiting;
            next?.();
        }
    };
}
