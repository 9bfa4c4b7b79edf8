import { setMaxListeners } from "node:events";
import { type BundleStorage } from "../bundles/bundle-storage.js";
import { type FaultSchedule } from "../faults/fault-schedule.js";
import { type ServiceLogger } from "../logger.js";
import { type StaticExportJob, type StaticExportStore } from "../store/static-export-store.js";
import { type Exporter, type ExportResult } from "./exporter.js";

export interface ExportQueueOptions {
    store: StaticExportStore;
    storage: BundleStorage;
    exporter: Exporter;
    /** Absolute site folder by canonical domain. */
    sites: ReadonlyMap<string, string>;
    /** How many jobs run at once, over all domains. */
    concurrency: number;
    faults: FaultSchedule;
    logger: ServiceLogger;
}

/** Runs queued jobs, oldest first: one at a time for each domain, and no more than `concurrency` in all. */
export class ExportQueue {
    readonly #options: ExportQueueOptions;
    readonly #runs = new Map<string, Promise<void>>();
    readonly #closing = new AbortController();

    constructor(options: ExportQueueOptions) {
        this.#options = options;
        // Each running job listens; how many there are is bounded by concurrency, not by Node's warning of a leak.
        setMaxListeners(options.concurrency + 1, this.#closing.signal);
    }

    /** Takes up what an earlier process left queued or running. */
    resume(): void {
        this.#options.store.requeueRunning();
        this.wake();
    }

    /** Starts every job that may start now; call it when one was added. */
    wake(): void {
        while (!this.#closing.signal.aborted && this.#runs.size < this.#options.concurrency) {
            const job = this.#options.store.nextQueued([...this.#runs.keys()]);
            if (job === undefined) {
                return;
            }
            this.#options.store.markRunning(job.jobId);
            this.#runs.set(job.domain, this.#run(job).catch(this.#reportUnrecorded));
        }
    }

    /** Interrupts the running jobs; they stay recorded as running, so that the next process takes them up. */
    async close(): Promise<void> {
        this.#closing.abort();
        await Promise.all(this.#runs.values());
        await this.#options.exporter.close?.();
    }

    /** The outcome of a job could not be stored (a full disk, say): the next start of the service runs it again. */
    readonly #reportUnrecorded = (error: unknown): void => {
        this.#options.logger.error(`The outcome of an export job could not be stored: ${String(error)}`);
    };

    async #run(job: StaticExportJob): Promise<void> {
        const { store, logger } = this.#options;
        logger.info(`Export job ${job.jobId} of ${job.domain} started.`);
        try {
            const result = await this.#export(job);
            store.complete(job.jobId, result);
            for (const warning of result.warnings ?? []) {
                logger.info(`Export job ${job.jobId} of ${job.domain}: ${warning}`);
            }
            logger.info(`Export job ${job.jobId} of ${job.domain} completed: ${result.pageCount} pages.`);
        } catch (error) {
            if (!this.#closing.signal.aborted) {
                const reason = error instanceof Error ? error.message : String(error);
                store.fail(job.jobId, reason);
                logger.error(`Export job ${job.jobId} of ${job.domain} failed: ${reason}`);
            }
        } finally {
            this.#runs.delete(job.domain);
            this.wake();
        }
    }

    async #export(job: StaticExportJob): Promise<ExportResult> {
        const { store, storage, exporter, sites, faults } = this.#options;
        const { signal } = this.#closing;
        const siteDir = sites.get(job.domain);
        if (siteDir === undefined) {
            throw new Error(`Static export is no longer enabled for ${job.domain} on this service.`);
        }
        const fault = faults.take("export");
        await fault?.wait(signal);
        if (fault?.effect?.kind === "fail") {
            throw new Error(fault.effect.reason);
        }
        return storage.withWorkFolder(job.jobId, async (workDir) => {
            const cacheDir = await storage.cacheFolder(job.domain);
            signal.throwIfAborted();
            const result = await exporter.export(
                {
                    domain: job.domain,
                    siteDir,
                    workDir,
                    cacheDir,
                    ...(job.version === null ? {} : { version: job.version }),
                    ...(job.paths === null ? {} : { paths: job.paths }),
                },
                { signal, onProgress: (progress, pageCount) => store.reportProgress(job.jobId, progress, pageCount) },
            );
            signal.throwIfAborted();
            await storage.keep(result.archivePath, result.sha256);
            return result;
        });
    }
}
