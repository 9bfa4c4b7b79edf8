import { randomBytes } from "node:crypto";
import { type ExportWarnings } from "./export-warnings.js";
import { type ServiceDatabase } from "./database.js";

export const staticExportStatuses = ["queued", "running", "completed", "failed"] as const;
export type StaticExportStatus = (typeof staticExportStatuses)[number];

export interface StaticExportJob {
    jobId: string;
    domain: string;
    version: string | null;
    paths: readonly string[] | null;
    status: StaticExportStatus;
    /** Percent, 0 to 100. */
    progress: number;
    pageCount: number;
    /** Only when failed. */
    error: string | null;
    /** Size and digest of the archive, only when completed. */
    sizeBytes: number | null;
    sha256: string | null;
    /** What the site's authors should know, only when completed. */
    warnings: ExportWarnings | null;
    createdAt: Date;
    updatedAt: Date;
}

export interface NewStaticExport {
    domain: string;
    version?: string | undefined;
    paths?: readonly string[] | undefined;
}

interface Row {
    job_id: string;
    domain: string;
    version: string | null;
    paths: string | null;
    status: StaticExportStatus;
    page_count: number;
    error: string | null;
    size_bytes: number | null;
    sha256: string | null;
    warnings: string | null;
    created_at: number;
    updated_at: number;
}

interface LiveProgress {
    progress: number;
    pageCount: number;
    updatedAt: number;
}

/** Static export jobs on disk. Only progress is in memory, because a restart runs the job again from the start. */
export class StaticExportStore {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;
    readonly #live = new Map<string, LiveProgress>();

    constructor(database: ServiceDatabase, clock: () => number) {
        this.#database = database;
        this.#clock = clock;
    }

    create(request: NewStaticExport): StaticExportJob {
        const row = this.#database
            .prepare(
                `INSERT INTO static_export_jobs (job_id, domain, version, paths, status, created_at, updated_at)
                 VALUES (:jobId, :domain, :version, :paths, 'queued', :now, :now) RETURNING *`,
            )
            .get({
                jobId: `se_${randomBytes(12).toString("hex")}`,
                domain: request.domain,
                version: request.version ?? null,
                paths: request.paths === undefined ? null : JSON.stringify(request.paths),
                now: this.#clock(),
            }) as Row;
        return this.#toJob(row);
    }

    get(jobId: string): StaticExportJob | undefined {
        const row = this.#database.prepare("SELECT * FROM static_export_jobs WHERE job_id = ?").get(jobId);
        return row === undefined ? undefined : this.#toJob(row as Row);
    }

    /** The oldest queued job of a domain that is not in `busyDomains`. */
    nextQueued(busyDomains: readonly string[]): StaticExportJob | undefined {
        const row = this.#database
            .prepare(
                `SELECT * FROM static_export_jobs WHERE status = 'queued'
                 AND domain NOT IN (SELECT value FROM json_each(?)) ORDER BY sequence LIMIT 1`,
            )
            .get(JSON.stringify(busyDomains));
        return row === undefined ? undefined : this.#toJob(row as Row);
    }

    /** How many jobs are queued, in total and for this domain. */
    countQueued(domain: string): { total: number; ofDomain: number } {
        return this.#database
            .prepare(
                `SELECT count(*) AS total, count(CASE WHEN domain = ? THEN 1 END) AS ofDomain
                 FROM static_export_jobs WHERE status = 'queued'`,
            )
            .get(domain) as { total: number; ofDomain: number };
    }

