import {
    DatabaseUnavailableError,
    type ServiceDatabase,
    type SqlClient,
    type SqlValues,
} from "../database/database.js";
import { type CountedWarnings } from "@pulumi-static-export/exporter";
import { boundedCount } from "../shared/bounded-count.js";
import { type Attempt, Attempts, joined, type Report } from "../jobs/attempts.js";
import { formatLog, JobLogs, type JobPhase } from "../jobs/job-log.js";
import { changeStatus, siteJobs } from "../jobs/transitions.js";
import { isBeingRemoved } from "./bundle-removals.js";
import { type CommitDetails } from "./commit-details.js";
import { LiveProgress, type Progress } from "./live-progress.js";
import { claimNextSiteJob } from "./next-site-job.js";
import { type SiteJob, type SiteJobRow, toSiteJob } from "./site-job.js";

interface StoredBundle {
    pageCount: number;
    /** Null for an update, which stores no archive. */
    sizeBytes: number | null;
    sha256: string | null;
    warnings?: CountedWarnings | undefined;
}

/** The attempts of exports and updates. */
export class SiteJobAttempts extends Attempts {
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
        super(database, siteJobs);
        this.#clock = clock;
        this.#live = live;
        this.#logs = logs;
        this.#worker = worker;
    }

    /** Adds a line to the job's log. @param phase - the step that begins */
    note(attempt: Attempt, message: string, phase?: JobPhase): void {
        this.#logs.add(attempt, message, phase);
    }

    /** Starts the job that is next: see {@link claimNextSiteJob}. */
    claim(running: readonly string[] = []): Promise<SiteJob | undefined> {
        const claim = { running, worker: this.#worker, now: this.#clock() };
        return this.database.transaction(async (transaction) => {
            const row = await claimNextSiteJob(transaction, claim);
            return row && toSiteJob(row, this.#live);
        }, "claim");
    }

    /** Shows the progress to clients of this process immediately; the next tick stores it in the database. */
    reportProgress({ jobId, attempt }: Attempt, progress: Progress): void {
        this.#live.set(jobId, attempt, progress);
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
            if (await isBeingRemoved(sha256, this.#clock(), transaction)) {
                throw new DatabaseUnavailableError("An identical bundle of earlier jobs is being removed.");
            }
            return this.write(attempt, "storing = :sha256", { sha256 }, { within: transaction });
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

    /** @returns false if the run has lost its job, or if somebody has cancelled it */
    async complete(attempt: Attempt, bundle: StoredBundle): Promise<boolean> {
        return this.#end(
            attempt,
            "complete",
            "page_count = :pageCount, size_bytes = :sizeBytes, sha256 = :sha256, warnings = :warnings",
            {
                pageCount: boundedCount(bundle.pageCount),
                sizeBytes: bundle.sizeBytes,
                sha256: bundle.sha256,
                warnings: bundle.warnings === undefined ? null : JSON.stringify(bundle.warnings),
            },
        );
    }

    /** @returns false if the run has lost its job, or if somebody has cancelled it */
    async fail(attempt: Attempt, error: string, warnings?: CountedWarnings): Promise<boolean> {
        return this.#end(attempt, "fail", "error = :error, page_count = :pageCount, warnings = :warnings", {
            error,
            pageCount: this.#live.of(attempt.jobId, attempt.attempt)?.pageCount ?? 0,
            warnings: warnings === undefined ? null : JSON.stringify(warnings),
        });
    }

    /**
     * Cancels the job of a run whose build skips its commit, and the equal exports that wait for it. The job ends as
     * cancelled when it is put back.
     *
     * @returns false if the run has lost its job, or if somebody has cancelled it
     */
    async skip(attempt: Attempt, reason: string): Promise<boolean> {
        const { jobId } = attempt;
        return this.database.transaction(async (transaction) => {
            const row = await transaction.get<SiteJobRow>("SELECT * FROM static_export_jobs WHERE job_id = :jobId", {
                jobId,
            });
            const details = row && toSiteJob(row, this.#live).commitDetails;
            // An export has no details, and shows only that it was cancelled.
            const [sets, values] = details
                ? ["commit_details = :details", { details: JSON.stringify({ ...details, isSkipped: true }) }]
                : [undefined, {}];
            const how = { within: transaction, isWanted: true };
            if (!(await this.write(attempt, joined("cancellation = :reason", sets), { reason, ...values }, how))) {
                return false;
            }
            await this.#endEqual(
                attempt,
                "failEqual",
                "cancellation = :reason, error = :reason",
                { reason },
                transaction,
            );
            return true;
        });
    }

    override async giveUp(attempt: Attempt, reason: string): Promise<boolean> {
        this.forget(attempt);
        return this.fail(attempt, reason);
    }

    /** Drops what a run has reported and not stored. */
    forget(attempt: Attempt): void {
        this.#live.delete(attempt.jobId, attempt.attempt);
        this.unstored(attempt).stored();
    }

    override async putBack(attempt: Attempt): ReturnType<Attempts["putBack"]> {
        const state = await super.putBack(attempt);
        this.#live.delete(attempt.jobId, attempt.attempt);
        return state;
    }

    /**
     * Stores the last lines of a run that has lost its job, unless another run has begun: its log is not the place for
     * lines of an earlier one.
     */
    async keepLog(attempt: Attempt): Promise<void> {
        const log = this.unstored(attempt);
        if (log.values["log"] !== "") {
            await this.database.run(
                `UPDATE static_export_jobs SET ${log.sql} WHERE job_id = :jobId AND attempt = :attempt`,
                { jobId: attempt.jobId, attempt: attempt.attempt, ...log.values },
            );
        }
    }

    /** The new lines of the log. */
    protected override unstored({ jobId }: Attempt): Report {
        const lines = this.#logs.of(jobId);
        return {
            sql: "log = COALESCE(log, '') || :log",
            values: { log: formatLog(lines) },
            stored: () => this.#logs.stored(jobId, lines.length),
        };
    }

    protected override progress({ jobId, attempt }: Attempt): { sql: string; values: SqlValues } {
        const { progress = 0, pageCount = 0 } = this.#live.of(jobId, attempt) ?? {};
        return { sql: "progress = :progress, page_count = :pageCount", values: { progress, pageCount } };
    }

    protected override get stamp(): { sql: string; values: SqlValues } {
        return { sql: "updated_at = :now", values: { now: this.#clock() } };
    }

    /** Stores the outcome of a run for its job, and for the equal exports that wait for it. */
    async #end(
        attempt: Attempt,
        transition: "complete" | "fail",
        assignments: string,
        values: SqlValues,
    ): Promise<boolean> {
        const log = this.unstored(attempt);
        const isEnded = await this.database.transaction(async (transaction) => {
            const sets = joined(assignments, log.sql, this.stamp.sql);
            if (!(await this.endRun(attempt, transition, sets, { ...values, ...log.values }, transaction))) {
                return this.hasEnded(attempt, transition === "complete" ? "completed" : "failed", transaction);
            }
            const equal = transition === "complete" ? "completeEqual" : "failEqual";
            await this.#endEqual(attempt, equal, assignments, values, transaction);
            return true;
        });
        if (isEnded) {
            log.stored();
        }
        this.#live.delete(attempt.jobId, attempt.attempt);
        return isEnded;
    }

    /** Ends the equal exports that wait for this job like its run. */
    async #endEqual(
        { jobId }: Attempt,
        transition: "completeEqual" | "failEqual",
        assignments: string,
        values: SqlValues,
        within: SqlClient,
    ): Promise<void> {
        const ofRun = "source_ref = (SELECT source_ref FROM static_export_jobs run WHERE run.job_id = :jobId)";
        const sets = joined(assignments, ofRun, this.stamp.sql);
        await within.run(changeStatus(siteJobs, transition, { sets, where: "answered_by = :jobId" }), {
            ...values,
            jobId,
            ...this.stamp.values,
        });
    }
}
