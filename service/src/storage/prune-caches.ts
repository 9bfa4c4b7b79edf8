import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { folderSize } from "../processes/disk-watch.js";
import { removeLeftovers } from "../processes/remove-leftovers.js";
import { timeWithoutLeaps } from "../shared/time-without-leaps.js";
import { type ServiceLogger } from "../shared/logger.js";

interface CacheLimits {
    maxBytes: number;
    /** A cache that was not used for this long is removed. */
    unusedMs: number;
    /** A cache that was used within this time may be in use, and is not removed. */
    inUseMs: number;
}

interface SiteCache {
    folder: string;
    usedAt: number;
    bytes: number;
}

/**
 * Removes caches that have not been used for a long time, and then the least recently used ones until the rest fits the
 * limit. Caches only save time.
 *
 * @param now - milliseconds since 1970
 */
export async function pruneCaches(cache: string, limits: CacheLimits, now: number): Promise<void> {
    const names = await readdir(cache).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") {
            return [];
        }
        throw error;
    });
    const measured = await Promise.all(names.map((name) => measure(join(cache, name))));
    const caches = measured.filter((each) => each !== undefined);
    let bytes = caches.reduce((sum, each) => sum + each.bytes, 0);
    for (const each of caches.sort((one, other) => one.usedAt - other.usedAt)) {
        const unusedMs = now - each.usedAt;
        if (unusedMs > limits.inUseMs && (unusedMs > limits.unusedMs || bytes > limits.maxBytes)) {
            await removeLeftovers(each.folder);
            bytes -= each.bytes;
        }
    }
}

/** Undefined if another worker has removed the cache meanwhile. */
async function measure(folder: string): Promise<SiteCache | undefined> {
    const used = await stat(folder).catch(() => undefined);
    return used && { folder, usedAt: used.mtimeMs, bytes: (await folderSize(folder)).bytes };
}

/** How often the sizes of caches are measured, which reads the metadata of every file. */
const betweenMs = 600_000;

/** Prunes the caches of sites or the mirrors of repositories. Caches may be shared with other processes. */
export class CachePruning {
    readonly #cache: string;
    readonly #limits: CacheLimits;
    readonly #logger: ServiceLogger;
    #prunedAt = -Infinity;

    constructor(cache: string, limits: CacheLimits, logger: ServiceLogger) {
        this.#cache = cache;
        this.#limits = limits;
        this.#logger = logger;
    }

    /** Prunes the caches, unless they were pruned recently. Never rejects. */
    async pruneIfDue(now: number): Promise<void> {
        if (performance.now() - this.#prunedAt < betweenMs) {
            return;
        }
        this.#prunedAt = performance.now();
        try {
            await pruneCaches(this.#cache, this.#limits, Math.min(now, timeWithoutLeaps()));
        } catch (error) {
            this.#logger.error(`Unused folders in ${this.#cache} could not be removed: ${String(error)}`);
        }
    }
}
