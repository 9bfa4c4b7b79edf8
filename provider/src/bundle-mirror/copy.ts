import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isTransient, readBundle, type StaticExportBundle } from "@pulumi-static-export/sdk";
import { type Measure, Measurement } from "./measurement.js";
import type { Storage } from "./storage/storage.js";

const attempts = 3;
/** Also the time limit for the storage to accept one part. */
const idleTimeoutMs = 600_000;
/**
 * A minor collection takes a few milliseconds: one per MiB took a third of a copy's CPU time. One collection per
 * 4 MiB saves no time, and needs more memory over TLS, where small chunks create more garbage.
 */
const collectEveryBytes = 2 * 1024 * 1024;

/**
 * Copies the bundle that `createBundle` links to into the object and returns its size and digest. A download that
 * breaks off is restarted a few times with a fresh link, after its uploaded parts are removed.
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
            // An interruption rejects immediately, even during an upload, so wait until the uploaded parts are removed.
            ended.abort(error);
            await storing?.catch(() => undefined);
            if (attempt === attempts || signal.aborted || !isTransient(error)) {
                throw error;
            }
        }
    }
}

/**
 * Throws before the end of a stream that is not the announced archive, so that the upload is never completed. A single
 * generator processes each chunk, because each further generator adds 5 % to the CPU time of a download over TLS.
 */
async function store(
    chunks: AsyncIterable<Buffer>,
    announcedBytes: number | undefined,
    storage: Storage,
    key: string,
    signal: AbortSignal,
): Promise<Measure> {
    const measurement = new Measurement(announcedBytes);
    const collectGarbage = createGarbageCollector();
    let measure: Measure | undefined;
    const body = async function* () {
        for await (const chunk of chunks) {
            collectGarbage(chunk.length);
            measurement.add(chunk);
            yield chunk;
        }
        measure = measurement.end();
    };
    await storage.upload(key, body(), signal);
    if (measure === undefined) {
        throw new Error("the upload was completed before the whole archive was read");
    }
    return measure;
}

/**
 * Returns a function that a copy calls for each chunk that it reads, to free the memory of consumed chunks. V8 collects
 * garbage when its heap grows, but buffers live outside the heap: without this function, more than 60 MB of unused
 * chunks pile up first. Starts with a full collection. Later full collections are left to V8, because each one that
 * this function started would make V8 start several more. If V8 does not expose its collector, V8 decides when memory
 * is freed.
 */
function createGarbageCollector(): (readBytes: number) => void {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("globalThis.gc") as ((options?: { type: "minor" }) => void) | undefined;
    collect?.();
    let uncollectedBytes = 0;
    return (readBytes) => {
        uncollectedBytes += readBytes;
        if (uncollectedBytes >= collectEveryBytes) {
            collect?.({ type: "minor" });
            uncollectedBytes = 0;
        }
    };
}
