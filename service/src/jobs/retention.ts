import { dayMs } from "../shared/day-ms.js";
import { type ServiceLogger } from "../shared/logger.js";
import { type Storage } from "../storage/create-storage.js";

/** Times are in milliseconds since 1970. */
export interface RetentionLimits {
    /** Jobs that were last used before it are removed. */
    unusedBefore: number;
    /** The number of newest finished jobs to keep for each domain. */
    keepJobs: number;
    /** A job that issued a link since then stays. */
    linkedSince: number;
}

/** The stored jobs of one kind. */
export interface StoredJobs {
    /** Removes jobs that have ended. @returns how many */
    removeUnused(limits: RetentionLimits): Promise<number>;
}

export interface RetentionOptions {
    /** Of all kinds, also of those that run elsewhere. */
    jobs: readonly StoredJobs[];
    /** The jobs that have the bundles. */
    bundleJobs: {
        count(): Promise<number>;
        whileUnused(sha256: string, remove: () => Promise<void>): Promise<boolean>;
    };
    storage: Storage;
    clock: () => number;
    /** Jobs that finished or issued a link within this many days are kept, and so are logs of agents. */
    keepDays: number;
    keepJobs: number;
    linkTtlSeconds: number;
    logger: ServiceLogger;
}

/**
 * Removes jobs, bundles, caches and logs that are out of date. Never removes jobs that are queued, running or active, the
 * newest completed job of each domain, or bundles with a link that still works.
 */
export class Retention {
    readonly #options: RetentionOptions;

    constructor(options: RetentionOptions) {
        this.#options = options;
    }

    /** Removes what is out of date. Never rejects. */
    async apply(): Promise<void> {
        const { jobs, bundleJobs, storage, clock, keepDays, keepJobs, linkTtlSeconds, logger } = this.#options;
        try {
            const now = clock();
            const unusedBefore = now - keepDays * dayMs;
            let removedJobs = 0;
            for (const kind of jobs) {
                const limits = { keepJobs, unusedBefore, linkedSince: now - linkTtlSeconds * 1000 };
                removedJobs += await kind.removeUnused(limits);
            }
            await storage.agentLogs?.removeKeptBefore(unusedBefore);
            await storage.caches?.removeOutdated();
            const removedBundles = await storage.bundles.removeBundles((sha256, remove) =>
                bundleJobs.whileUnused(sha256, remove),
            );
            if (removedJobs + removedBundles > 0) {
                logger.info(`Removed ${removedJobs} old jobs and ${removedBundles} bundles that belonged to no job.`);
            }
        } catch (error) {
            logger.error(`Old jobs and bundles could not be removed: ${String(error)}`);
        }
    }

    /** Applies the retention, and logs what is kept. */
    async applyAtStart(): Promise<void> {
        const { bundleJobs, storage, keepDays, keepJobs, logger } = this.#options;
        await this.apply();
        try {
            const { bundles, bytes } = await storage.bundles.measure();
            logger.info(
                `The data folder keeps ${await bundleJobs.count()} jobs and ${bundles} bundles ` +
                    `(${Math.ceil(bytes / 1e6)} MB); ended jobs are removed when unused for ${keepDays} days, or beyond ` +
                    `${keepJobs} a domain.`,
            );
        } catch (error) {
            logger.error(`The data folder could not be measured: ${String(error)}`);
        }
    }
}
