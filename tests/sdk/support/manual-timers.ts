import type { Timer } from "@pulumi-static-export/sdk";

interface PendingTimer {
    dueMs: number;
    callback: () => void;
}

/** Timers that fire only in `advance`. */
export class ManualTimers {
    #nowMs = 0;
    readonly #pending = new Set<PendingTimer>();

    readonly startTimer = (ms: number, callback: () => void): Timer => {
        const timer = { dueMs: this.#nowMs + ms, callback };
        this.#pending.add(timer);
        return {
            restart: () => void (timer.dueMs = this.#nowMs + ms),
            stop: () => void this.#pending.delete(timer),
        };
    };

    advance(ms: number): void {
        this.#nowMs += ms;
        for (const timer of this.#pending) {
            if (timer.dueMs <= this.#nowMs) {
                this.#pending.delete(timer);
                timer.callback();
            }
        }
    }
}
