import { amount } from "@pulumi-static-export/contract";
import { dayMs } from "../shared/day-ms.js";
import { type DatabaseClock } from "../database/database-clock.js";
import { endsWithin } from "../shared/ends-within.js";
import { type ServiceLogger } from "../shared/logger.js";
import { type BetweenBatches } from "../storage/batches.js";
import { foundGraceDays, type WhileUnused } from "../storage/bundle-storage.js";
import { type Storage } from "../storage/create-storage.js";
import { type RetentionRounds } from "./retention-rounds.js";

/** How often a process checks whether a round is due. */
const checkMs = 60_000;
/** How often a process renews its round, so that a long round stays the only one. */
const renewalMs = 60_000;

/** Times are in milliseconds since 1970. */
interface RetentionLimits {
    /** Jobs that were last used before this time are removed. */
    unusedBefore: number;
    /** The number of newest finished jobs to keep for each domain. */
    keepJobs: number;
    /** A job that issued a link since this time is not removed. */
    linkedSince: number;
}

/** The stored jobs of one kind. */
export interface StoredJobs {
    /** Removes jobs that have ended. @returns how many */
    removeUnused(limits: RetentionLimits, betweenBatches: BetweenBatches): Promise<number>;
}

/** How many rows a round has removed, and how many bundles it has found that the database did not contain. */
export interface Removed {
    jobs: number;
    bundles: number;
    found: number;
}

interface RetentionOptions {
    /** All kinds of jobs, including those that other processes run. */
    jobs: readonly StoredJobs[];
    /** The jobs that refer to bundles. */
    bundleJobs: {
        count(): Promise<number>;
        whileUnused: WhileUnused;
    };
    storage: Storage;
    rounds: RetentionRounds;
    /** Called after each round of this process that has removed everything outdated. */
    onRemoved?: (removed: Removed) => void;
    clock: DatabaseClock;
    /**
     * Jobs that finished or issued a link within this many days are not removed, and neither are agents' logs from that
     * time.
     */
    keepDays: number;
    keepJobs: number;
    linkTtlSeconds: number;
    /** How long the current batch may take when the process closes: less than a stopped worker has. @default 5000 */
    maxCloseMs?: number;
    logger: ServiceLogger;
}

/**
 * Removes outdated jobs, bundles, caches and logs. Every ten minutes, one of the processes that share the database runs
 * a round. Never removes jobs that are queued, running or active, the newest completed job of each domain, or bundles
 * with a link that still works.
 */
export class Retention {
    readonly #options: RetentionOptions;
    readonly #closing = new AbortController();
    #renewedAt = 0;
    #timer: NodeJS.Timeout | undefined;
    #round: Promise<void> | undefined;

    constructor(options: RetentionOptions) {
        this.#options = options;
    }

    /** Checks now, and then every minute, whether a round is due. */
    start(): void {
        const check = (): void => {
            this.#round ??= this.applyIfDue().finally(() => (this.#round = undefined));
        };
        this.#timer = setInterval(check, checkMs);
        check();
    }

    /**
     * Ends the round that is running in this process after its current batch; another process continues. A bucket or a
     * database that does not answer delays the end for some seconds only: closing it ends the batch.
     */
    async close(): Promise<void> {
        this.#closing.abort();
        clearInterval(this.#timer);
        await endsWithin(Promise.resolve(this.#round), this.#options.maxCloseMs ?? 5000);
    }

    /**
     * Runs a round if one is due, if no other process has begun it, and if this machine's clock is right. Never
     * rejects.
     */
    async applyIfDue(): Promise<void> {
        const { clock } = this.#options;
        await this.#try(async () => {
            await clock.sync();
            if (clock.problem === undefined && (await this.#options.rounds.beginIfDue())) {
                await this.#remove();
            }
        });
    }

    /** Runs a round now. Never rejects. */
    async apply(): Promise<void> {
        await this.#try(async () => {
            await this.#options.rounds.begin();
            await this.#remove();
        });
    }

