import { defaultBundleLimits } from "@pulumi-static-export/contract";
import { createBeside } from "@pulumi-static-export/contract/create-beside";
import { replaceFile } from "@pulumi-static-export/contract/replace-file";
import { mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve, toNamespacedPath } from "node:path";
import { downloadArchive, type DownloadedArchive } from "./download-archive.js";
import { type OnFile } from "./site-writer.js";
import { unpackArchive } from "./unpack-archive.js";
import { type Clock, systemClock } from "../time/clock.js";
import { BundleError, InvalidSettingsError } from "../errors/index.js";
import type { FetchLike } from "../http/transport/fetch-like.js";
import { isTransient, retryDelayMs, withRetries } from "../http/retry.js";

const maxAttempts = 4;
const backoff = { baseMs: 500, capMs: 10_000 };

/** The limits for a bundle, and its expected digest and size. */
export interface DownloadBundleOptions {
    /**
     * Maximum size of the archive, and of its unpacked content. Each file and folder counts as 4 KiB plus its content.
     * @default 8 GiB
     */
    maxBytes?: number | undefined;
    /**
     * Maximum size of the archive alone, in bytes.
     * @default maxBytes
     */
    maxArchiveBytes?: number | undefined;
    /**
     * Maximum number of files and folders in the archive.
     * @default 1_000_000
     */
    maxFiles?: number | undefined;
    /**
     * Whether links inside the bundle are refused, for deployments that accept only files and folders.
     * @default false
     */
    refuseLinks?: boolean | undefined;
    /**
     * Whether a bundle without any `.html` file is refused, as deployments do.
     * @default false
     */
    requirePages?: boolean | undefined;
    /** The SHA-256 that the archive must have, in hexadecimal. */
    expectedSha256?: string | undefined;
    /** The size that the archive must have. */
    expectedSizeBytes?: number | undefined;
    /** Receives the digests of small files, so that these files need not be read again. */
    onFile?: OnFile | undefined;
    signal?: AbortSignal | undefined;
    /** Replaces node-fetch. The function must not decode an archive that the storage labels with a Content-Encoding. */
    fetch?: FetchLike | undefined;
    /**
     * How long to wait for further data from the server.
     * @default 60_000
     */
    idleTimeoutMs?: number | undefined;
    clock?: Clock | undefined;
    /** Returns a number in [0, 1), for jitter. */
    random?: (() => number) | undefined;
}

/** The downloaded and unpacked bundle. */
export interface DownloadedBundle extends DownloadedArchive {
    /** Number of files written, without folders. */
    fileCount: number;
    /** Total size of the files written. */
    unpackedBytes: number;
}

/**
 * Downloads the gzipped tar behind a bundle link, checks it and unpacks it into `folder`, which must not exist or must
 * be empty; missing parents are created. The archive is unpacked into a folder next to the target, which is then
 * renamed, so that the target appears complete or not at all. On failure, nothing is left behind. The result contains
 * only plain files and folders: links inside the bundle become copies of their files, and links to folders are refused.
 * @throws BundleError when the archive, the link or the folder is refused
 * @throws HttpError, ConnectionError or RequestTimeoutError when the download still fails after retries
 */
export async function downloadBundle(
    bundleUrl: string,
    folder: string,
    options: DownloadBundleOptions = {},
): Promise<DownloadedBundle> {
    const { maxBytes = defaultBundleLimits.maxBytes, maxArchiveBytes = maxBytes, signal } = options;
    const { maxFiles = defaultBundleLimits.maxFiles } = options;
    const { refuseLinks, requirePages, onFile } = options;
    assertSha256(options.expectedSha256);
    signal?.throwIfAborted();
    const target = resolve(folder);
    await assertFree(target);
    const parent = dirname(target);
    const firstMade = await mkdir(parent, { recursive: true });
    const workFolder = await createBeside(target);
    let isDone = false;
    try {
        const archivePath = join(workFolder, "archive");
        const archive = await fetchArchive(bundleUrl, archivePath, maxArchiveBytes, options);
        assertDigest(archive, options.expectedSha256);
        const site = join(workFolder, "site");
        await mkdir(site);
        const limits = { maxBytes, maxFiles, refuseLinks, requirePages };
        const unpacked = await unpackArchive(archivePath, site, limits, signal, { onFile });
        signal?.throwIfAborted();
        await moveIntoPlace(site, target);
        isDone = true;
        return { ...archive, ...unpacked };
    } finally {
        await rm(workFolder, { recursive: true, force: true });
        if (!isDone && firstMade !== undefined) {
            await removeEmptyFolders(parent, firstMade);
        }
    }
}

function fetchArchive(
    bundleUrl: string,
    archivePath: string,
    maxBytes: number,
    options: DownloadBundleOptions,
): Promise<DownloadedArchive> {
    const { signal, clock = systemClock, random = Math.random, idleTimeoutMs = 60_000 } = options;
    return withRetries(() => downloadArchive(bundleUrl, archivePath, { ...options, maxBytes, idleTimeoutMs }), {
        clock,
        signal,
        delayMs: (error, attempt) =>
            isTransient(error) && attempt < maxAttempts
                ? retryDelayMs(error, attempt, { ...backoff, random })
                : undefined,
    });
}

function assertSha256(expected: string | undefined): void {
    if (expected !== undefined && !/^[0-9a-f]{64}$/i.test(expected)) {
        throw new InvalidSettingsError("expectedSha256", "must be 64 hexadecimal digits.");
    }
}

function assertDigest({ sha256 }: DownloadedArchive, expected = sha256): void {
    if (sha256 !== expected.toLowerCase()) {
        throw new BundleError(
            "digest-mismatch",
            `the archive's SHA-256 is ${sha256} instead of ${expected.toLowerCase()}`,
        );
    }
}

/** Accepts a folder that does not exist or is empty, but not a link to a folder. */
async function assertFree(target: string): Promise<void> {
    try {
        if ((await readdir(target)).length > 0) {
            throw inUse(target);
        }
    } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "ENOTDIR") {
            throw inUse(target);
        }
        if (code !== "ENOENT") {
            throw error;
        }
    }
}

function inUse(target: string): BundleError {
    return new BundleError("folder-in-use", `${target} already exists and is not an empty folder`);
}

async function moveIntoPlace(site: string, target: string): Promise<void> {
    try {
        // Nothing replaces a folder on Windows. The next step reports a folder that cannot be removed.
        await rmdir(target).catch(() => undefined);
        await replaceFile(site, target);
    } catch (error) {
        const { code = "" } = error as NodeJS.ErrnoException;
        throw ["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(code) ? inUse(target) : error;
    }
}

/** Removes `folder` and its parents up to `last` while they are empty. */
async function removeEmptyFolders(folder: string, last: string): Promise<void> {
    // On Windows, Node.js reports the folder that it made with the prefix `\\?\`.
    const lastLength = toNamespacedPath(last).length;
    for (let current = folder; toNamespacedPath(current).length >= lastLength; current = dirname(current)) {
        try {
            await rmdir(current);
        } catch {
            return;
        }
    }
}
