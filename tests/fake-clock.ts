import type { Clock } from "@pulumi-static-export/sdk";

/** A clock that advances only when code sleeps; sleeping takes no real time. */
export class FakeClock implements Clock {
    #nowMs: number;
    /** All sleep delays, in order. */
    readonly sleptMs: number[] = [];
    readonly #everySecond = new Set<() => Promise<void>>();
    #lastSecondMs = 0;

    /** @param start a date, or milliseconds since 1970 */
    constructor(start: string | number = "2026-11-20T12:00:00Z") {
        this.#nowMs = new Date(start).getTime();
    }

    readonly now = (): number => this.#nowMs;

    readonly sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
        signal?.throwIfAborted();
        this.sleptMs.push(ms);
        if (this.#everySecond.size > 0) {
            await this.#passInSeconds(ms);
        } else {
            this.pass(Math.max(0, ms));
        }
        await new Promise((resolve) => setImmediate(resolve));
    };

    /** Runs the periodic work of a process at least every second of a sleep. */
    everySecond(act: () => Promise<void>): { stop(): void } {
        this.#everySecond.add(act);
        return { stop: () => void this.#everySecond.delete(act) };
    }

    async #passInSeconds(ms: number): Promise<void> {
        for (let leftMs = Math.max(0, ms); leftMs > 0; leftMs -= 1000) {
            this.pass(Math.min(1000, leftMs));
            if (this.#nowMs - this.#lastSecondMs >= 1000) {
                this.#lastSecondMs = this.#nowMs;
                await Promise.all([...this.#everySecond].map((act) => act()));
            }
        }
    }

    pass(ms: number): void {
        this.#nowMs += ms;
    }
}
