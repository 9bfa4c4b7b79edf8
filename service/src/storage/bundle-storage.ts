import { type FileHandle } from "node:fs/promises";
import { type Readable } from "node:stream";
import { type BetweenBatches } from "./batches.js";
import { type WaitOptions, waitUntilReady } from "../shared/wait-until-ready.js";

/** An operator who has restored the wrong backup may restore another one within this time. */
export const foundGraceDays = 7;

/** The archive of a completed job. */
export interface Archive {
    sha256: string;
    sizeBytes: number;
}

/**
 * Where clients download an archive: from this process, or from the storage with a link that works for some minutes.
 */
export type Delivery = { file: FileHandle } | { url: string };

/**
 * Calls `remove` with those archives that nothing needs, while nothing can begin to need them.
 *
 * @returns how many these are
 */
export type WhileUnused = (
    archives: readonly string[],
    remove: (unused: readonly string[]) => Promise<void>,
) => Promise<number>;

/** Stores archives by digest: exports with the same result share one. */
export interface BundleStorage {
    /** Takes over a finished archive. When this method resolves, the archive is stored completely and durably. */
    keep(archivePath: string, archive: Archive, signal: AbortSignal): Promise<void>;
    examine(archive: Archive): Promise<"intact" | "damaged" | "missing">;
    /**
     * Returns an archive only if it is intact. The caller closes the file.
     *
     * @param fileName - the name under which clients save the archive
     */
    deliver(archive: Archive, fileName: string): Promise<Delivery | "damaged" | "missing">;
    /** Returns the content of an archive only if it is intact. The caller reads or destroys the stream. */
    read(archive: Archive): Promise<Readable | "damaged" | "missing">;
    /**
     * Removes archives; downloads in progress continue.
     *
     * @returns how many it removed
     */
    removeBundles(whileUnused: WhileUnused, betweenBatches: BetweenBatches): Promise<number>;
    /**
     * Records stored archives that the database does not contain because a restore has lost rows. The recorded archives
     * are removed like other archives without a job, but only after `foundGraceDays`.
     *
     * @returns how many it found
     */
    recordFound(betweenBatches: BetweenBatches): Promise<number>;
    measure(): Promise<{ bundles: number; bytes: number }>;
    /** @throws an error that says why archives cannot be stored now */
    assertReachable(): Promise<void>;
}

/** A remote storage is unreachable or refuses the service; the message says why. */
export class StorageUnavailableError extends Error {
    override readonly name = "StorageUnavailableError";
}

/** Resolves when archives can be stored. @throws an error that waiting does not resolve */
export async function waitForStorage(
    storage: Pick<BundleStorage, "assertReachable">,
    options: WaitOptions,
): Promise<void> {
    await waitUntilReady(async () => {
        try {
            await storage.assertReachable();
            return undefined;
        } catch (error) {
            if (error instanceof StorageUnavailableError) {
                return `Waiting for the storage: ${error.message}`;
            }
            throw error;
        }
    }, options);
}
