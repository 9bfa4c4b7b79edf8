import { type Clock } from "./clock.js";

export interface RetryContext {
    clock: Clock;
    signal?: AbortSignal | undefined;
    /** No wait goes beyond this instant: when the next attempt would, the last error is thrown instead. */
    deadlineMs?: number | undefined;
    /** How long to wait before the next attempt, or undefined to give up. `attempt`, from 1, is the one that failed. */
    delayMs(error: unknown, attempt: number, elapsedMs: number): number | undefined;
}

/** Runs `run` until it succeeds or `delayMs` gives up; then throws the last error. */
export async function withRetries<T>(run: () => Promise<T>, context: RetryContext): Promise<T> {
    const { clock, signal, deadlineMs = Infinity } = context;
    const startedMs = clock.now();
    for (let attempt = 1; ; attempt += 1) {
        try {
            return await run();
        } catch (error) {
            const delayMs = signal?.aborted ? undefined : context.delayMs(error, attempt, clock.now() - startedMs);
            if (delayMs === undefined || clock.now() + delayMs >= deadlineMs) {
                throw error;
            }
            await clock.sleep(delayMs, signal);
        }
    }
}
