import { type FileHandle } from "node:fs/promises";

/** The archive of a completed job. */
export interface Archive {
    sha256: string;
    sizeBytes: number;
}

/** Where clients get an archive: from this process, or from the storage, by a link that works for some minutes. */
export type Delivery = { file: FileHandle } | { url: string };

/** Keeps archives by digest: exports with the same result share one. */
export interface BundleStorage {
    /** Takes over a finished archive. When this returns, it is stored whole and durably. */
    keep(archivePath: string, archive: Archive, signal: AbortSignal): Promise<void>;
    examine(archive: Archive): Promise<"intact" | "damaged" | "missing">;
    /**
     * Delivers only an intact archive. The caller closes the file.
     *
     * @param fileName - the name under which clients save the archive
     */
    deliver(archive: Archive, fileName: string): Promise<Delivery | "damaged" | "missing">;
    /**
     * Removes archives; downloads in progress continue.
     *
     * @param whileUnused - calls `remove` if nothing needs the archive, and says whether it has
     * @returns how many it removed
     */
    removeBundles(whileUnused: (sha256: string, remove: () => Promise<void>) => Promise<boolean>): Promise<number>;
    /** Fills a domain's folder for the cache of its pages, if it is empty and another worker has left one. Never rejects. */
    restoreCache(domain: string, folder: string, signal: AbortSignal): Promise<void>;
    /** Keeps what an export has left there for other workers. Never rejects. */
    keepCache(domain: string, folder: string, signal: AbortSignal): Promise<void>;
    /** Removes logs of agents' runs that were kept before this time, in milliseconds since 1970. */
    removeAgentLogs(before: number): Promise<void>;
    measure(): Promise<{ bundles: number; bytes: number }>;
    /** @throws an error that says why archives cannot be stored at the moment */
    assertReachable(): Promise<void>;
    close(): Promise<void>;
}

/** The storage is elsewhere and cannot be reached at the moment, or refuses the service; the message says why. */
export class StorageUnavailableError extends Error {
    override readonly name = "StorageUnavailableError";
}
