import type { FetchLike } from "./fetch-like.js";

export interface DownloadBundleOptions {
    /**
     * Bytes of the archive, and of what it unpacks to.
     * @default 8 GiB
     */
    maxBytes?: number | undefined;
    /**
     * Files and folders in the archive.
     * @default 500_000
     */
    maxFiles?: number | undefined;
    /** Lower-case hex digest the archive must have. */
    expectedSha256?: string | undefined;
    signal?: AbortSignal | undefined;
    fetch?: FetchLike | undefined;
    /**
     * How long the server may send nothing.
     * @default 60_000
     */
    idleTimeoutMs?: number | undefined;
}

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
 * Downloads the archive behind a bundle link, checks it and unpacks it into `folder`, which must not exist yet or be
 * empty. All or nothing: the folder appears complete, by one rename, or stays as it was.
 * @throws BundleError when the archive or the folder is refused
 */
export function downloadBundle(
    bundleUrl: string,
    folder: string,
    options: DownloadBundleOptions = {},
): Promise<DownloadedBundle> {
    void [bundleUrl, folder, options];
    return Promise.reject(new Error("not implemented yet"));
}
