import type { FetchResponse } from "./transport/fetch-like.js";

/** A server's support for Idempotency-Key, according to its responses. */
export interface KeySupport {
    /**
     * How long the server keeps a key, so that a retry returns the existing job; 0 until a response has contained it.
     */
    readonly keptMs: number;
    note(response: Pick<FetchResponse, "headers">): void;
}

export function createKeySupport(): KeySupport {
    let keptMs = 0;
    return {
        get keptMs() {
            return keptMs;
        },
        note: ({ headers }) => {
            const maxAge = headers.get("idempotency-key-max-age") ?? "";
            // A response without the header may come from a proxy, so it does not prove that the server ignores keys.
            if (/^\d{1,9}$/.test(maxAge)) {
                keptMs = Number(maxAge) * 1000;
            }
        },
    };
}
