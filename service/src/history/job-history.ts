import { likeOf, listOf, type ServiceDatabase, type SqlValues } from "../database/database.js";
import {
    type JobSummary,
    requestColumns,
    type SiteJobKind,
    summaryFields,
    type SummaryRow,
    toSummary,
} from "../exports/site-job.js";
import { conditionOf, type JobFilter, searchConditionOf } from "./job-conditions.js";
import { type LiveProgress } from "../exports/live-progress.js";
import { type JobLogLine, type JobLogs, parseLog } from "../jobs/job-log.js";

const { version: _version, ...pageColumns } = requestColumns;
const samePages = Object.values(pageColumns).map(
    (column) =>
        `AND COALESCE(${column}, '') = (SELECT COALESCE(${column}, '') FROM static_export_jobs WHERE job_id = :jobId)`,
);

/** Jobs are numbered in the order of their starts. */
export interface NumberedJob extends JobSummary {
    sequence: number;
}

export interface JobPage {
    jobs: NumberedJob[];
    /** The position at which the next page begins; undefined on the last page. */
    next: number | undefined;
}

export interface DomainUsage {
    domain: string;
    bundles: number;
    bytes: number;
}

interface ExportStatistics {
    /** A domain, or the id of a key; null for the service's own key. */
    name: string | null;
    exports: number;
    failed: number;
    cancelled: number;
    /** The pages of the completed exports. */
    pages: number;
}

export interface JobDetails {
    /** The worker that runs the job, or ran it last; null before its first run. */
    worker: string | null;
    cancellation: string | null;
    log: JobLogLine[];
}

type Row = SummaryRow & { sequence: number };

const columns = [
    "job.sequence",
    ...Object.values(summaryFields).map(({ column }) =>
        column === "error" ? "substr(job.error, 1, 500) AS error" : `job.${column}`,
    ),
].join(", ");

/** A list says how many jobs it has, up to this number. */
export const maxCounted = 1000;

/** A search looks at the jobs of so many keys, the newest ones. */
const maxStarters = 20;

/** Jobs over all sites, for people who look for one. Every statement reads an index from its newest entry. */
export class JobHistory {
    readonly #database: ServiceDatabase;
    readonly #live: LiveProgress;
    readonly #logs: JobLogs;

    constructor(database: ServiceDatabase, live: LiveProgress, logs: JobLogs) {
        this.#database = database;
        this.#live = live;
        this.#logs = logs;
    }

    /** A page of jobs, the newest first. */
    async list(filter: JobFilter): Promise<JobPage> {
        const { limit } = filter;
        const { condition, values } = await this.#conditionOf(filter);
        const rows = await this.#database.all<Row>(
            `SELECT ${columns} FROM static_export_jobs job WHERE ${condition} ORDER BY job.sequence DESC LIMIT :limit`,
            { ...values, limit: limit + 1 },
        );
        const jobs = rows.slice(0, limit);
        const last = jobs.at(-1);
        return {
            jobs: jobs.map((row) => this.#summaryOf(row)),
            next: rows.length > limit && last !== undefined ? Number(last.sequence) : undefined,
        };
    }