    async #try(round: () => Promise<void>): Promise<void> {
        try {
            await round();
        } catch (error) {
            if (this.#closing.signal.aborted) {
                return;
            }
            this.#options.logger.error(`Old jobs and bundles could not be removed: ${String(error)}`);
        }
    }

    /** Renews the round. @throws the signal's reason if the process is closing */
    readonly #betweenBatches = async (): Promise<void> => {
        const { rounds, clock } = this.#options;
        if (this.#closing.signal.aborted) {
            await rounds.release();
            throw this.#closing.signal.reason;
        }
        if (clock.now() - this.#renewedAt >= renewalMs) {
            this.#renewedAt = clock.now();
            await rounds.begin();
            await rounds.observed.observe();
        }
    };

    async #observe(): Promise<void> {
        const { rounds, logger } = this.#options;
        const silentMs = await rounds.observed.observe();
        if (silentMs > 0) {
            logger.info(
                `No old jobs were removed for ${amount(Math.floor(silentMs / 3_600_000), "hour", "hours")}: the service ` +
                    "or its database was off, or the clock was changed. Jobs and bundles do not age during this time.",
            );
        }
    }

    async #remove(): Promise<void> {
        const { jobs, bundleJobs, storage, rounds, onRemoved, clock, logger } = this.#options;
        const { keepDays, keepJobs, linkTtlSeconds } = this.#options;
        this.#renewedAt = clock.now();
        await this.#observe();
        const unusedBefore = await rounds.observed.ago(keepDays * dayMs);
        const linkedSince = await rounds.observed.ago(linkTtlSeconds * 1000);
        const removed = { jobs: 0, bundles: 0, found: 0 };
        for (const kind of jobs) {
            const limits = { keepJobs, unusedBefore, linkedSince };
            removed.jobs += await kind.removeUnused(limits, this.#betweenBatches);
            await this.#betweenBatches();
        }
        await storage.agentLogs?.removeKeptBefore(unusedBefore, this.#betweenBatches);
        await storage.caches?.removeOutdated(this.#betweenBatches);
        if (await rounds.beginListingIfDue()) {
            removed.found = await storage.bundles.recordFound(this.#betweenBatches);
            await rounds.endListing();
        }
        if (removed.found > 0) {
            logger.error(
                `${removed.found} stored bundles were missing from the database, for example after a restore: those ` +
                    `that still belong to no job in ${foundGraceDays} days will be removed.`,
            );
        }
        const whileUnused: WhileUnused = (archives, remove) => bundleJobs.whileUnused(archives, remove);
        removed.bundles = await storage.bundles.removeBundles(whileUnused, this.#betweenBatches);
        await rounds.succeed();
        onRemoved?.(removed);
        if (removed.jobs + removed.bundles > 0) {
            logger.info(
                `Removed ${amount(removed.jobs, "old job", "old jobs")}, and ` +
                    `${amount(removed.bundles, "bundle", "bundles")} without a job.`,
            );
        }
    }

    /** Runs a round, and logs the retention's limits; for a process that does not share the database. */
    async applyAtStart(): Promise<void> {
        const { bundleJobs, storage, keepDays, keepJobs, logger } = this.#options;
        await (this.#round = this.apply().finally(() => (this.#round = undefined)));
        if (this.#closing.signal.aborted) {
            return;
        }
        try {
            const { bundles, bytes } = await storage.bundles.measure();
            logger.info(
                `The data folder contains ${amount(await bundleJobs.count(), "job", "jobs")} and ` +
                    `${amount(bundles, "bundle", "bundles")} (${Math.ceil(bytes / 1e6)} MB); ended jobs are removed ` +
                    `after ${keepDays} days without use, and the oldest beyond ${keepJobs} per domain.`,
            );
        } catch (error) {
            if (this.#closing.signal.aborted) {
                return;
            }
            logger.error(`The data folder could not be measured: ${String(error)}`);
        }
    }
}
