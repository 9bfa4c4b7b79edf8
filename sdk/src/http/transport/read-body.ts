import type { FetchResponse } from "./fetch-like.js";

/**
 * Reads the body as text. Returns undefined as soon as the body is longer than `maxBytes`, without reading the rest.
 */
export async function readBody(response: FetchResponse, maxBytes: number): Promise<string | undefined> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
        const buffer = Buffer.from(chunk as Uint8Array);
        bytes += buffer.length;
        if (bytes > maxBytes) {
            return undefined;
        }
        chunks.push(buffer);
    }
    return Buffer.concat(chunks).toString("utf8");
}
