import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { BundleError } from "../errors/index.js";
import { type BundleLimits, SiteWriter } from "./site-writer.js";
import { unpackTar } from "./unpack-tar.js";
import { unpackZip } from "./unpack-zip.js";

export interface UnpackedArchive {
    fileCount: number;
    unpackedBytes: number;
}

type ArchiveKind = "tar.gz" | "tar" | "zip";

/**
 * Unpacks an archive into `folder`, which exists and is empty. The kind is told by the content, never by a name.
 * @throws BundleError when the archive is refused; nothing writes any more then, and what was written is left to the
 * caller to remove
 */
export async function unpackArchive(
    archivePath: string,
    folder: string,
    limits: BundleLimits,
    signal: AbortSignal | undefined,
): Promise<UnpackedArchive> {
    const writer = new SiteWriter(folder, limits);
    const kind = await recognizeArchive(archivePath);
    try {
        if (kind === "zip") {
            await unpackZip(archivePath, signal, writer);
        } else {
            await unpackTar(createReadStream(archivePath), { gzipped: kind === "tar.gz", signal }, writer);
        }
        await writer.finish();
    } catch (error) {
        await writer.settle();
        signal?.throwIfAborted();
        // What is neither ours nor the file system's comes from the readers of the formats, which have no error types.
        if (error instanceof BundleError || (error as NodeJS.ErrnoException).syscall !== undefined) {
            throw error;
        }
        throw new BundleError("corrupt", "the archive is incomplete or damaged", error);
    }
    return { fileCount: writer.fileCount, unpackedBytes: writer.unpackedBytes };
}

async function recognizeArchive(archivePath: string): Promise<ArchiveKind> {
    const start = Buffer.alloc(512);
    const file = await open(archivePath);
    try {
        await file.read(start, 0, start.length, 0);
    } finally {
        await file.close();
    }
    if (start[0] === 0x1f && start[1] === 0x8b) {
        return "tar.gz";
    }
    const signature = start.toString("latin1", 0, 4);
    if (signature === "PK\x03\x04" || signature === "PK\x05\x06") {
        return "zip";
    }
    if (start.toString("latin1", 257, 262) === "ustar") {
        return "tar";
    }
    throw new BundleError("not-an-archive", "what the link gives is neither a tar.gz nor a zip archive");
}
