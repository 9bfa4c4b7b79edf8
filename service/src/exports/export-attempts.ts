import { type ServiceDatabase, type SqlValues } from "../database/database.js";
import { type CountedWarnings } from "@pulumi-static-export/exporter";
import { type CommitDetails } from "./commit-details.js";
import { LiveProgress, type Progress } from "./live-progress.js";
import { type StaticExportJob, type StaticExportRow, toStaticExportJob } from "./static-export-job.js";

/** One run of a job. */
export interface ExportAttempt {
    jobId: string;
    attempt: number;
}

interface RunningExport extends ExportAttempt {
    ticks: number;
}

export interface StoredBundle {
    pageCount: number;
    /** Null for an update, which stores no archive. */
    sizeBytes: number | null;
    sha256: string | null;
    warnings?: CountedWarnings | undefined;
}

/**
 * Runs of static export jobs. A claim raises the job's attempt, and every later write names the attempt: what a run
 * writes after its job was given to another one changes nothing, and the call says so. docs/architecture.md says why no
 * library of queues does it.
 */
export class ExportAttempts {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;
    readonly #live: LiveProgress;

    constructor(database: ServiceDatabase, clock: () => number, live: LiveProgress = new LiveProgress(clock)) {
        this.#database = database;
        this.#clock = clock;
        this.#live = live;
    }

    /**
     * Starts the oldest queued job of a domain of which no job is running, in any process.
     *
     * @param isIdle - false if other jobs run in this process: then a job that was interrupted waits, and all behind it
     */
    async claim(isIdle = true): Promise<StaticExportJob | undefined> {
        return this.#database.transaction(async (transaction) => {
            const row = await transaction.get<StaticExportRow>(
                `UPDATE static_export_jobs SET status = 'running', attempt = attempt + 1, starts = starts + 1, ticks = 0,
                 progress = 0, page_count = 0, storing = NULL, updated_at = :now
                 WHERE sequence = (
                    SELECT sequence FROM static_export_jobs WHERE status = 'queued'
                    AND domain NOT IN (SELECT domain FROM static_export_jobs WHERE status = 'running')
                    ORDER BY sequence LIMIT 1
                 ) AND (starts = 0 OR :isIdle = 1) RETURNING *`,
                { now: this.#clock(), isIdle: Number(isIdle) },
            );
            return row === undefined ? undefined : toStaticExportJob(row, this.#live);
        }, "claim");
    }

    /** Progress that clients of this process see at once; the next tick stores it. */
    reportProgress({ jobId, attempt }: ExportAttempt, progress: Progress): void {
        this.#live.set(jobId, attempt, progress);
    }