    /** How many jobs a filter finds on all of its pages, or one more than are counted. */
    async count({ before: _before, ...filter }: JobFilter): Promise<number> {
        const { condition, values } = await this.#conditionOf(filter);
        const row = await this.#database.get<{ jobs: number }>(
            `SELECT count(*) AS jobs FROM (SELECT 1 FROM static_export_jobs job WHERE ${condition} LIMIT :limit) AS found`,
            { ...values, limit: maxCounted + 1 },
        );
        return Number(row?.jobs ?? 0);
    }

    async #conditionOf(filter: JobFilter): Promise<{ condition: string; values: SqlValues }> {
        return filter.search === undefined
            ? conditionOf(filter)
            : searchConditionOf(filter, filter.search, await this.#startersOf(filter.search.text));
    }

    /** All jobs that wait or run, in all processes, the oldest first. */
    async unfinished(): Promise<NumberedJob[]> {
        const rows = await this.#database.all<Row>(
            `SELECT ${columns} FROM static_export_jobs job WHERE status IN ('queued', 'running') ORDER BY sequence`,
        );
        return rows.map((row) => this.#summaryOf(row));
    }

    /**
     * The newest job of each kind for each of the next domains after `domain`. Reads one entry of an index for each:
     * written as a range of both columns, the condition makes both databases use the index of domains in any case, also
     * SQLite without statistics.
     *
     * @param count - of how many domains, so that no reading blocks the embedded database for long
     * @returns the jobs, and the last of the domains; undefined if there is none
     */
    async newestAfter(domain: string, count: number): Promise<{ jobs: NumberedJob[]; last: string | undefined }> {
        const newest = (kind: SiteJobKind): string => `(
            SELECT newest.sequence FROM static_export_jobs newest
            WHERE (newest.domain, newest.kind) >= (site.domain, '${kind}')
                AND (newest.domain, newest.kind) <= (site.domain, '${kind}')
            ORDER BY newest.domain DESC, newest.kind DESC, newest.sequence DESC LIMIT 1
        )`;
        const rows = await this.#database.all<{ domain: string | null } & Record<SiteJobKind, number | null>>(
            `WITH RECURSIVE site (domain, place) AS (
                SELECT min(domain), 1 FROM static_export_jobs WHERE domain > :domain
                UNION ALL
                SELECT (SELECT min(other.domain) FROM static_export_jobs other WHERE other.domain > site.domain), place + 1
                FROM site WHERE site.domain IS NOT NULL AND place < :count
             )
             SELECT domain, ${newest("export")} AS export, ${newest("update")} AS "update" FROM site`,
            { domain, count },
        );
        const domains = rows.map((row) => row.domain).filter((name) => name !== null);
        const sequences = rows.flatMap((row) => [row.export, row.update]).filter((sequence) => sequence !== null);
        return { jobs: await this.withSequences(sequences), last: domains.at(-1) };
    }

    async withSequences(sequences: readonly number[]): Promise<NumberedJob[]> {
        if (sequences.length === 0) {
            return [];
        }
        const rows = await this.#database.all<Row>(
            `SELECT ${columns} FROM static_export_jobs job WHERE job.sequence IN (${sequences.map(Number).join(", ")})`,
        );
        return rows.map((row) => this.#summaryOf(row));
    }

    /** The first jobs that were started after the one with this sequence, the oldest first. */
    async startedAfter(sequence: number, limit: number): Promise<NumberedJob[]> {
        const rows = await this.#database.all<Row>(
            `SELECT ${columns} FROM static_export_jobs job WHERE job.sequence > :sequence
             ORDER BY job.sequence LIMIT :limit`,
            { sequence, limit },
        );
        return rows.map((row) => this.#summaryOf(row));
    }

    /** The newest completed export of a domain before a job, with the same pages. */
    async findCompletedBefore(domain: string, jobId: string): Promise<JobSummary | undefined> {
        const row = await this.#database.get<Row>(
            `SELECT ${columns} FROM static_export_jobs job
             WHERE domain = :domain AND kind = 'export' AND status = 'completed'
             AND sequence < (SELECT sequence FROM static_export_jobs WHERE job_id = :jobId)
             ${samePages.join(" ")}
             ORDER BY sequence DESC LIMIT 1`,
            { domain, jobId },
        );
        return row === undefined ? undefined : this.#summaryOf(row);
    }

    async details(jobId: string): Promise<JobDetails | undefined> {
        const row = await this.#database.get<Omit<JobDetails, "log"> & { log: string | null }>(
            "SELECT worker, cancellation, log FROM static_export_jobs WHERE job_id = :jobId",
            { jobId },
        );
        return row && { ...row, log: [...parseLog(row.log), ...this.#logs.of(jobId)] };
    }

    /** The stored bundles of domains; a bundle that several jobs share counts once. */
    async usageOf(domains: readonly string[]): Promise<DomainUsage[]> {
        const wanted = listOf("domain", domains);
        const rows = await this.#database.all<{ domain: string; bundles: number; bytes: number | string }>(
            `SELECT domain, count(*) AS bundles, sum(size_bytes) AS bytes FROM (
                SELECT DISTINCT domain, sha256, size_bytes FROM static_export_jobs
                WHERE sha256 IS NOT NULL AND domain IN (${wanted.sql})
             ) AS stored GROUP BY domain`,
            wanted.values,
        );
        return rows.map((row) => ({ ...row, bundles: Number(row.bundles), bytes: Number(row.bytes) }));
    }

    /** What each site, or each key, has exported since a time, those with the most exports first. */
    async statistics(by: "site" | "key", since: Date): Promise<ExportStatistics[]> {
        const column = by === "site" ? "COALESCE(preview_of, domain)" : "queued_by";
        const rows = await this.#database.all<
            Record<"exports" | "failed" | "cancelled" | "pages", number> & { name: string | null }
        >(
            `SELECT ${column} AS name, count(*) AS exports,
                sum(CASE WHEN status = 'failed' AND cancellation IS NULL THEN 1 ELSE 0 END) AS failed,
                sum(CASE WHEN status = 'failed' AND cancellation IS NOT NULL THEN 1 ELSE 0 END) AS cancelled,
                sum(CASE WHEN status = 'completed' THEN page_count ELSE 0 END) AS pages
             FROM static_export_jobs WHERE created_at >= :since AND kind = 'export' GROUP BY ${column}
             ORDER BY exports DESC, name`,
            { since: since.getTime() },
        );
        return rows.map(({ name, exports, failed, cancelled, pages }) => ({
            name,
            exports: Number(exports),
            failed: Number(failed),
            cancelled: Number(cancelled),
            pages: Number(pages),
        }));
    }

    /** Who started jobs: the keys whose names contain a text, and the key or person with this id. */
    async #startersOf(text: string): Promise<string[]> {
        const rows = await this.#database.all<{ id: string }>(
            `SELECT id FROM admin_keys WHERE lower(COALESCE(title, name)) LIKE :like ESCAPE '\\'
             ORDER BY created_at DESC LIMIT ${maxStarters}`,
            { like: likeOf(text) },
        );
        return [...new Set([...rows.map(({ id }) => id), text, `user:${text}`])];
    }

    #summaryOf(row: Row): NumberedJob {
        return { ...toSummary(row, this.#live), sequence: Number(row.sequence) };
    }
}
