import type { FetchResponse } from "./fetch-like.js";

/** What the answers of a server have told about the Idempotency-Key of requests that start something. */
export interface KeySupport {
    /** How long the server keeps a key, and a repetition finds what it started; 0 while no answer has said so. */
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
            // An answer without the header says nothing: it may be a proxy's.
            if (/^\d{1,9}$/.test(maxAge)) {
                keptMs = Number(maxAge) * 1000;
            }
        },
    };
}
