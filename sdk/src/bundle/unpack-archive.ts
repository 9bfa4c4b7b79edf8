import { defaultBundleLimits } from "@pulumi-static-export/contract";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { BundleError } from "../errors/index.js";
import { assertGzippedTar, formatBytes } from "./archive-format.js";
import { type BundleLimits, type FileHandlers, SiteWriter } from "./site-writer.js";
import { unpackTarGz } from "./unpack-tar-gz.js";

/** What was unpacked. */
export interface UnpackedArchive {
    /** Number of files written, without folders. */
    fileCount: number;
    /** Total size of the files written. */
    unpackedBytes: number;
}

/**
 * Unpacks a gzipped tar into `folder`, which must exist and be empty. Without `limits`, allows 8 GiB and 1,000,000
 * files.
 *
 * @throws BundleError when the archive is refused; the caller then has to remove the files
 */
export async function unpackArchive(
    archivePath: string,
    folder: string,
    limits: BundleLimits = defaultBundleLimits,
    signal?: AbortSignal,
    handlers: FileHandlers = {},
): Promise<UnpackedArchive> {
    const writer = new SiteWriter(folder, limits, handlers);
    assertGzippedTar(await readStart(archivePath));
    try {
        await unpackTarGz(createReadStream(archivePath), signal, writer);
        await writer.finish();
    } catch (error) {
        signal?.throwIfAborted();
        // Any other error comes from the gzip and tar readers, which have no error types.
        if (error instanceof BundleError || (error as NodeJS.ErrnoException).syscall !== undefined) {
            throw error;
        }
        throw new BundleError("corrupt", "the archive is incomplete or damaged", error);
    }
    return { fileCount: writer.fileCount, unpackedBytes: writer.unpackedBytes };
}

async function readStart(archivePath: string): Promise<Buffer> {
    const start = Buffer.alloc(formatBytes);
    const file = await open(archivePath);
    try {
        const { bytesRead } = await file.read(start, 0, start.length, 0);
        return start.subarray(0, bytesRead);
    } finally {
        await file.close();
    }
}
