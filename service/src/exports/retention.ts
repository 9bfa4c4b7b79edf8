import { type BundleStorage } from "../storage/bundle-storage.js";
import { dayMs } from "../shared/day-ms.js";
import { type ServiceLogger } from "../shared/logger.js";
import { type AgentJobStore } from "../agents/agent-job-store.js";
import { type StaticExportStore } from "./static-export-store.js";

export interface RetentionOptions {
    store: StaticExportStore;
    agentJobs: AgentJobStore;
    storage: BundleStorage;
    clock: () => number;
    /** Jobs that finished or issued a link within this many days are kept, and so are ended agent jobs and logs of agents. */
    keepDays: number;
    /** The number of newest finished jobs to keep for each domain. */
    keepJobs: number;
    linkTtlSeconds: number;
    logger: ServiceLogger;
}

/**
 * Removes jobs, bundles and logs that are out of date. Never removes jobs that are queued, running or active, the newest completed job of each domain, or
 * bundles with a link that still works.
 */
export class Retention {
    readonly #options: RetentionOptions;

    constructor(options: RetentionOptions) {
        this.#options = options;
    }

    /** Removes outdated jobs and bundles. Never rejects. */
    async apply(): Promise<void> {
        const { store, agentJobs, storage, clock, keepDays, keepJobs, linkTtlSeconds, logger } = this.#options;
        try {
            const now = clock();
            const unusedBefore = now - keepDays * dayMs;
            const removedExports = await store.removeUnused({
                keepJobs,
                unusedBefore,
                linkedSince: now - linkTtlSeconds * 1000,
            });
            const removedJobs = removedExports + (await agentJobs.removeSeenEndedBefore(unusedBefore));
            await storage.removeAgentLogs(unusedBefore);
            const removedBundles = await storage.removeBundles((sha256, remove) => store.whileUnused(sha256, remove));
            if (removedJobs + removedBundles > 0) {
                logger.info(`Removed ${removedJobs} old jobs and ${removedBundles} bundles that belonged to no job.`);
            }
        } catch (error) {
            logger.error(`Old jobs and bundles could not be removed: ${String(error)}`);
        }
    }

    /** Applies the retention, and logs what is kept. */
    async applyAtStart(): Promise<void> {
        const { store, storage, keepDays, keepJobs, logger } = this.#options;
        await this.apply();
        try {
            const { bundles, bytes } = await storage.measure();
            logger.info(
                `The data folder keeps ${await store.count()} jobs and ${bundles} bundles (${Math.ceil(bytes / 1e6)} MB); ` +
                    `ended jobs are removed when unused for ${keepDays} days, or beyond ${keepJobs} a domain.`,
            );
        } catch (error) {
            logger.error(`The data folder could not be measured: ${String(error)}`);
        }
    }
}
