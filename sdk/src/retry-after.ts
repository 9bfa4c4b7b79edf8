import { parseHttpDate } from "./http-date.js";

/**
 * Milliseconds that a `Retry-After` header asks to wait: whole seconds or an HTTP date (RFC 9110, 10.2.3), where a date
 * that has passed is 0. Undefined when it is neither; the two obsolete date forms count as neither.
 */
export function parseRetryAfter(value: string | null | undefined, nowMs: number): number | undefined {
    const text = value?.trim() ?? "";
    if (/^\d{1,10}$/.test(text)) {
        return Number(text) * 1000;
    }
    const dateMs = parseHttpDate(text);
    return dateMs === undefined ? undefined : Math.max(0, dateMs - nowMs);
}
