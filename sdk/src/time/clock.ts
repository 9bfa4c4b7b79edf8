import { onAbort } from "./on-abort.js";

/** Time as an argument: everything here that waits or compares instants asks one of these, so specs never sleep. */
export interface Clock {
    /** Milliseconds since the epoch. */
    now(): number;
    /** Resolves after `ms`; rejects with `signal.reason` as soon as the signal is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Above this Node's timers overflow and fire after 1 ms. */
export const longestTimerMs = 2 ** 31 - 1;

/** The machine's own. One `sleep` lasts at most {@link longestTimerMs}; NaN and negative delays are no delay. */
export const systemClock: Clock = {
    now: () => Date.now(),
    sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
            if (signal?.aborted) {
                reject(signal.reason as Error);
                return;
            }
            const timer = setTimeout(
                () => {
                    forget();
                    resolve();
                },
                Math.min(Math.max(ms || 0, 0), longestTimerMs),
            );
            const forget = onAbort(signal, () => {
                clearTimeout(timer);
                reject(signal?.reason as Error);
            });
        }),
};
