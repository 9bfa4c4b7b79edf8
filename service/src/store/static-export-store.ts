import { randomBytes } from "node:crypto";
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
    created_at: number;
    updated_at: number;
}

interface LiveProgress {
    progress: number;
    pageCount: number;
    updatedAt: number;
}

/** Static export jobs on disk. Progress alone is kept in memory: a restart runs the job again from its beginning. */
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

    /** The job that waits longest, of a domain that is not in `busyDomains`. */
    nextQueued(busyDomains: readonly string[]): StaticExportJob | undefined {
        const row = this.#database
            .prepare(
                `SELECT * FROM static_export_jobs WHERE status = 'queued'
                 AND domain NOT IN (SELECT value FROM json_each(?)) ORDER BY sequence LIMIT 1`,
            )
            .get(JSON.stringify(busyDomains));
        return row === undefined ? undefined : this.#toJob(row as Row);
    }

    /** Puts back what a stopped or killed service left running; the order among the jobs is kept. */
    requeueRunning(): void {
        this.#database
            .prepare("UPDATE static_export_jobs SET status = 'queued', updated_at = ? WHERE status = 'running'")
            .run(this.#clock());
    }

    markRunning(jobId: string): void {
        this.#update(jobId, "SET status = 'running', updated_at = :now", {});
    }

    reportProgress(jobId: string, progress: number, pageCount: number): void {
        this.#live.set(jobId, { progress, pageCount, updatedAt: this.#clock() });
    }

    complete(jobId: string, bundle: { pageCount: number; sizeBytes: number; sha256: string }): void {
        this.#update(
            jobId,
            `SET status = 'completed', page_count = :pageCount, size_bytes = :sizeBytes, sha256 = :sha256,
             updated_at = :now`,
            { pageCount: bundle.pageCount, sizeBytes: bundle.sizeBytes, sha256: bundle.sha256 },
        );
    }

    fail(jobId: string, error: string): void {
        const pageCount = this.#live.get(jobId)?.pageCount ?? 0;
        this.#update(jobId, "SET status = 'failed', error = :error, page_count = :pageCount, updated_at = :now", {
            error,
            pageCount,
        });
    }

    #update(jobId: string, assignments: string, values: Record<string, string | number>): void {
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
            createdAt: new Date(row.created_at),
            updatedAt: new Date(Math.max(row.updated_at, live?.updatedAt ?? 0)),
        };
    }
}
