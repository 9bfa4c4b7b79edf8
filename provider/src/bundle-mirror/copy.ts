import { open } from "node:fs/promises";
import { join } from "node:path";
import { isTransient, readBundle, type StaticExportBundle } from "@pulumi-static-export/sdk";
import { withTemporaryFolder } from "../engine/temporary-folder.js";
import { type Measure, Measurement } from "./measurement.js";
import type { Storage } from "./storage/storage.js";

const attempts = 3;
const idleTimeoutMs = 600_000;

/**
 * Copies the bundle that `createBundle` links to into the object, through a temporary file, and returns its size and
 * digest. A download that breaks off is restarted a few times with a fresh link.
 */
export function copyBundle(
    createBundle: () => Promise<StaticExportBundle>,
    storage: Storage,
    key: string,
    signal: AbortSignal,
): Promise<Measure> {
    return withTemporaryFolder("bundle-mirror-", async (folder) => {
        const path = join(folder, "bundle.tar.gz");
        const measure = await download(createBundle, path, signal);
        await storage.upload(key, { path, ...measure }, signal);
        return measure;
    });
}

async function download(
    createBundle: () => Promise<StaticExportBundle>,
    path: string,
    signal: AbortSignal,
): Promise<Measure> {
    for (let attempt = 1; ; attempt += 1) {
        const { bundleUrl, sizeBytes } = await createBundle();
        try {
            return await readBundle(bundleUrl, { idleTimeoutMs, signal }, (chunks) => save(chunks, path, sizeBytes));
        } catch (error) {
            if (attempt === attempts || signal.aborted || !isTransient(error)) {
                throw error;
            }
        }
    }
}

/** @throws BundleError for anything but the announced archive */
async function save(chunks: AsyncIterable<Buffer>, path: string, announcedBytes: number | undefined): Promise<Measure> {
    const measurement = new Measurement(announcedBytes);
    const file = await open(path, "w", 0o600);
    try {
        for await (const chunk of chunks) {
            measurement.add(chunk);
            await file.writeFile(chunk);
        }
    } finally {
        await file.close();
    }
    return measurement.end();
}
