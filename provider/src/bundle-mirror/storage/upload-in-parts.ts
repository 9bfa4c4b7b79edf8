/** The S3 operations that an upload to one object needs. */
export interface UploadTarget {
    /** Stores a whole object in one request. */
    put(content: Buffer, signal: AbortSignal): Promise<void>;
    begin(signal: AbortSignal): Promise<string>;
    /** Resolves to the part's ETag. Parts may be sent in parallel. */
    sendPart(uploadId: string, partNumber: number, content: Buffer, signal: AbortSignal): Promise<string>;
    /** @param etags - the ETags of all parts, in order */
    complete(uploadId: string, etags: string[], signal: AbortSignal): Promise<void>;
    abort(uploadId: string): Promise<void>;
}

/** S3's minimum size for every part but the last. At most 10,000 parts are allowed, so the maximum is 48 GiB. */
const partBytes = 5 * 1024 * 1024;

/** The number of buffers: two are being sent while the third is filled. */
const partsInMemory = 3;

/** How long parts in flight may still take after an upload has failed. */
const graceMs = 10_000;

/**
 * Uploads a stream to one object in parts. Memory use does not grow with the stream, because the buffers of the parts
 * are reused. When the stream or the target fails, or `signal` is aborted, the parts are removed before this rejects.
 */
export async function uploadInParts(
    chunks: AsyncIterable<Buffer>,
    target: UploadTarget,
    signal: AbortSignal,
): Promise<void> {
    signal.throwIfAborted();
    const aborted = new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
    aborted.catch(() => undefined);
    const buffers: Buffer[] = [];
    const sent: Promise<string>[] = [];
    const bufferOf = async (index: number) => {
        await Promise.race([sent[index - partsInMemory], aborted]);
        return (buffers[index % partsInMemory] ??= Buffer.allocUnsafeSlow(partBytes));
    };
    const cancelled = new AbortController();
    let uploadId: string | undefined;
    try {
        for await (const { content, isLast } of cutIntoParts(chunks, bufferOf)) {
            if (isLast && uploadId === undefined) {
                await target.put(content, signal);
                return;
            }
            uploadId ??= await target.begin(signal);
            signal.throwIfAborted();
            const sending = target.sendPart(uploadId, sent.length + 1, content, cancelled.signal);
            // A failure is thrown when the buffer of this part is needed again, or at the end.
            sending.catch(() => undefined);
            sent.push(sending);
        }
        const etags = await Promise.race([Promise.all(sent), aborted]);
        await target.complete(uploadId!, etags, signal);
    } catch (error) {
        // A part that arrives during the abort would stay in the bucket: wait for parts in flight first.
        const timer = setTimeout(() => cancelled.abort(error), graceMs);
        await Promise.allSettled(sent);
        clearTimeout(timer);
        if (uploadId !== undefined) {
            // If the abort fails too, the first error is reported.
            await target.abort(uploadId).catch(() => undefined);
        }
        throw error;
    }
}

interface Part {
    content: Buffer;
    isLast: boolean;
}

async function* cutIntoParts(
    chunks: AsyncIterable<Buffer>,
    bufferOf: (index: number) => Promise<Buffer>,
): AsyncGenerator<Part> {
    let index = 0;
    let buffer = await bufferOf(index);
    let filled = 0;
    for await (const chunk of chunks) {
        for (let offset = 0; offset < chunk.length;) {
            if (filled === buffer.length) {
                yield { content: buffer, isLast: false };
                buffer = await bufferOf(++index);
                filled = 0;
            }
            const copied = chunk.copy(buffer, filled, offset);
            filled += copied;
            offset += copied;
        }
    }
    yield { content: buffer.subarray(0, filled), isLast: true };
}
