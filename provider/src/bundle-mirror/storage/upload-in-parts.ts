/** What S3 can do with one object, as far as an upload needs it. */
export interface UploadTarget {
    /** Stores a whole object in one request. */
    put(content: Buffer): Promise<void>;
    begin(): Promise<string>;
    /** Gives the part's ETag. Parts may be sent side by side. */
    sendPart(uploadId: string, partNumber: number, content: Buffer, signal: AbortSignal): Promise<string>;
    /** @param etags - of the parts, in order */
    complete(uploadId: string, etags: string[]): Promise<void>;
    abort(uploadId: string): Promise<void>;
}

/** The least that S3 takes, save for the last part. It takes 10,000 of them: up to 48 GiB fit. */
const partBytes = 5 * 1024 * 1024;

/** Two are on their way while the third is filled. */
const partsInMemory = 3;

/** How long parts that are on their way may still take when an upload has failed. */
const graceMs = 10_000;

/**
 * Sends what a stream yields into one object, in parts, through memory that does not grow with the stream: the buffers
 * of the parts are used again and again. When the stream or the target fails, or `signal` is aborted, the parts are
 * removed before this rejects.
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
                await target.put(content);
                return;
            }
            uploadId ??= await target.begin();
            signal.throwIfAborted();
            const sending = target.sendPart(uploadId, sent.length + 1, content, cancelled.signal);
            // It is heard of when its buffer is wanted again, or at the end.
            sending.catch(() => undefined);
            sent.push(sending);
        }
        const etags = await Promise.race([Promise.all(sent), aborted]);
        await target.complete(uploadId!, etags);
    } catch (error) {
        // A part that arrives while the upload is removed stays, so what is on its way is not cut off at once.
        const timer = setTimeout(() => cancelled.abort(error), graceMs);
        await Promise.allSettled(sent);
        clearTimeout(timer);
        if (uploadId !== undefined) {
            // When that fails too, nothing more can be done than to say the first error.
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