    count(): number {
        return (this.#database.prepare("SELECT count(*) AS jobs FROM static_export_jobs").get() as { jobs: number })
            .jobs;
    }

    /** Whether a job has this archive as its bundle. */
    hasBundle(sha256: string): boolean {
        return (
            this.#database.prepare("SELECT 1 FROM static_export_jobs WHERE sha256 = ? LIMIT 1").get(sha256) !==
            undefined
        );
    }

    /**
     * Requeues what a killed service left running, in the same order. Jobs that were started `mostStarts`
     * times fail, and are returned.
     */
    requeueRunning(mostStarts: number): StaticExportJob[] {
        const now = this.#clock();
        const failed = this.#database
            .prepare(
                `UPDATE static_export_jobs SET status = 'failed', updated_at = :now, error = :error
                 WHERE status = 'running' AND starts >= :mostStarts RETURNING *`,
            )
            .all({
                now,
                mostStarts,
                error: `The service ended ${mostStarts} times while this job ran; it is not run again. Start a new export.`,
            }) as Row[];
        this.#database
            .prepare("UPDATE static_export_jobs SET status = 'queued', updated_at = ? WHERE status = 'running'")
            .run(now);
        return failed.map((row) => this.#toJob(row));
    }

    markRunning(jobId: string): void {
        this.#update(jobId, "SET status = 'running', starts = starts + 1, updated_at = :now", {});
    }

    /** Requeues a job that was interrupted on purpose, which does not count as a start. */
    putBack(jobId: string): void {
        this.#update(jobId, "SET status = 'queued', starts = max(0, starts - 1), updated_at = :now", {});
    }

    /** Requeues a completed job whose bundle is damaged. */
    rebuild(jobId: string): void {
        this.#update(jobId, "SET status = 'queued', starts = 0, updated_at = :now", {});
    }

    /** Records that the job has issued a link now. */
    markLinked(jobId: string): void {
        this.#database
            .prepare("UPDATE static_export_jobs SET linked_at = ? WHERE job_id = ?")
            .run(this.#clock(), jobId);
    }

    /**
     * Removes finished jobs that were not used since `unusedBefore`, or that are not among the newest `keepJobs` of their
     * domain, unless they issued a link since `linkedSince`. The newest completed job of each domain stays.
     *
     * @returns how many it removed
     */
    removeUnused(limits: { keepJobs: number; unusedBefore: number; linkedSince: number }): number {
        return this.#database
            .prepare(
                `DELETE FROM static_export_jobs WHERE sequence IN (
                    SELECT sequence FROM (
                        SELECT sequence, domain, status, max(updated_at, linked_at) AS used_at, linked_at,
                            row_number() OVER (PARTITION BY domain ORDER BY sequence DESC) AS place
                        FROM static_export_jobs WHERE status IN ('completed', 'failed')
                    ) WHERE (used_at < :unusedBefore OR place > :keepJobs) AND linked_at <= :linkedSince
                )
                AND sequence NOT IN (
                    SELECT max(sequence) FROM static_export_jobs WHERE status = 'completed' GROUP BY domain
                )`,
            )
            .run(limits).changes;
    }

    reportProgress(jobId: string, progress: number, pageCount: number): void {
        this.#live.set(jobId, { progress, pageCount, updatedAt: this.#clock() });
    }

    complete(
        jobId: string,
        bundle: { pageCount: number; sizeBytes: number; sha256: string; warnings?: ExportWarnings | undefined },
    ): void {
        this.#update(
            jobId,
            `SET status = 'completed', page_count = :pageCount, size_bytes = :sizeBytes, sha256 = :sha256,
             warnings = :warnings, updated_at = :now`,
            {
                pageCount: bundle.pageCount,
                sizeBytes: bundle.sizeBytes,
                sha256: bundle.sha256,
                warnings: bundle.warnings === undefined ? null : JSON.stringify(bundle.warnings),
            },
        );
    }

    fail(jobId: string, error: string, warnings?: ExportWarnings): void {
        this.#update(
            jobId,
            `SET status = 'failed', error = :error, page_count = :pageCount, warnings = :warnings, updated_at = :now`,
            {
                error,
                pageCount: this.#live.get(jobId)?.pageCount ?? 0,
                warnings: warnings === undefined ? null : JSON.stringify(warnings),
            },
        );
    }

    #update(jobId: string, assignments: string, values: Record<string, string | number | null>): void {
        this.#database
            .prepare(`UPDATE static_export_jobs ${assignments} WHERE job_id = :jobId`)
            .run({ ...values, jobId, now: this.#clock() });
        this.#live.delete(jobId);
    }

    #toJob(row: Row): StaticExportJob {
        const live = this.#live.get(row.job_id);
        return {
            jobId: row.job_id,
            domain: row.domain,
            version: row.version,
            paths: row.paths === null ? null : (JSON.parse(row.paths) as string[]),
            status: row.status,
            progress: row.status === "completed" ? 100 : (live?.progress ?? 0),
            pageCount: live?.pageCount ?? row.page_count,
            error: row.error,
            sizeBytes: row.size_bytes,
            sha256: row.sha256,
            warnings: row.warnings === null ? null : (JSON.parse(row.warnings) as ExportWarnings),
            createdAt: new Date(row.created_at),
            updatedAt: new Date(Math.max(row.updated_at, live?.updatedAt ?? 0)),
        };
    }
}
