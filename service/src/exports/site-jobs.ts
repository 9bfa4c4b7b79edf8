import { join } from "node:path";
import { amount, describePlace } from "@pulumi-static-export/contract";
import { SkippedBuildError } from "../builds/build-failure.js";
import { removeLeftRuns } from "../processes/left-runs.js";
import { aboutAttempt } from "../jobs/attempts.js";
import { type LogFields } from "../shared/logger.js";
import { type CountedWarnings, ExportError, type ExportResult, toOneLine } from "@pulumi-static-export/exporter";
import {
    type JobKind,
    nameOf,
    type Outcome,
    type OutcomeName,
    PostponedRunError,
    type Work,
} from "../jobs/job-kind.js";
import { type Run } from "../jobs/run.js";
import { maxStarts } from "../jobs/starts.js";
import { contextOf, traced } from "../shared/traces.js";
import { reasonOf } from "../storage/storage-folders.js";
import { type ExportContext, exportJob } from "./run-export.js";
import { type SiteJob } from "./site-job.js";

interface SiteJobsOptions extends ExportContext {
    /** How many jobs run at the same time, over all domains. */
    concurrency: number;
    /** Called after each run, which may have filled the disk. */
    pruneCaches: () => Promise<void>;
    /** Called when a run has ended and its outcome is stored. */
    onEnd?: (end: JobEnd) => void;
}

/** The recorded outcome of a job's run. */
interface JobEnd {
    outcome: OutcomeName;
    durationMs: number;
    /** 0 if the job did not complete. */
    pageCount: number;
    /** How long the job waited for its first run; undefined for later runs. */
    waitedMs: number | undefined;
}

/** Runs exports and documentation updates: one at a time per domain. */
export class SiteJobs implements JobKind<SiteJob, ExportResult> {
    readonly #options: SiteJobsOptions;
    readonly name = "Export job";
    readonly graceMs = 0;

    constructor(options: SiteJobsOptions) {
        this.#options = options;
    }

    get attempts() {
        return this.#options.attempts;
    }

    get concurrency(): number {
        return this.#options.concurrency;
    }

    /** Also builds in pods need a folder here. */
    async prepare(): Promise<void> {
        const { folders, dataDir, logger } = this.#options;
        const failures = await Promise.all([folders.removeUnheld(), removeLeftRuns(join(dataDir, "builds"))]);
        for (const failure of failures.flat()) {
            logger.error(toOneLine(`Files of an earlier run cannot be removed: ${failure}`));
        }
    }

    async claim(running: readonly string[]): Promise<SiteJob | undefined> {
        // Leaves the job to other processes if this process cannot run it.
        await this.#options.folders.assertWritable();
        return this.attempts.claim(running);
    }

    describe(job: SiteJob): string {
        return describeJob(job);
    }

    around(job: SiteJob, run: () => Promise<void>): Promise<void> {
        const attributes = { "static_export.job": job.jobId, "static_export.domain": job.domain };
        return traced("export job", attributes, run, contextOf(job.traceParent));
    }

