import type { Clock } from "../time/clock.js";

/** The result of one successful poll. */
export interface Polled<T> {
    value: T;
    /** The server's Retry-After, bounded by the caller: the next poll is not made earlier. */
    retryAfterMs?: number | undefined;
}

export interface PollerOptions<T> {
    poll(signal: AbortSignal | undefined): Promise<Polled<T>>;
    isDone(value: T): boolean;
    /** Returns the delay before the next poll, after a poll that returned `value`. */
    nextDelayMs(value: T): number;
    /** Returns the delay after `failures` consecutive failed polls; undefined if the error ends the wait. */
    failedDelayMs(error: unknown, failures: number): number | undefined;
    onValue?: ((value: T) => void) | undefined;
    /** Called for a failed poll that will be retried. */
    onFailure?: ((error: unknown) => void) | undefined;
    clock: Clock;
    /** The time of the last poll, unless an earlier poll ends the wait. */
    deadlineMs: number;
    signal?: AbortSignal | undefined;
}

/** The result of a wait: done or deadline, with the last value and, if the last poll failed, its error. */
type PollOutcome<T> = { done: true; value: T } | { done: false; last: T | undefined; lastError: unknown };

/**
 * Polls immediately and then at the given delays until the value is done or the deadline is reached. Never sleeps past
 * the deadline: the last poll is made at the deadline. Independent of HTTP and jobs.
 */
export async function pollUntil<T>(options: PollerOptions<T>): Promise<PollOutcome<T>> {
    const { clock, deadlineMs, signal } = options;
    let last: T | undefined;
    for (let failures = 0; ;) {
        signal?.throwIfAborted();
        const isLast = clock.now() >= deadlineMs;
        const attempt = await pollOnce(options);
        let delayMs: number;
        if ("polled" in attempt) {
            const { value, retryAfterMs = 0 } = attempt.polled;
            last = value;
            failures = 0;
            options.onValue?.(value);
            if (options.isDone(value)) {
                return { done: true, value };
            }
            delayMs = Math.max(options.nextDelayMs(value), retryAfterMs);
        } else {
            failures += 1;
            const failedDelayMs = signal?.aborted ? undefined : options.failedDelayMs(attempt.error, failures);
            if (failedDelayMs === undefined) {
                throw attempt.error;
            }
            delayMs = failedDelayMs;
        }
        if (isLast) {
            return { done: false, last, lastError: "error" in attempt ? attempt.error : undefined };
        }
        if ("error" in attempt) {
            options.onFailure?.(attempt.error);
        }
        await clock.sleep(Math.max(0, Math.min(delayMs, deadlineMs - clock.now())), signal);
    }
}

async function pollOnce<T>(options: PollerOptions<T>): Promise<{ polled: Polled<T> } | { error: unknown }> {
    try {
        return { polled: await options.poll(options.signal) };
    } catch (error) {
        return { error };
    }
}
