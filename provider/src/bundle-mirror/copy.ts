import { isTransient, readBundle, type StaticExportBundle } from "@pulumi-static-export/sdk";
import { collectingGarbage } from "./collect-garbage.js";
import { type Measure, measured } from "./measured.js";
import type { Storage } from "./storage/storage.js";

const attempts = 3;
/** Also bounds how long the storage may take for one part. */
const idleTimeoutMs = 600_000;

/**
 * Copies what `createBundle` links to into the object, and says its digest. A download that breaks is begun anew with
 * a fresh link, a few times; what was sent of the broken one is removed.
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
            // An interruption rejects at once, also while the storage is waited for: the parts are still to be removed.
            ended.abort(error);
            await storing?.catch(() => undefined);
            if (attempt === attempts || signal.aborted || !isTransient(error)) {
                throw error;
            }
        }
    }
}

async function store(
    chunks: AsyncIterable<Buffer>,
    announcedBytes: number | undefined,
    storage: Storage,
    key: string,
    signal: AbortSignal,
): Promise<Measure> {
    let measure: Measure | undefined;
    const body = measured(collectingGarbage(chunks), announcedBytes, (done) => (measure = done));
    await storage.upload(key, body, signal);
    if (measure === undefined) {
        throw new Error("the storage ended the upload before the archive had ended");
    }
    return measure;
}