    /** Stores the progress, and that the run is alive. @returns false if the run has lost its job */
    async tick(run: ExportAttempt): Promise<boolean> {
        const { progress = 0, pageCount = 0 } = this.#live.of(run.jobId, run.attempt) ?? {};
        return this.#write(run, "ticks = ticks + 1, progress = :progress, page_count = :pageCount", {
            progress,
            pageCount,
        });
    }

    /** Has all later runs of the job take this commit. @returns false if the run has lost its job */
    async recordSource(run: ExportAttempt, sourceRef: string, details?: CommitDetails): Promise<boolean> {
        return this.#write(run, "source_ref = :sourceRef, commit_details = :details", {
            sourceRef,
            details: details === undefined ? null : JSON.stringify(details),
        });
    }

    /**
     * The commit that exports of a domain take: that of its newest successful update. A later update counts as newer even
     * if an earlier one ends after it. Undefined if there was none.
     */
    async findPublishedCommit(domain: string): Promise<string | undefined> {
        const row = await this.#database.get<{ source_ref: string | null }>(
            `SELECT source_ref FROM static_export_jobs
             WHERE domain = :domain AND status = 'completed' AND kind = 'update' ORDER BY sequence DESC LIMIT 1`,
            { domain },
        );
        return row?.source_ref ?? undefined;
    }

    /** Keeps this archive from being removed until the run has ended. @returns false if the run has lost its job */
    async announce(run: ExportAttempt, sha256: string): Promise<boolean> {
        return this.#database.transaction(
            async (transaction) =>
                (await transaction.run(
                    `UPDATE static_export_jobs SET storing = :sha256
                     WHERE job_id = :jobId AND attempt = :attempt AND status = 'running'`,
                    { jobId: run.jobId, attempt: run.attempt, sha256 },
                )) === 1,
            "bundles",
        );
    }

    /** @returns false if the run has lost its job, which then ends in another way */
    async complete(run: ExportAttempt, bundle: StoredBundle): Promise<boolean> {
        return this.#end(
            run,
            "completed",
            "page_count = :pageCount, size_bytes = :sizeBytes, sha256 = :sha256, warnings = :warnings",
            {
                pageCount: bundle.pageCount,
                sizeBytes: bundle.sizeBytes,
                sha256: bundle.sha256,
                warnings: bundle.warnings === undefined ? null : JSON.stringify(bundle.warnings),
            },
        );
    }

    /** @returns false if the run has lost its job, which then ends in another way */
    async fail(run: ExportAttempt, error: string, warnings?: CountedWarnings): Promise<boolean> {
        return this.#end(run, "failed", "error = :error, progress = 0, page_count = :pageCount, warnings = :warnings", {
            error,
            pageCount: this.#live.of(run.jobId, run.attempt)?.pageCount ?? 0,
            warnings: warnings === undefined ? null : JSON.stringify(warnings),
        });
    }

    /**
     * Requeues a job whose run was interrupted on purpose, which does not count as a start.
     *
     * @returns false if the run has lost its job
     */
    async putBack(run: ExportAttempt): Promise<boolean> {
        const isStored = await this.#write(
            run,
            "status = 'queued', progress = 0, starts = CASE WHEN starts > 0 THEN starts - 1 ELSE 0 END",
        );
        this.#live.delete(run.jobId, run.attempt);
        return isStored;
    }

    /** The jobs that are running, in all processes. */
    async running(): Promise<RunningExport[]> {
        const rows = await this.#database.all<{ job_id: string; attempt: number; ticks: number }>(
            "SELECT job_id, attempt, ticks FROM static_export_jobs WHERE status = 'running'",
        );
        return rows.map(({ job_id: jobId, attempt, ticks }) => ({ jobId, attempt, ticks }));
    }

    /**
     * Takes a job from a run that has not ticked since: requeues it, or lets it fail if it was started `maxStarts` times.
     *
     * @returns the job, or undefined if the run has ended, ticked or lost it meanwhile
     */
    async takeFrom(run: RunningExport, maxStarts: number): Promise<StaticExportJob | undefined> {
        const row = await this.#database.get<StaticExportRow>(
            `UPDATE static_export_jobs SET ${requeuedOrFailed}
             WHERE job_id = :jobId AND attempt = :attempt AND ticks = :ticks AND status = 'running' RETURNING *`,
            { jobId: run.jobId, attempt: run.attempt, ticks: run.ticks, ...this.#interrupted(maxStarts) },
        );
        return row === undefined ? undefined : toStaticExportJob(row, this.#live);
    }

    /**
     * Requeues what a killed service left running, in the same order; only for a process that has the database to itself.
     * Jobs that were started `maxStarts` times fail, and are returned.
     */
    async requeueRunning(maxStarts: number): Promise<StaticExportJob[]> {
        const rows = await this.#database.all<StaticExportRow>(
            `UPDATE static_export_jobs SET ${requeuedOrFailed} WHERE status = 'running' RETURNING *`,
            this.#interrupted(maxStarts),
        );
        return rows.map((row) => toStaticExportJob(row, this.#live)).filter(({ status }) => status === "failed");
    }

    #interrupted(maxStarts: number): { now: number; maxStarts: number; error: string } {
        return {
            now: this.#clock(),
            maxStarts,
            error: `The service ended ${maxStarts} times while this job ran; it is not run again. Start a new export.`,
        };
    }

    /** A write whose answer was lost may be repeated: the run has then ended in the same way already. */
    async #end(
        run: ExportAttempt,
        status: "completed" | "failed",
        assignments: string,
        values: SqlValues,
    ): Promise<boolean> {
        const isStored = await this.#write(run, `status = '${status}', ${assignments}`, values);
        this.#live.delete(run.jobId, run.attempt);
        if (isStored) {
            return true;
        }
        const ended = await this.#database.get(
            `SELECT 1 AS found FROM static_export_jobs
             WHERE job_id = :jobId AND attempt = :attempt AND status = '${status}'`,
            { jobId: run.jobId, attempt: run.attempt },
        );
        return ended !== undefined;
    }

    async #write(run: ExportAttempt, assignments: string, values: SqlValues = {}): Promise<boolean> {
        const changed = await this.#database.run(
            `UPDATE static_export_jobs SET ${assignments}, updated_at = :now
             WHERE job_id = :jobId AND attempt = :attempt AND status = 'running'`,
            { ...values, jobId: run.jobId, attempt: run.attempt, now: this.#clock() },
        );
        return changed === 1;
    }
}

const requeuedOrFailed = `updated_at = :now, progress = 0,
    error = CASE WHEN starts >= :maxStarts THEN :error ELSE error END,
    status = CASE WHEN starts >= :maxStarts THEN 'failed' ELSE 'queued' END`;
