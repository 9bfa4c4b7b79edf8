import { createHash } from "node:crypto";
import { cleanServerText } from "@pulumi-static-export/contract";
import { open } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { constants, createGunzip, gunzipSync } from "node:zlib";
import { classifyConnectionFailure, createShowableCause } from "../http/connection-failure.js";
import { BundleError, type CallContext, ConnectionError, HttpError, RequestTimeoutError } from "../errors/index.js";
import type { FetchLike, FetchResponse } from "../http/transport/fetch-like.js";
import { createNodeTransport } from "../http/transport/node-transport.js";
import { readBody } from "../http/transport/read-body.js";
import { redactUrl } from "../http/redact-url.js";
import { parseRetryAfter } from "../http/retry.js";
import { parseErrorText } from "../http/error-body.js";
import { type Clock, systemClock } from "../time/clock.js";
import { withTimeout } from "../time/with-timeout.js";
import { assertGzippedTar, formatBytes } from "./archive-format.js";
import { assertBundleUrl } from "./assert-bundle-url.js";

const maxRedirects = 5;
const maxErrorBytes = 64 * 1024;

/** Options of one download of an archive. */
export interface DownloadArchiveOptions {
    /** How long to wait for further data from the server, and for one chunk to be written. */
    idleTimeoutMs: number;
    /** The size that the archive must have. */
    expectedSizeBytes?: number | undefined;
    /**
     * Maximum size of the archive.
     * @default no limit
     */
    maxBytes?: number | undefined;
    signal?: AbortSignal | undefined;
    /** Replaces node-fetch. The function must not decode an archive that the storage labels with a Content-Encoding. */
    fetch?: FetchLike | undefined;
    clock?: Clock | undefined;
}

/** The downloaded archive. */
export interface DownloadedArchive {
    /** Size of the archive. */
    sizeBytes: number;
    /** SHA-256 of the archive in lower-case hexadecimal. */
    sha256: string;
}

/**
 * Saves the archive behind a bundle link to a file, which it overwrites, without unpacking the archive or sending the
 * API key. Makes no download if the archive is known to be too large, and stops as soon as the archive is too large or
 * proves not to be a gzipped tar. Makes one attempt: after a failure, discard the file.
 * @throws HttpError, ConnectionError, RequestTimeoutError or BundleError when the download fails
 */
export async function downloadArchive(
    bundleUrl: string,
    filePath: string,
    options: DownloadArchiveOptions,
): Promise<DownloadedArchive> {
    const { idleTimeoutMs, signal, clock = systemClock } = options;
    const context: CallContext = { subject: "download", operation: "GET bundle", url: redactUrl(bundleUrl) };
    const transport = createNodeTransport({ decode: false });
    try {
        return await withTimeout(
            idleTimeoutMs,
            signal,
            () => new RequestTimeoutError(context, idleTimeoutMs),
            async (attemptSignal, restart) => {
                assertBundleUrl(bundleUrl);
                assertNotLarger(options.expectedSizeBytes, options.maxBytes);
                const network = new DownloadNetwork(context, options.fetch ?? transport.fresh, attemptSignal);
                const response = await network.get(bundleUrl);
                restart();
                if (response.status < 200 || response.status > 299) {
                    throw new HttpError(network.context, {
                        status: response.status,
                        serverMessage: parseErrorText(await network.text(response), []),
                        retryAfterMs: parseRetryAfter(response.headers.get("retry-after"), clock.now()),
                    });
                }
                if (response.headers.get("content-encoding") === null) {
                    assertNotLarger(Number(response.headers.get("content-length")), options.maxBytes);
                }
                return save(network.chunks(response, restart), filePath, options);
            },
            clock,
        );
    } finally {
        transport.close();
    }
}

async function save(
    chunks: AsyncIterable<Buffer>,
    filePath: string,
    { maxBytes, expectedSizeBytes }: DownloadArchiveOptions,
): Promise<DownloadedArchive> {
    const hash = createHash("sha256");
    let sizeBytes = 0;
    let start = Buffer.alloc(0);
    const file = await open(filePath, "w", 0o600);
    try {
        for await (const chunk of chunks) {
            if (start.length < formatBytes) {
                start = Buffer.concat([start, chunk.subarray(0, formatBytes)]);
                if (start.length >= formatBytes) {
                    assertGzippedTar(start);
                }
            }
            sizeBytes += chunk.length;
            assertNotLarger(sizeBytes, maxBytes);
            if (expectedSizeBytes !== undefined && sizeBytes > expectedSizeBytes) {
                throw new BundleError("size-mismatch", `the archive has more than ${expectedSizeBytes} bytes`);
            }
            hash.update(chunk);
            await file.writeFile(chunk);
        }
    } finally {
        await file.close();
    }
    assertGzippedTar(start);
    if (expectedSizeBytes !== undefined && sizeBytes < expectedSizeBytes) {
        throw new BundleError("size-mismatch", `the archive has ${sizeBytes} bytes instead of ${expectedSizeBytes}`);
    }
    return { sizeBytes, sha256: hash.digest("hex") };
}

