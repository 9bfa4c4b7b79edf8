import { onAbort } from "./on-abort.js";

/** The clock that everything here uses to wait and to compare times. Injectable, so that specs never sleep. */
export interface Clock {
    /** Milliseconds since the epoch. */
    now(): number;
    /** Resolves after `ms`; rejects with `signal.reason` as soon as the signal is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Longer timers overflow in Node and fire after 1 ms. */
export const longestTimerMs = 2 ** 31 - 1;

/** The machine's clock. One `sleep` lasts at most {@link longestTimerMs}; NaN and negative delays do not wait. */
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
