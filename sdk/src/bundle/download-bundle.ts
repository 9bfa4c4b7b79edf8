import { mkdir, mkdtemp, readdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { assertBundleUrl } from "./assert-bundle-url.js";
import { downloadArchive, type DownloadedArchive } from "./download-archive.js";
import { unpackArchive } from "./unpack-archive.js";
import { type Clock, systemClock } from "../time/clock.js";
import { BundleError, InvalidSettingsError } from "../errors/index.js";
import type { FetchLike } from "../http/fetch-like.js";
import { createNodeTransport } from "../http/node-transport.js";
import { isTransient, retryDelayMs, withRetries } from "../http/retry.js";

const maxAttempts = 4;
const backoff = { baseMs: 500, capMs: 10_000 };

/** What a bundle may hold, and what it has to be. */
export interface DownloadBundleOptions {
    /**
     * Bytes of the archive, and of what it unpacks to. Each file and folder counts 4 KiB beside its content.
     * @default 8 GiB
     */
    maxBytes?: number | undefined;
    /**
     * Bytes of the archive alone.
     * @default maxBytes
     */
    maxArchiveBytes?: number | undefined;
    /**
     * Files and folders in the archive.
     * @default 500_000
     */
    maxFiles?: number | undefined;
    /**
     * Refuses links inside the bundle too, as a deployment may that only takes files and folders.
     * @default false
     */
    refuseLinks?: boolean | undefined;
    /**
     * Refuses a bundle without any `.html` file, as a deployment does.
     * @default false
     */
    requirePages?: boolean | undefined;
    /** Hex digest the archive must have. */
    expectedSha256?: string | undefined;
    /** Size the archive must have. */
    expectedSizeBytes?: number | undefined;
    signal?: AbortSignal | undefined;
    /** Replaces node-fetch. Must not decode the archive where the storage labels it with a Content-Encoding. */
    fetch?: FetchLike | undefined;
    /**
     * How long the server may send nothing.
     * @default 60_000
     */
    idleTimeoutMs?: number | undefined;
    clock?: Clock | undefined;
    /** In [0, 1), for jitter. */
    random?: (() => number) | undefined;
}

/** What was downloaded and unpacked. */
export interface DownloadedBundle {
    /** Of the archive. */
    sizeBytes: number;
    /** Of the archive, lower-case hex. */
    sha256: string;
    /** Files written, folders not counted. */
    fileCount: number;
    /** Sum of the sizes of the files written. */
    unpackedBytes: number;
}

/**
 * Downloads the gzipped tar behind a bundle link, checks it and unpacks it into `folder`, which must not exist yet or be
 * empty; missing parents are made. All or nothing: the archive is unpacked beside the folder, which appears complete,
 * by one rename, or not at all, and then nothing is left behind. It has plain files and folders only: links inside the
 * bundle become copies of the file they lead to; links to folders are refused.
 * @throws BundleError when the archive, the link or the folder is refused
 * @throws HttpError, ConnectionError or RequestTimeoutError when the download still fails after retries
 */
export async function downloadBundle(
    bundleUrl: string,
    folder: string,
    options: DownloadBundleOptions = {},
): Promise<DownloadedBundle> {
    const { maxBytes = 8 * 1024 ** 3, maxArchiveBytes = maxBytes, maxFiles = 500_000, signal } = options;
    const { refuseLinks, requirePages } = options;
    assertBundleUrl(bundleUrl);
    assertSha256(options.expectedSha256);
    signal?.throwIfAborted();
    const target = resolve(folder);
    await assertFree(target);
    const parent = dirname(target);
    const firstMade = await mkdir(parent, { recursive: true });
    const workFolder = await mkdtemp(join(parent, `.${basename(target)}-`));
    let isDone = false;
    try {
        const archivePath = join(workFolder, "archive");
        const archive = await fetchArchive(bundleUrl, archivePath, maxArchiveBytes, options);
        assertExpected(archive, options);
        const site = join(workFolder, "site");
        await mkdir(site);
        const limits = { maxBytes, maxFiles, refuseLinks, requirePages };
        const unpacked = await unpackArchive(archivePath, site, limits, signal);
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

async function fetchArchive(
    bundleUrl: string,
    archivePath: string,
    maxBytes: number,
    options: DownloadBundleOptions,
): Promise<DownloadedArchive> {
    const { signal, clock = systemClock, random = Math.random, idleTimeoutMs = 60_000 } = options;
    const transport = createNodeTransport({ decode: false });
    const fetch = options.fetch ?? transport.fresh;
    const download = () =>
        downloadArchive(bundleUrl, archivePath, { fetch, maxBytes, idleTimeoutMs, signal, nowMs: clock.now() });
    try {
        return await withRetries(download, {
            clock,
            signal,
            delayMs: (error, attempt) =>
                isTransient(error) && attempt < maxAttempts
                    ? retryDelayMs(error, attempt, { ...backoff, random })
                    : undefined,
        });
    } finally {
        transport.close();
    }
}

function assertSha256(expected: string | undefined): void {
    if (expected !== undefined && !/^[0-9a-f]{64}$/i.test(expected)) {
        throw new InvalidSettingsError("expectedSha256", "must be 64 hexadecimal digits.");
    }
}

function assertExpected(
    archive: DownloadedArchive,
    { expectedSha256, expectedSizeBytes }: DownloadBundleOptions,
): void {
    if (expectedSizeBytes !== undefined && archive.sizeBytes !== expectedSizeBytes) {
        throw new BundleError("size-mismatch", `it has ${archive.sizeBytes} bytes instead of ${expectedSizeBytes}`);
    }
    if (expectedSha256 !== undefined && archive.sha256 !== expectedSha256.toLowerCase()) {
        throw new BundleError(
            "digest-mismatch",
            `its SHA-256 is ${archive.sha256} instead of ${expectedSha256.toLowerCase()}`,
        );
    }
}

/** A folder that is not there is free, and so is an empty one. A link to a folder is not. */
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
    return new BundleError("folder-in-use", `${target} exists already and is not an empty folder`);
}

async function moveIntoPlace(site: string, target: string): Promise<void> {
    try {
        await rmdir(target).catch((error: NodeJS.ErrnoException) => {
            if (error.code !== "ENOENT") {
                throw error;
            }
        });
        await rename(site, target);
    } catch (error) {
        const { code = "" } = error as NodeJS.ErrnoException;
        throw ["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(code) ? inUse(target) : error;
    }
}

/** Removes `folder` and its parents up to `last`, as far as they are empty. */
async function removeEmptyFolders(folder: string, last: string): Promise<void> {
    for (let current = folder; current.length >= last.length; current = dirname(current)) {
        try {
            await rmdir(current);
        } catch {
            return;
        }
    }
}
