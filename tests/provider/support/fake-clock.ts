import type { Clock } from "@pulumi-static-export/sdk";

/** A clock that moves only when somebody sleeps, and then at once. */
export class FakeClock implements Clock {
    #nowMs: number;

    constructor(startAt = "2026-11-20T12:00:00Z") {
        this.#nowMs = Date.parse(startAt);
    }

    readonly now = (): number => this.#nowMs;

    readonly sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
        signal?.throwIfAborted();
        this.pass(Math.max(0, ms));
        await new Promise((resolve) => setImmediate(resolve));
    };

    pass(ms: number): void {
        this.#nowMs += ms;
    }
}