function assertNotLarger(sizeBytes = 0, maxBytes = Infinity): void {
    if (sizeBytes > maxBytes) {
        throw new BundleError("too-many-bytes", `the archive is larger than ${maxBytes} bytes`);
    }
}

/** Makes only the network requests of a download, so that network failures differ from disk failures. */
class DownloadNetwork {
    #context: CallContext;
    readonly #fetch: FetchLike;
    readonly #signal: AbortSignal;

    constructor(context: CallContext, fetch: FetchLike, signal: AbortSignal) {
        this.#context = context;
        this.#fetch = fetch;
        this.#signal = signal;
    }

    /** Names the address that was asked last, which a redirect may have changed. */
    get context(): CallContext {
        return this.#context;
    }

    /** Follows redirects within the scheme, and from http to https. */
    async get(bundleUrl: string): Promise<FetchResponse> {
        let url = bundleUrl;
        for (let redirects = 0; ; redirects += 1) {
            const response = await this.#fetchOnce(url);
            const location = response.headers.get("location");
            if (![301, 302, 303, 307, 308].includes(response.status) || location === null) {
                return response;
            }
            const target = checkRedirect(url, location, redirects, this.#context);
            await this.text(response);
            url = target;
            this.#context = { ...this.#context, url: redactUrl(target) };
        }
    }

    /** Reads a short body; a long one counts as empty. */
    async text(response: FetchResponse): Promise<string> {
        try {
            return (await readBody(response, maxErrorBytes)) ?? "";
        } catch (error) {
            throw this.#explain(error);
        }
    }

    async *chunks(response: FetchResponse, restart: () => void): AsyncGenerator<Buffer> {
        try {
            const isEncoded = response.headers.get("content-encoding") === "gzip";
            const chunks = buffersOf(response.body ?? []);
            for await (const chunk of isEncoded ? asStored(chunks) : chunks) {
                restart();
                yield chunk;
                restart();
            }
        } catch (error) {
            throw this.#explain(error);
        }
    }

    async #fetchOnce(url: string): Promise<FetchResponse> {
        try {
            return await this.#fetch(url, {
                method: "GET",
                // No Authorization header: the link contains its own signature, and the storage must not see the key.
                // A storage that has labelled the archive with Content-Encoding would unpack it for other clients.
                headers: { accept: "*/*", "accept-encoding": "gzip", "user-agent": "pulumi-static-export" },
                redirect: "manual",
                signal: this.#signal,
            });
        } catch (error) {
            throw this.#explain(error);
        }
    }

    #explain(error: unknown): unknown {
        if (this.#signal.aborted) {
            return this.#signal.reason;
        }
        const cause = createShowableCause(error, (text) => cleanServerText(text, []));
        return new ConnectionError(this.#context, classifyConnectionFailure(error), cause);
    }
}

async function* buffersOf(body: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
        const { buffer, byteOffset, byteLength } = chunk as Uint8Array;
        yield Buffer.from(buffer, byteOffset, byteLength);
    }
}

/** Returns the archive also if a proxy has compressed it once more on the way. */
async function* asStored(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
    const next = await chunks.next();
    if (next.done === true) {
        return;
    }
    const first = next.value;
    const all = (async function* () {
        yield first;
        yield* chunks;
    })();
    if (!isGzip(beginningOf(first))) {
        yield* all;
        return;
    }
    const unpacked = createGunzip();
    // A failure of the source ends the loop below.
    pipeline(Readable.from(all), unpacked, () => undefined);
    yield* unpacked as AsyncIterable<Buffer>;
}

function beginningOf(compressed: Buffer): Buffer {
    try {
        return gunzipSync(compressed, { finishFlush: constants.Z_SYNC_FLUSH });
    } catch {
        return Buffer.alloc(0);
    }
}

function isGzip([first, second]: Buffer): boolean {
    return first === 0x1f && second === 0x8b;
}

function checkRedirect(url: string, location: string, redirects: number, context: CallContext): string {
    const refuse = (why: string) => new BundleError("unsafe-redirect", `${context.url} redirects ${why}`);
    if (redirects >= maxRedirects) {
        throw refuse(`more than ${maxRedirects} times`);
    }
    if (!URL.canParse(location, url)) {
        throw refuse("to something that is not a URL");
    }
    const target = new URL(location, url);
    if (target.protocol !== "https:" && target.protocol !== new URL(url).protocol) {
        throw refuse(`to another scheme, ${target.protocol}`);
    }
    if (target.username !== "" || target.password !== "") {
        throw refuse("to a URL with credentials");
    }
    return target.href;
}
