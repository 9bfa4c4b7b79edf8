import { join } from "node:path";
import { repeat } from "@pulumi-static-export/contract";
import { downloadArchive, type DownloadedArchive, type BundleLink } from "@pulumi-static-export/sdk";
import { isTransient, throwWithoutSettings } from "@pulumi-static-export/sdk/internal";
import { withTemporaryFolder } from "../engine/temporary-folder.js";
import type { Storage } from "./storage/storage.js";

const attempts = 3;
const idleTimeoutMs = 600_000;
/** AWS refuses a larger object in one request. */
const maxUploadBytes = 5 * 1024 ** 3;

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
        const archive = await download(createBundle, path, signal).catch(throwWithoutSettings);
        await storage.upload(key, { path, ...archive }, signal);
        return archive;
    });
}

function download(
    createBundle: () => Promise<BundleLink>,
    path: string,
    signal: AbortSignal,
): Promise<DownloadedArchive> {
    // The client has already repeated a failed request for a link.
    let hasLink = false;
    const downloadOnce = async () => {
        hasLink = false;
        const { bundleUrl, sizeBytes } = await createBundle();
        hasLink = true;
        return downloadArchive(bundleUrl, path, {
            idleTimeoutMs,
            signal,
            maxBytes: maxUploadBytes,
            expectedSizeBytes: sizeBytes,
        });
    };
    const mayRepeat = (error: unknown) => hasLink && !signal.aborted && isTransient(error);
    return repeat(downloadOnce, {
        delayMs: (error, attempt) => (attempt < attempts && mayRepeat(error) ? 0 : undefined),
    });
}
