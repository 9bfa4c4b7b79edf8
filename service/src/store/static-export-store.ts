import { randomBytes } from "node:crypto";
import { type CountedWarnings } from "@pulumi-static-export/exporter";
import { type ServiceDatabase, type SqlRunner, type SqlValues } from "./database.js";

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
    warnings: CountedWarnings | null;
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

    /** @param within - the transaction that it belongs to @default its own */
    async create(request: NewStaticExport, within: SqlRunner = this.#database): Promise<StaticExportJob> {
        const row = await within.get<Row>(
            `INSERT INTO static_export_jobs (job_id, domain, version, paths, status, created_at, updated_at)
             VALUES (:jobId, :domain, :version, :paths, 'queued', :now, :now) RETURNING *`,
            {
                jobId: `se_${randomBytes(12).toString("hex")}`,
                domain: request.domain,
                version: request.version ?? null,
                paths: request.paths === undefined ? null : JSON.stringify(request.paths),
                now: this.#clock(),
            },
        );
        return this.#toJob(row as Row);
    }

    /** @param within - the transaction that it belongs to @default its own */
    async get(jobId: string, within: SqlRunner = this.#database): Promise<StaticExportJob | undefined> {
        const row = await within.get<Row>("SELECT * FROM static_export_jobs WHERE job_id = :jobId", { jobId });
        return row === undefined ? undefined : this.#toJob(row);
    }

    /** Starts the oldest queued job of a domain that is not in `busyDomains`. */
    async begin(busyDomains: readonly string[]): Promise<StaticExportJob | undefined> {
        const row = await this.#database.get<Row>(
            `UPDATE static_export_jobs SET status = 'running', starts = starts + 1, updated_at = :now
             WHERE sequence = (
                SELECT sequence FROM static_export_jobs WHERE status = 'queued'
                AND domain NOT IN (SELECT value FROM json_each(:busyDomains)) ORDER BY sequence LIMIT 1
             ) RETURNING *`,
            { busyDomains: JSON.stringify(busyDomains), now: this.#clock() },
        );
        return row === undefined ? undefined : this.#toJob(row);
    }

    /**
     * How many jobs are queued, in total and for this domain.
     *
     * @param within - the transaction that it belongs to @default its own
     */
    async countQueued(
        domain: string,
        within: SqlRunner = this.#database,
    ): Promise<{ total: number; ofDomain: number }> {
        const counts = await within.get<{ total: number; of_domain: number }>(
            `SELECT count(*) AS total, count(CASE WHEN domain = :domain THEN 1 END) AS of_domain
             FROM static_export_jobs WHERE status = 'queued'`,
            { domain },
        );
        return { total: counts?.total ?? 0, ofDomain: counts?.of_domain ?? 0 };
    }

    async count(): Promise<number> {
        const counted = await this.#database.get<{ jobs: number }>("SELECT count(*) AS jobs FROM static_export_jobs");
        return counted?.jobs ?? 0;
    }

    /** Whether a job has this archive as its bundle. */
    async hasBundle(sha256: string): Promise<boolean> {
        const found = await this.#database.get(
            "SELECT 1 AS found FROM static_export_jobs WHERE sha256 = :sha256 LIMIT 1",
            { sha256 },
        );
        return found !== undefined;
    }

    /**
     * Requeues what a killed service left running, in the same order. Jobs that were started `maxStarts`
     * times fail, and are returned.
     */
    async requeueRunning(maxStarts: number): Promise<StaticExportJob[]> {
        const now = this.#clock();
        const failed = await this.#database.all<Row>(
            `UPDATE static_export_jobs SET status = 'failed', updated_at = :now, error = :error
             WHERE status = 'running' AND starts >= :maxStarts RETURNING *`,
            {
                now,
                maxStarts,
                error: `The service ended ${maxStarts} times while this job ran; it is not run again. Start a new export.`,
            },
        );
        await this.#database.run(
            "UPDATE static_export_jobs SET status = 'queued', updated_at = :now WHERE status = 'running'",
            { now },
        );
        return failed.map((row) => this.#toJob(row));
    }

    /** Requeues a job that was interrupted on purpose, which does not count as a start. */
    async putBack(jobId: string): Promise<void> {
        await this.#update(
            jobId,
            `SET status = 'queued', starts = CASE WHEN starts > 0 THEN starts - 1 ELSE 0 END, updated_at = :now`,
            {},
        );
    }

    /** Requeues a completed job whose bundle is damaged. */
    async rebuild(jobId: string): Promise<void> {
        await this.#update(jobId, "SET status = 'queued', starts = 0, updated_at = :now", {});
    }

    /** Records that the job has issued a link now. */
    async markLinked(jobId: string): Promise<void> {
        await this.#database.run("UPDATE static_export_jobs SET linked_at = :now WHERE job_id = :jobId", {
            now: this.#clock(),
            jobId,
        });
    }

    /**
     * Removes finished jobs that were not used since `unusedBefore`, or that are not among the newest `keepJobs` of their
     * domain, unless they issued a link since `linkedSince`. The newest completed job of each domain stays.
     *
     * @returns how many it removed
     */
    async removeUnused(limits: { keepJobs: number; unusedBefore: number; linkedSince: number }): Promise<number> {
        return this.#database.run(
            `DELETE FROM static_export_jobs WHERE sequence IN (
                SELECT sequence FROM (
                    SELECT sequence, CASE WHEN updated_at > linked_at THEN updated_at ELSE linked_at END AS used_at,
                        linked_at, row_number() OVER (PARTITION BY domain ORDER BY sequence DESC) AS place
                    FROM static_export_jobs WHERE status IN ('completed', 'failed')
                ) AS ended WHERE (used_at < :unusedBefore OR place > :keepJobs) AND linked_at <= :linkedSince
            )
            AND sequence NOT IN (
                SELECT max(sequence) FROM static_export_jobs WHERE status = 'completed' GROUP BY domain
            )`,
            limits,
        );
    }

    reportProgress(jobId: string, progress: number, pageCount: number): void {
        this.#live.set(jobId, { progress, pageCount, updatedAt: this.#clock() });
    }

    async complete(
        jobId: string,
        bundle: { pageCount: number; sizeBytes: number; sha256: string; warnings?: CountedWarnings | undefined },
    ): Promise<void> {
        await this.#update(
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

    async fail(jobId: string, error: string, warnings?: CountedWarnings): Promise<void> {
        await this.#update(
            jobId,
            `SET status = 'failed', error = :error, page_count = :pageCount, warnings = :warnings, updated_at = :now`,
            {
                error,
                pageCount: this.#live.get(jobId)?.pageCount ?? 0,
                warnings: warnings === undefined ? null : JSON.stringify(warnings),
            },
        );
    }

    async #update(jobId: string, assignments: string, values: SqlValues): Promise<void> {
        await this.#database.run(`UPDATE static_export_jobs ${assignments} WHERE job_id = :jobId`, {
            ...values,
            jobId,
            now: this.#clock(),
        });
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
            warnings: row.warnings === null ? null : (JSON.parse(row.warnings) as CountedWarnings),
            createdAt: new Date(row.created_at),
            updatedAt: new Date(Math.max(row.updated_at, live?.updatedAt ?? 0)),
        };
    }
}
