import { maxTimerSeconds } from "@pulumi-static-export/contract";
import { onAbort } from "./on-abort.js";

/** The clock for all waits and time comparisons of this package. Injectable, so that specs never sleep. */
export interface Clock {
    /** Milliseconds since the epoch. */
    now(): number;
    /** Resolves after `ms`; rejects with `signal.reason` as soon as the signal is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
    /**
     * Calls back once after `ms`, counted again from each `restart`. Used for request timeouts.
     * @default timers of the machine, because sockets run in real time
     */
    startTimer?(ms: number, callback: () => void): Timer;
}

/** A timer that was started. */
export interface Timer {
    restart(): void;
    stop(): void;
}

const maxTimerMs = maxTimerSeconds * 1000;

/** Starts a real timer of at most {@link maxTimerSeconds}. */
export function startRealTimer(ms: number, callback: () => void): Timer {
    const timer = setTimeout(callback, Math.min(Math.max(ms, 0), maxTimerMs));
    return { restart: () => void timer.refresh(), stop: () => clearTimeout(timer) };
}

/** The machine's clock. One `sleep` lasts at most {@link maxTimerSeconds}; NaN and negative delays do not wait. */
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
                Math.min(Math.max(ms || 0, 0), maxTimerMs),
            );
            const forget = onAbort(signal, () => {
                clearTimeout(timer);
                reject(signal?.reason as Error);
            });
        }),
};
