/** The part of a fetch request that this package uses. */
export interface FetchRequest {
    method: "GET" | "POST";
    headers: Record<string, string>;
    body?: string;
    /** Redirects are judged here, not in fetch. */
    redirect: "manual";
    signal: AbortSignal;
}

/** The part of a fetch response that this package uses. */
export interface FetchResponse {
    readonly status: number;
    readonly headers: { get(name: string): string | null };
    readonly body: AsyncIterable<Uint8Array | string> | null;
}

/** What an injected fetch must be able to do: node-fetch's and Node's own fetch both fit. */
export type FetchLike = (url: string, request: FetchRequest) => Promise<FetchResponse>;
