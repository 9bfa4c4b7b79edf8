import { readArchive } from "./download-archive.js";
import { systemClock } from "../time/clock.js";
import type { FetchLike } from "../http/transport/fetch-like.js";
import { createNodeTransport } from "../http/transport/node-transport.js";

/** Options for reading a bundle as a stream. */
export interface ReadBundleOptions {
    /** How long to wait for further data from the server, and for `consume` to process one chunk. */
    idleTimeoutMs: number;
    signal?: AbortSignal | undefined;
    /** Replaces node-fetch. The function must not decode an archive that the storage labels with a Content-Encoding. */
    fetch?: FetchLike | undefined;
}

/**
 * Streams the archive behind a bundle link to `consume`, unchanged and without sending the API key, to copy it without
 * unpacking. Makes one attempt: after a failure, discard what was consumed.
 * @throws HttpError, ConnectionError, RequestTimeoutError or BundleError when the download fails, and any error that
 * `consume` throws
 */
export async function readBundle<T>(
    bundleUrl: string,
    { idleTimeoutMs, signal, fetch }: ReadBundleOptions,
    consume: (chunks: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
    const transport = createNodeTransport({ decode: false });
    const options = { fetch: fetch ?? transport.fresh, idleTimeoutMs, signal, clock: systemClock };
    try {
        return await readArchive(bundleUrl, options, consume);
    } finally {
        transport.close();
    }
}
