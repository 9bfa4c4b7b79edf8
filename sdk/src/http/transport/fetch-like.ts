/** The part of a fetch request that this package uses. */
export interface FetchRequest {
    method: "GET" | "POST" | "PATCH" | "DELETE";
    headers: Record<string, string>;
    body?: string;
    /** This package itself checks and follows redirects. */
    redirect: "manual";
    signal: AbortSignal;
}

/** The part of a fetch response that this package uses. */
export interface FetchResponse {
    readonly status: number;
    readonly headers: { get(name: string): string | null };
    readonly body: AsyncIterable<Uint8Array | string> | null;
}

/** The type of an injectable fetch function. node-fetch and Node's own fetch both match. */
export type FetchLike = (url: string, request: FetchRequest) => Promise<FetchResponse>;
