import { listOf, type ServiceDatabase, type SqlClient, type SqlValues } from "../database/database.js";
import { type CountedWarnings } from "@pulumi-static-export/exporter";
import { type Attempt, Attempts } from "../jobs/attempts.js";
import { formatLog, JobLogs, type JobPhase } from "../jobs/job-log.js";
import { Turns } from "../jobs/turns.js";
import { type CommitDetails } from "./commit-details.js";
import { LiveProgress, type Progress } from "./live-progress.js";
import { type StaticExportJob, type StaticExportRow, toStaticExportJob } from "./static-export-job.js";

export interface StoredBundle {
    pageCount: number;
    /** Null for an update, which stores no archive. */
    sizeBytes: number | null;
    sha256: string | null;
    warnings?: CountedWarnings | undefined;
}

const turns = new Turns("export_turns", "name");
const keyTurn = turns.orderOf("'key ' || COALESCE(queued_by, '')");
const domainTurn = turns.orderOf("'domain ' || domain");

/** True unless another waiting or running job will also answer this job. */
const isUnanswered = `NOT EXISTS (SELECT 1 FROM static_export_jobs answer
    WHERE answer.job_id = job.answered_by AND answer.status IN ('queued', 'running'))`;
const isWithinLimit = `(max_running IS NULL OR max_running > (SELECT count(*) FROM static_export_jobs other
    WHERE other.status = 'running' AND other.queued_by = job.queued_by))`;

/** Jobs of a low priority wait behind others for at most this long, so that they are not postponed forever. */
const maxPostponementMs = 30 * 60_000;

/** A process that takes longer than this to remove a bundle is considered dead. */
const maxRemovalMs = 5 * 60_000;

/** The attempts of export jobs. */
export class ExportAttempts extends Attempts {
    readonly #clock: () => number;
    readonly #live: LiveProgress;
    readonly #logs: JobLogs;
    readonly #worker: string | null;

    /** @param worker - the id of this process, which jobs show @default none */
    constructor(
        database: ServiceDatabase,
        clock: () => number,
        live: LiveProgress = new LiveProgress(clock),
        { logs = new JobLogs(clock), worker = null }: { logs?: JobLogs; worker?: string | null } = {},
    ) {
        super(database, {
            name: "static_export_jobs",
            status: "status",
            // A job that was cancelled meanwhile is not queued again.
            waiting: `status = CASE WHEN cancellation IS NULL THEN 'queued' ELSE 'failed' END, error = cancellation,
                progress = 0`,
        });
        this.#clock = clock;
        this.#live = live;
        this.#logs = logs;
        this.#worker = worker;
    }

    /** Adds a line to the job's log. @param phase - the step that begins */
    note(attempt: Attempt, message: string, phase?: JobPhase): void {
        this.#logs.add(attempt, message, phase);
    }

