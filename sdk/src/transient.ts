import { backoffMs, type BackoffOptions } from "./backoff.js";
import { ConnectionError, HttpError, RequestTimeoutError } from "./errors/index.js";

/** However long a server asks to wait, it is asked again after this. */
export const longestRetryAfterMs = 120_000;

/** Whether the same request may succeed later. TLS failures are not: certificates do not heal within a wait. */
export function isTransient(error: unknown): boolean {
    if (error instanceof HttpError) {
        return error.status === 408 || error.status === 429 || (error.status >= 500 && error.status <= 599);
    }
    if (error instanceof ConnectionError) {
        return error.failure !== "tls" && error.failure !== "protocol";
    }
    return error instanceof RequestTimeoutError;
}

/**
 * Whether the request provably had no effect and may be sent once more even though it starts something: it never
 * reached the server, or was turned away by 429. Not 503, with or without Retry-After: a gateway says that too when the
 * server behind it took the request and then went away.
 */
export function provablyHadNoEffect(error: unknown): boolean {
    return (
        (error instanceof ConnectionError && error.neverSent && isTransient(error)) ||
        (error instanceof HttpError && error.status === 429)
    );
}

/** Whether a request that starts something may have done so although it failed. */
export function mayHaveHadEffect(error: unknown): boolean {
    if (error instanceof HttpError) {
        return error.status === 408 || error.status >= 500;
    }
    return !(error instanceof ConnectionError && error.neverSent);
}

/** The wait before the next attempt: what the server asked for, bounded and jittered upwards, or else a backoff. */
export function retryDelayMs(error: unknown, attempt: number, backoff: BackoffOptions): number {
    const retryAfterMs = error instanceof HttpError ? error.retryAfterMs : undefined;
    return retryAfterMs === undefined
        ? backoffMs(attempt, backoff)
        : Math.min(retryAfterMs, longestRetryAfterMs) + backoffMs(1, backoff);
}
