import { setMaxListeners } from "node:events";
import { Attempt, AttemptLostError } from "../jobs/run.js";
import { RunLoop } from "../jobs/run-loop.js";
import { writeUntilStored } from "../shared/write-until-stored.js";
import { type CountedWarnings, ExportError, type ExportResult, toOneLine } from "@pulumi-static-export/exporter";
import { contextOf, traced } from "../shared/traces.js";
import { type StaticExportJob } from "./static-export-job.js";
import { describePlace } from "@pulumi-static-export/contract";
import { type ExportContext, exportJob } from "./run-export.js";
import { type Retention } from "./retention.js";

export interface ExportQueueOptions extends ExportContext {
    /** How many jobs run at once, over all domains. */
    concurrency: number;
    retention: Retention;
    /** Called when a run has ended. */
    onEnd?: (end: JobEnd) => void;
    /** How often a run says that it is alive, and stores its progress. @default 10000 */
    tickMs?: number | undefined;
    /** First backoff before a failed write is retried; doubled up to thirty times as long. @default 1000 */
    retryMs?: number;
}

/**
 * A job that was interrupted this often is not run again: it may be what crashes the service. All of its starts but the
 * first are without other exports in the process, so that none fails for what another one does.
 */
export const maxStarts = 3;

type Outcome = { result: ExportResult } | { error: unknown };

/** How a run of a job ended, as it was recorded. */
export interface JobEnd {
    /** lost: the job was given to another worker; requeued: this one closes. */
    outcome: "completed" | "failed" | "lost" | "requeued";
    durationMs: number;
    /** 0 unless it completed. */
    pageCount: number;
}

/** Runs queued jobs, oldest first: one at a time per domain, and at most `concurrency` in total. */
export class ExportQueue {
    readonly #options: ExportQueueOptions;
    readonly #loop: RunLoop<StaticExportJob>;
    readonly #closing = new AbortController();

    constructor(options: ExportQueueOptions) {
        const { concurrency, attempts, folders, logger, retryMs } = options;
        this.#options = options;
        // Each running job adds a listener. Their number is limited by concurrency, so Node's leak warning does not apply.
        setMaxListeners(2 * concurrency + 2, this.#closing.signal);
        this.#loop = new RunLoop({
            concurrency,
            keyOf: ({ jobId, attempt }) => `${jobId} ${attempt}`,
            runsAlone: ({ starts }) => starts > 1,
            begin: async ({ length }) => {
                // A job that this process cannot run is left to the others.
                await folders.assertWritable();
                return attempts.claim(length === 0);
            },
            execute: (job) =>
                traced(
                    "export job",
                    { "static_export.job": job.jobId, "static_export.domain": job.domain },
                    () => this.#run(job),
                    contextOf(job.traceParent),
                ),
            onError: (error) =>
                logger.error(`No export job could be started, and the service tries again: ${String(error)}`),
            retryMs,
        });
    }

    /** Resumes what an earlier process left queued or running; only for a process that has the database to itself. */
    async resume(): Promise<void> {
        const { attempts, logger } = this.#options;
        for (const job of await attempts.requeueRunning(maxStarts)) {
            logger.error(
                `${titleOf(job)} ${job.jobId} of ${job.domain} failed: it was interrupted ${maxStarts} times.`,
            );
        }
        this.wake();
    }

    /** Starts every job that may start now; call it after adding one. */
    wake(): void {
        this.#loop.wake();
    }

    /** Interrupts the running jobs; the next process runs them again. */
    async close(): Promise<void> {
        this.#closing.abort();
        await this.#loop.close();
        await this.#options.exporter.close?.();
    }

    async #run(job: StaticExportJob): Promise<void> {
        const { attempts, folders, storage, logger, retention, onEnd, retryMs, tickMs } = this.#options;
        const startedMs = performance.now();
        let recorded = "requeued" as JobEnd["outcome"];
        logger.info(`${titleOf(job)} ${job.jobId} of ${job.domain} started.`, { job: job.jobId });
        const attempt = new Attempt({
            what: `${titleOf(job)} ${job.jobId}`,
            jobId: job.jobId,
            tick: () => attempts.tick(job),
            closing: this.#closing.signal,
            tickMs,
            retryMs,
            logger,
        });
        const outcome = await exportJob(job, attempt, this.#options).then(
            (result): Outcome => ({ result }),
            (error: unknown): Outcome => ({ error }),
        );
        const record = async (): Promise<void> => void (recorded = await this.#record(job, outcome));
        await writeUntilStored(record, {
            signal: this.#closing.signal,
            retryMs,
            onError: (error) =>
                logger.error(
                    `The outcome of export job ${job.jobId} could not be stored, and the service tries again; ` +
                        `make room on its disk if that is full: ${String(error)}`,
                    { job: job.jobId },
                ),
        });
        attempt.end();
        onEnd?.({
            outcome: recorded,
            durationMs: performance.now() - startedMs,
            pageCount: recorded === "completed" && "result" in outcome ? outcome.result.pageCount : 0,
        });
        if (recorded === "completed") {
            await storage.keepCache(job.domain, await folders.cacheFolder(job.domain), this.#closing.signal);
        }
        if (!this.#closing.signal.aborted) {
            await retention.apply();
        }
    }

    async #record(job: StaticExportJob, outcome: Outcome): Promise<JobEnd["outcome"]> {
        const { attempts, logger } = this.#options;
        const of = { job: job.jobId };
        const what = `${titleOf(job)} ${job.jobId} of ${job.domain}`;
        if ("result" in outcome) {
            const { pageCount, warnings } = outcome.result;
            const stored =
                job.kind === "update" ? { pageCount, warnings, sizeBytes: null, sha256: null } : outcome.result;
            if (!(await attempts.complete(job, stored))) {
                logger.info(`${what} was given to another worker: this result is dropped.`, of);
                return "lost";
            }
            this.#logWarnings(job, warnings);
            const count = warnings?.count ?? 0;
            const warned = count === 0 ? "" : `, ${count} ${count === 1 ? "warning" : "warnings"}`;
            logger.info(`${what} completed: ${pageCount} pages${warned}.`, of);
            return "completed";
        }
        if (outcome.error instanceof AttemptLostError) {
            logger.info(`${what} was given to another worker: this run has ended.`, of);
            return "lost";
        }
        if (this.#closing.signal.aborted) {
            await attempts.putBack(job);
            return "requeued";
        }
        const { error } = outcome;
        const reason = toOneLine(error instanceof Error ? error.message : String(error));
        const warnings = error instanceof ExportError ? error.warnings : undefined;
        if (!(await attempts.fail(job, reason, warnings))) {
            logger.info(`${what} was given to another worker: this failure is dropped: ${reason}`, of);
            return "lost";
        }
        this.#logWarnings(job, warnings);
        logger.error(`${what} failed: ${reason}`, of);
        if (error instanceof ExportError && error.detail !== undefined) {
            logger.error(`${what}: ${error.detail}`, of);
        }
        return "failed";
    }

    #logWarnings(job: StaticExportJob, warnings: CountedWarnings | undefined): void {
        for (const warning of warnings?.first ?? []) {
            const said = `${describePlace(warning)}: ${warning.reason}`;
            this.#options.logger.info(toOneLine(`${titleOf(job)} ${job.jobId} of ${job.domain}: ${said}`), {
                job: job.jobId,
            });
        }
    }
}

/** What messages call a job. */
function titleOf({ kind }: StaticExportJob): string {
    return kind === "update" ? "Documentation update" : "Export job";
}
