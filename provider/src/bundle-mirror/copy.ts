import { isTransient, readBundle, type StaticExportBundle } from "@pulumi-static-export/sdk";
import { createGarbageCollector } from "./collect-garbage.js";
import { type Measure, Measurement } from "./measurement.js";
import type { Storage } from "./storage/storage.js";

const attempts = 3;
/** Also limits how long the storage may take for one part. */
const idleTimeoutMs = 600_000;

/**
 * Copies the bundle that `createBundle` links to into the object and returns its size and digest. A download that
 * breaks off is restarted with a fresh link, a few times; the parts that it uploaded are removed.
 */
export async function copyBundle(
    createBundle: () => Promise<StaticExportBundle>,
    storage: Storage,
    key: string,
    signal: AbortSignal,
): Promise<Measure> {
    for (let attempt = 1; ; attempt += 1) {
        const { bundleUrl, sizeBytes } = await createBundle();
        const ended = new AbortController();
        let storing: Promise<Measure> | undefined;
        try {
            return await readBundle(bundleUrl, { idleTimeoutMs, signal }, (chunks) => {
                storing = store(chunks, sizeBytes, storage, key, ended.signal);
                return storing;
            });
        } catch (error) {
            // An interruption rejects at once, even during an upload: wait until its parts are removed.
            ended.abort(error);
            await storing?.catch(() => undefined);
            if (attempt === attempts || signal.aborted || !isTransient(error)) {
                throw error;
            }
        }
    }
}

/**
 * Throws before the end of the stream if it is not the announced archive, so that the upload is never completed. A
 * single generator does all the work on a chunk, because each further generator adds 5 % to the processor time of a
 * download over TLS.
 */
async function store(
    chunks: AsyncIterable<Buffer>,
    announcedBytes: number | undefined,
    storage: Storage,
    key: string,
    signal: AbortSignal,
): Promise<Measure> {
    const measurement = new Measurement();
    const collectGarbage = createGarbageCollector();
    let measure: Measure | undefined;
    const body = async function* () {
        for await (const chunk of chunks) {
            collectGarbage(chunk.length);
            measurement.add(chunk);
            yield chunk;
        }
        measure = measurement.end(announcedBytes);
    };
    await storage.upload(key, body(), signal);
    if (measure === undefined) {
        throw new Error("the upload was completed before the whole archive was read");
    }
    return measure;
}
