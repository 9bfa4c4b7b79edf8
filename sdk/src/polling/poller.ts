import type { Clock } from "../time/clock.js";

/** One successful look at what is waited for. */
export interface Polled<T> {
    value: T;
    /** The server's wish, bounded by whoever made this; the next poll comes no sooner. */
    retryAfterMs?: number | undefined;
}

export interface PollerOptions<T> {
    poll(signal: AbortSignal | undefined): Promise<Polled<T>>;
    isDone(value: T): boolean;
    /** The delay before the next poll, after a poll that showed `value`. */
    nextDelayMs(value: T): number;
    /** The delay after `failures` failed polls in a row; undefined when the error ends the wait. */
    failedDelayMs(error: unknown, failures: number): number | undefined;
    onValue?: ((value: T) => void) | undefined;
    /** Called for a failed poll that will be repeated. */
    onFailure?: ((error: unknown) => void) | undefined;
    clock: Clock;
    /** The last poll begins now, unless an earlier one was the last. */
    deadlineMs: number;
    signal?: AbortSignal | undefined;
}

/** How a wait ended: done, or at its deadline with what was seen last and why the last poll failed, if it did. */
export type PollOutcome<T> = { done: true; value: T } | { done: false; last: T | undefined; lastError: unknown };

/**
 * Polls at once and then at the given delays until the value is done or the deadline has come. Never sleeps past the
 * deadline: when a delay would, the last poll is made at the deadline. Knows nothing of HTTP or jobs.
 */
export async function pollUntil<T>(options: PollerOptions<T>): Promise<PollOutcome<T>> {
    const { clock, deadlineMs, signal } = options;
    let last: T | undefined;
    for (let failures = 0; ;) {
        signal?.throwIfAborted();
        const isLast = clock.now() >= deadlineMs;
        const look = await lookOnce(options);
        let delayMs: number;
        if ("polled" in look) {
            const { value, retryAfterMs = 0 } = look.polled;
            last = value;
            failures = 0;
            options.onValue?.(value);
            if (options.isDone(value)) {
                return { done: true, value };
            }
            delayMs = Math.max(options.nextDelayMs(value), retryAfterMs);
        } else {
            failures += 1;
            const failedDelayMs = signal?.aborted ? undefined : options.failedDelayMs(look.error, failures);
            if (failedDelayMs === undefined) {
                throw look.error;
            }
            delayMs = failedDelayMs;
        }
        if (isLast) {
            return { done: false, last, lastError: "error" in look ? look.error : undefined };
        }
        if ("error" in look) {
            options.onFailure?.(look.error);
        }
        await clock.sleep(Math.max(0, Math.min(delayMs, deadlineMs - clock.now())), signal);
    }
}

async function lookOnce<T>(options: PollerOptions<T>): Promise<{ polled: Polled<T> } | { error: unknown }> {
    try {
        return { polled: await options.poll(options.signal) };
    } catch (error) {
        return { error };
    }
}
