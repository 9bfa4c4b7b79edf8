import { join } from "node:path";
import { repeat } from "@pulumi-static-export/contract";
import { downloadArchive, type DownloadedArchive, type BundleLink } from "@pulumi-static-export/sdk";
import { isTransient } from "@pulumi-static-export/sdk/internal";
import { withTemporaryFolder } from "../engine/temporary-folder.js";
import type { Storage } from "./storage/storage.js";

const attempts = 3;
const idleTimeoutMs = 600_000;

/**
 * Copies the bundle that `createBundle` links to into the object, through a temporary file, and returns its size and
 * digest. A download that breaks off is restarted a few times with a fresh link.
 */
export function copyBundle(
    createBundle: () => Promise<BundleLink>,
    storage: Storage,
    key: string,
    signal: AbortSignal,
): Promise<DownloadedArchive> {
    return withTemporaryFolder(storage.subject, "bundle-mirror-", async (folder) => {
        const path = join(folder, "bundle.tar.gz");
        const archive = await download(createBundle, path, signal);
        await storage.upload(key, { path, ...archive }, signal);
        return archive;
    });
}

function download(
    createBundle: () => Promise<BundleLink>,
    path: string,
    signal: AbortSignal,
): Promise<DownloadedArchive> {
    const downloadOnce = async () => {
        const { bundleUrl, sizeBytes } = await createBundle();
        return downloadArchive(bundleUrl, path, { idleTimeoutMs, signal, expectedSizeBytes: sizeBytes });
    };
    return repeat(downloadOnce, {
        delayMs: (error, attempt) => (attempt < attempts && !signal.aborted && isTransient(error) ? 0 : undefined),
    });
}
