import { repeat } from "@pulumi-static-export/contract";
import { type Clock } from "../time/clock.js";
import { ConnectionError, HttpError, RequestTimeoutError } from "../errors/index.js";

interface RetryContext {
    clock: Clock;
    signal?: AbortSignal | undefined;
    /** No attempt is made after this time: the last error is thrown instead. */
    deadlineMs?: number | undefined;
    /**
     * How long to wait before the next attempt, or undefined to give up. `attempt` is the number of the failed attempt,
     * counted from 1.
     */
    delayMs(error: unknown, attempt: number, elapsedMs: number): number | undefined | Promise<number | undefined>;
}

/** Runs `run` until it succeeds or `delayMs` gives up; then throws the last error. */
export async function withRetries<T>(run: () => Promise<T>, context: RetryContext): Promise<T> {
    const { clock, signal, deadlineMs = Infinity } = context;
    const startedMs = clock.now();
    return repeat(run, {
        delayMs: async (error, attempt) => {
            const elapsedMs = clock.now() - startedMs;
            const delayMs = signal?.aborted ? undefined : await context.delayMs(error, attempt, elapsedMs);
            return delayMs === undefined || clock.now() + delayMs >= deadlineMs ? undefined : delayMs;
        },
        sleep: (ms) => clock.sleep(ms, signal),
    });
}

/** The maximum wait, even if a server asks for a longer one. */
export const maxRetryAfterMs = 120_000;

/** How long to wait before a job that the server does not find is asked for again. */
export const absenceCheckMs = 5000;

/** Whether the same request may succeed later. Waiting does not fix invalid certificates or local problems. */
export function isTransient(error: unknown): boolean {
    if (error instanceof HttpError) {
        return error.status === 408 || error.status === 429 || (error.status >= 500 && error.status <= 599);
    }
    if (error instanceof ConnectionError) {
        return !["local", "tls", "no-tls", "protocol"].includes(error.failure);
    }
    return error instanceof RequestTimeoutError;
}

/**
 * Whether the request provably had no effect, so that it can be retried although it starts something: it never reached
 * the server, or was rejected with 429. A 503 proves nothing, with or without Retry-After: a gateway also returns 503
 * when the server behind it accepted the request and then went away.
 */
export function provablyHadNoEffect(error: unknown): boolean {
    return (
        (error instanceof ConnectionError && error.neverSent && isTransient(error)) ||
        (error instanceof HttpError && error.status === 429)
    );
}

/** Whether a failed request that starts something may have had an effect. */
export function mayHaveHadEffect(error: unknown): boolean {
    if (error instanceof HttpError) {
        return error.status === 408 || error.status >= 500;
    }
    return !(error instanceof ConnectionError && error.neverSent);
}

/**
 * Returns the delay before the next attempt: the server's Retry-After, bounded and with added jitter, otherwise a
 * backoff.
 */
export function retryDelayMs(error: unknown, attempt: number, backoff: BackoffOptions): number {
    const retryAfterMs = error instanceof HttpError ? error.retryAfterMs : undefined;
    return retryAfterMs === undefined
        ? backoffMs(attempt, backoff)
        : Math.min(retryAfterMs, maxRetryAfterMs) + backoffMs(1, backoff);
}

export interface BackoffOptions {
    baseMs: number;
    capMs: number;
    /** In [0, 1). */
    random: () => number;
}

/** Returns an exponential backoff with full jitter, between 0 and `capMs`. `attempt` starts at 1. */
export function backoffMs(attempt: number, { baseMs, capMs, random }: BackoffOptions): number {
    return random() * Math.min(capMs, baseMs * 2 ** (attempt - 1));
}

/**
 * The milliseconds of a `Retry-After` header: whole seconds or an HTTP date (RFC 9110, 10.2.3), where a date in the
 * past is 0. Undefined for other values, including the two obsolete date formats.
 */
export function parseRetryAfter(value: string | null | undefined, nowMs: number): number | undefined {
    const text = value?.trim() ?? "";
    if (/^\d{1,10}$/.test(text)) {
        return Number(text) * 1000;
    }
    const dateMs = parseHttpDate(text);
    return dateMs === undefined ? undefined : Math.max(0, dateMs - nowMs);
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const imfFixdate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;

/**
 * Returns the milliseconds since the epoch of an HTTP date (RFC 9110, 5.6.7); undefined for the two obsolete formats.
 */
export function parseHttpDate(text: string): number | undefined {
    const match = imfFixdate.exec(text);
    if (match === null) {
        return undefined;
    }
    const [day, month, year, hour, minute, second] = [
        Number(match[1]),
        months.indexOf(match[2] ?? ""),
        Number(match[3]),
        Number(match[4]),
        Number(match[5]),
        Number(match[6]),
    ] as const;
    const date = new Date(Date.UTC(year, month, day, hour, minute, Math.min(second, 59)));
    // An hour beyond 23 changes the day.
    const exists = month >= 0 && date.getUTCDate() === day && minute <= 59 && second <= 60;
    return exists ? date.getTime() : undefined;
}