    /**
     * Starts a queued job of a domain that has no running job in any process. Keys take turns, and so do the domains of a
     * key; the oldest job of a domain is first. Jobs of a low priority wait behind all others for up to half an hour.
     *
     * The run of an export also answers all equal exports that wait: they get the same outcome.
     *
     * @param running - the jobs that run in this process: if there are any, an interrupted job and all jobs behind it
     * wait
     */
    async claim(running: readonly string[] = []): Promise<StaticExportJob | undefined> {
        const others = listOf("running", running);
        const now = this.#clock();
        return this.database.transaction(async (transaction) => {
            const row = await transaction.get<StaticExportRow>(
                `UPDATE static_export_jobs SET status = 'running', attempt = attempt + 1, starts = starts + 1, ticks = 0,
                 progress = 0, page_count = 0, storing = NULL, worker = :worker, updated_at = :now
                 WHERE sequence = (
                    SELECT sequence FROM static_export_jobs job WHERE status = 'queued'
                    AND domain NOT IN (SELECT domain FROM static_export_jobs WHERE status = 'running')
                    AND job_id NOT IN (${others.sql}) AND ${isUnanswered} AND ${isWithinLimit}
                    ORDER BY CASE WHEN created_at <= :postponedSince THEN 0 ELSE priority END,
                        ${keyTurn}, ${domainTurn}, sequence LIMIT 1
                 ) AND (starts = 0 OR :isIdle = 1) RETURNING *`,
                {
                    now,
                    worker: this.#worker,
                    postponedSince: now - maxPostponementMs,
                    isIdle: Number(running.length === 0),
                    ...others.values,
                },
            );
            if (row === undefined) {
                return undefined;
            }
            // A later run of a job exports the commit that its first run chose, and a repair yields the earlier bundle.
            if (row.kind === "export" && row.attempt === 1 && row.sha256 === null) {
                await answerEqualJobs(row, transaction);
            }
            await turns.take([`key ${row.queued_by ?? ""}`, `domain ${row.domain}`], transaction);
            return toStaticExportJob(row, this.#live);
        }, "claim");
    }

    /** Shows the progress to clients of this process immediately; the next tick stores it in the database. */
    reportProgress({ jobId, attempt }: Attempt, progress: Progress): void {
        this.#live.set(jobId, attempt, progress);
    }

    /** Records that the run is alive, and stores its progress. */
    override async tick(attempt: Attempt): Promise<"wanted" | "unwanted" | "lost"> {
        const { progress = 0, pageCount = 0 } = this.#live.of(attempt.jobId, attempt.attempt) ?? {};
        const log = this.#unstoredLog(attempt);
        const row = await this.database.get<{ cancellation: string | null }>(
            `UPDATE static_export_jobs
             SET ticks = ticks + 1, progress = :progress, page_count = :pageCount, updated_at = :now, ${log.sql}
             WHERE job_id = :jobId AND attempt = :attempt AND status = 'running' RETURNING cancellation`,
            { progress, pageCount, now: this.#clock(), jobId: attempt.jobId, attempt: attempt.attempt, ...log.values },
        );
        log.stored();
        return row === undefined ? "lost" : row.cancellation === null ? "wanted" : "unwanted";
    }

    /** Makes all later runs of the job export this commit. @returns false if the run has lost its job */
    async recordSource(attempt: Attempt, sourceRef: string, details?: CommitDetails): Promise<boolean> {
        return this.write(attempt, "source_ref = :sourceRef, commit_details = :details", {
            sourceRef,
            details: details === undefined ? null : JSON.stringify(details),
        });
    }

    /**
     * The commit that exports of a domain use: the one from the domain's newest successful update. A later update
     * counts as newer even if an earlier one ends after it. Undefined before the first update.
     */
    async findPublishedCommit(domain: string): Promise<string | undefined> {
        const row = await this.database.get<{ source_ref: string | null }>(
            `SELECT source_ref FROM static_export_jobs
             WHERE domain = :domain AND status = 'completed' AND kind = 'update' ORDER BY sequence DESC LIMIT 1`,
            { domain },
        );
        return row?.source_ref ?? undefined;
    }

    /**
     * Keeps this archive from being removed until the run has ended.
     *
     * @returns false if the run has lost its job
     * @throws while an equal archive of earlier jobs is being removed
     */
    async announce(attempt: Attempt, sha256: string): Promise<boolean> {
        return this.database.transaction(async (transaction) => {
            const removal = await transaction.get(
                "SELECT 1 AS found FROM bundle_removals WHERE sha256 = :sha256 AND began_at > :oldest",
                { sha256, oldest: this.#clock() - maxRemovalMs },
            );
            if (removal !== undefined) {
                throw new Error("An equal bundle of earlier jobs is being removed.");
            }
            return this.write(attempt, "storing = :sha256", { sha256 }, transaction);
        }, "bundles");
    }

    /** The other jobs that ended with the outcome of this job's run. */
    async answered({ jobId }: Attempt): Promise<string[]> {
        const rows = await this.database.all<{ job_id: string }>(
            "SELECT job_id FROM static_export_jobs WHERE answered_by = :jobId AND status IN ('completed', 'failed')",
            { jobId },
        );
        return rows.map((row) => row.job_id);
    }

    /** @returns false if the run has lost its job, which then ends in another way */
    async complete(attempt: Attempt, bundle: StoredBundle): Promise<boolean> {
        return this.#end(
            attempt,
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
    async fail(attempt: Attempt, error: string, warnings?: CountedWarnings): Promise<boolean> {
        return this.#end(
            attempt,
            "failed",
            "error = :error, progress = 0, page_count = :pageCount, warnings = :warnings",
            {
                error,
                pageCount: this.#live.of(attempt.jobId, attempt.attempt)?.pageCount ?? 0,
                warnings: warnings === undefined ? null : JSON.stringify(warnings),
            },
        );
    }

    override async putBack(attempt: Attempt): Promise<boolean> {
        const isStored = await super.putBack(attempt);
        this.#live.delete(attempt.jobId, attempt.attempt);
        this.#unstoredLog(attempt).stored();
        return isStored;
    }

    /** Assignments that add the new lines of the log; a run that has lost its job drops them. */
    #unstoredLog({ jobId }: Attempt): { sql: string; values: SqlValues; stored: () => void } {
        const lines = this.#logs.of(jobId);
        return {
            sql: "log = COALESCE(log, '') || :log",
            values: { log: formatLog(lines) },
            stored: () => this.#logs.stored(jobId, lines.length),
        };
    }

    protected override get stamp(): { sql: string; values: SqlValues } {
        return { sql: ", updated_at = :now", values: { now: this.#clock() } };
    }

    async #end(
        attempt: Attempt,
        status: "completed" | "failed",
        assignments: string,
        values: SqlValues,
    ): Promise<boolean> {
        const log = this.#unstoredLog(attempt);
        const isEnded = await this.database.transaction(async (transaction) => {
            const ending = `status = '${status}', ${assignments}`;
            const withLog = [`${ending}, ${log.sql}`, { ...values, ...log.values }] as const;
            if (!(await this.write(attempt, ...withLog, transaction))) {
                return this.hasEnded(attempt, status, transaction);
            }
            await transaction.run(
                `UPDATE static_export_jobs SET ${ending},
                    source_ref = (SELECT source_ref FROM static_export_jobs run WHERE run.job_id = :jobId)
                    ${this.stamp.sql}
                 WHERE answered_by = :jobId AND status = 'queued' AND sha256 IS NULL`,
                { ...values, jobId: attempt.jobId, ...this.stamp.values },
            );
            return true;
        });
        log.stored();
        this.#live.delete(attempt.jobId, attempt.attempt);
        return isEnded;
    }
}

/**
 * Lets the run of this job, which is about to begin, answer the equal exports that wait, because all of them export the
 * same documentation.
 */
async function answerEqualJobs(row: StaticExportRow, within: SqlClient): Promise<void> {
    const { job_id: jobId, domain, version, paths, preview_of: previewOf, branch } = row;
    const request = Object.entries({ version, paths, preview_of: previewOf, branch });
    const same = request.map(([column, value]) => `AND ${column} ${value === null ? "IS NULL" : `= :${column}`}`);
    const values = Object.fromEntries(request.filter(([, value]) => value !== null));
    await within.run(
        `UPDATE static_export_jobs SET answered_by = :jobId
         WHERE domain = :domain AND status = 'queued' AND kind = 'export' AND attempt = 0 AND sha256 IS NULL
         ${same.join(" ")}`,
        { jobId, domain, ...values },
    );
}
