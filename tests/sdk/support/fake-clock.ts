import type { Clock } from "@pulumi-static-export/sdk";

export interface FakeClock extends Clock {
    now: () => number;
    /** Every delay that was slept, in order. */
    readonly sleptMs: readonly number[];
    advance(ms: number): void;
}

/** A clock on which sleeping takes no time, and moves the time by exactly as much as was asked for. */
export function createFakeClock(startMs = Date.UTC(2026, 10, 20)): FakeClock {
    let nowMs = startMs;
    const sleptMs: number[] = [];
    return {
        sleptMs,
        now: () => nowMs,
        advance: (ms) => {
            nowMs += ms;
        },
        sleep: async (ms, signal) => {
            signal?.throwIfAborted();
            sleptMs.push(ms);
            nowMs += ms;
            await Promise.resolve();
        },
    };
}
