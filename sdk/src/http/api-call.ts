import type { CallContext } from "../errors/index.js";

/** One call of the admin API. */
export interface ApiCall<T> {
    context: Omit<CallContext, "operation" | "url">;
    method: "GET" | "POST" | "PATCH" | "DELETE";
    /** The encoded path, relative to the base URL. */
    path: string;
    body?: unknown;
    idempotencyKey?: string;
    /** Throws {@link DecodeProblem}. */
    decode(value: unknown, clean: (text: string) => string, serverTimeMs: number | undefined): T;
}

export interface ApiAnswer<T> {
    value: T;
    /** The `Retry-After` of a successful response, unbounded. */
    retryAfterMs: number | undefined;
    /** Whether an earlier request with this Idempotency-Key got the same response, according to the server. */
    isReplayed: boolean;
}