    begin(job: SiteJob): Work<ExportResult> {
        return new SiteWork(job, this.#options);
    }

    async close(): Promise<void> {
        await Promise.all([this.#options.exporter.close?.(), this.#options.builder.close?.()]);
    }
}

class SiteWork implements Work<ExportResult> {
    readonly #job: SiteJob;
    readonly #options: SiteJobsOptions;
    #run: Run | undefined;
    /** Why the build has skipped its commit. */
    #skipped: string | undefined;

    constructor(job: SiteJob, options: SiteJobsOptions) {
        this.#job = job;
        this.#options = options;
    }

    async do(run: Run): Promise<ExportResult> {
        this.#run = run;
        this.#options.attempts.note(this.#job, `Attempt ${this.#job.attempt} begins.`, "prepare");
        if (this.#job.starts > maxStarts) {
            throw new Error(
                `The service ended ${maxStarts} times while this job ran, so the job is not run again. Start a new ` +
                    "export.",
            );
        }
        try {
            const result = await exportJob(this.#job, run, this.#options);
            this.#options.attempts.note(this.#job, `Exported ${amount(result.pageCount, "page", "pages")}.`);
            return result;
        } catch (error) {
            const { attempts, logger, folders } = this.#options;
            const why = run.isStopped && !run.isLost ? "it was stopped" : messageOf(error);
            attempts.note(this.#job, `Ended without a result: ${why}`);
            // The run has removed its files: others fill the disk, so the failure says nothing about the site.
            const full = await reasonOf(folders.assertWritable());
            if (full === undefined || run.signal.aborted) {
                throw error;
            }
            logger.error(`${this.#what} waits in the queue for space: ${full}.`, this.#fields);
            throw new PostponedRunError(full, { cause: error });
        }
    }

    async complete(result: ExportResult): Promise<boolean> {
        const { pageCount, warnings } = result;
        const stored = this.#job.kind === "update" ? { pageCount, warnings, sizeBytes: null, sha256: null } : result;
        if (!(await this.#options.attempts.complete(this.#job, stored))) {
            return false;
        }
        this.#logWarnings(warnings);
        const count = warnings?.count ?? 0;
        const warned = count === 0 ? "" : `, ${amount(count, "warning", "warnings")}`;
        this.#options.logger.info(
            `${this.#what} completed: ${amount(pageCount, "page", "pages")}${warned}.`,
            this.#fields,
        );
        await this.#logAnswered();
        return true;
    }

    async fail(error: unknown): Promise<boolean> {
        const { attempts, logger } = this.#options;
        if (error instanceof SkippedBuildError) {
            if (await attempts.skip(this.#job, error.message)) {
                this.#skipped = error.message;
                await this.#logAnswered();
            }
            return false;
        }
        const reason = toOneLine(messageOf(error));
        const warnings = error instanceof ExportError ? error.warnings : undefined;
        if (!(await attempts.fail(this.#job, reason, warnings))) {
            return false;
        }
        this.#logWarnings(warnings);
        logger.error(`${this.#what} failed: ${reason}`, this.#fields);
        if (error instanceof ExportError && error.detail !== undefined) {
            logger.error(`${this.#what}: ${error.detail}`, this.#fields);
        }
        await this.#logAnswered();
        return true;
    }

    async ended(outcome: Outcome<ExportResult>, durationMs: number): Promise<void> {
        const { attempts, onEnd, folders, caches, pruneCaches } = this.#options;
        const run = this.#run;
        const isCompleted = outcome.kind === "completed";
        const { attempt, createdAt, updatedAt } = this.#job;
        onEnd?.({
            outcome: nameOf(outcome),
            durationMs,
            pageCount: isCompleted ? outcome.result.pageCount : 0,
            // Claiming a job sets the time of its last change.
            waitedMs: attempt === 1 ? Math.max(0, updatedAt.getTime() - createdAt.getTime()) : undefined,
        });
        if (outcome.kind === "lost") {
            // Such a run stores only its last lines.
            await attempts.keepLog(this.#job).catch(() => undefined);
        }
        if (outcome.kind === "stopped" && !outcome.isRequeued) {
            const why = this.#skipped === undefined ? ", because it was cancelled." : `: ${this.#skipped}`;
            this.#options.logger.info(`${this.#what} has stopped${why}`, this.#fields);
        }
        if (isCompleted && run !== undefined && this.#job.preview === null) {
            await caches?.keep(this.#job.domain, await folders.cacheFolder(this.#job.domain), run.signal);
        }
        await pruneCaches();
    }

    close(): Promise<void> {
        this.#options.attempts.forget(this.#job);
        return Promise.resolve();
    }

    async #logAnswered(): Promise<void> {
        const { attempts, logger } = this.#options;
        const { jobId, domain } = this.#job;
        for (const answered of await attempts.answered(this.#job)) {
            logger.info(`Export job ${answered} of ${domain} ended with the outcome of job ${jobId}.`, {
                job: answered,
            });
        }
    }

    #logWarnings(warnings: CountedWarnings | undefined): void {
        for (const warning of warnings?.first ?? []) {
            const line = `${this.#what}: ${describePlace(warning)}: ${warning.reason}`;
            this.#options.logger.info(toOneLine(line), this.#fields);
        }
    }

    get #what(): string {
        return describeJob(this.#job);
    }

    get #fields(): LogFields {
        return aboutAttempt(this.#job);
    }
}

function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

function describeJob({ kind, jobId, domain }: SiteJob): string {
    return `${kind === "update" ? "Documentation update" : "Export job"} ${jobId} of ${domain}`;
}
