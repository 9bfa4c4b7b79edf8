import { beginningOf } from "@pulumi-static-export/contract";
import { type Headers } from "node-fetch";

/** Added to the time at which a limit ends, because clocks differ. */
const marginMs = 1000;

interface LimitedAnswer {
    status: number;
    headers: Headers;
    body: unknown;
}

/** GitHub answers 403 both for a missing permission and for a rate limit; the headers and the message tell them apart. */
export function isRateLimited({ status, headers, body }: LimitedAnswer): boolean {
    const isUsedUp = headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after");
    const { message } = (body ?? {}) as { message?: unknown };
    const isTold = typeof message === "string" && /rate limit/i.test(beginningOf(message, 1000));
    return status === 429 || (status === 403 && (isUsedUp || isTold));
}

/** How long the server asks clients to wait; undefined if the response does not say. */
export function rateLimitMs(headers: Headers, nowMs: number): number | undefined {
    const asked = readRetryAfter(headers.get("retry-after"), nowMs);
    const reset = headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset");
    if (asked !== undefined || reset === null || !/^\d{1,11}$/.test(reset)) {
        return asked;
    }
    return Math.max(0, Number(reset) * 1000 - nowMs) + marginMs;
}

/** Parses a Retry-After header, which contains seconds or a date. */
function readRetryAfter(value: string | null, nowMs: number): number | undefined {
    if (value !== null && /^\d{1,10}$/.test(value)) {
        return Number(value) * 1000;
    }
    const dateMs = Date.parse(value ?? "");
    return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
