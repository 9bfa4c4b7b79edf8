import { type ExportRequest } from "@pulumi-static-export/contract";
import { randomBytes } from "node:crypto";
import { listOf, type ServiceDatabase, type SqlClient, type SqlValues } from "../database/database.js";
import { type QueueState } from "../jobs/job-kind.js";
import { changeStatus, creation, removal, siteJobs } from "../jobs/transitions.js";
import { beginRemoval, endRemoval } from "./bundle-removals.js";
import { LiveProgress } from "./live-progress.js";
import { type Preview, type SiteJob, type SiteJobRow, storedRequest, toSiteJob } from "./site-job.js";

interface NewJob {
    domain: string;
    /** The id of the key that starts the job, or `webhook`; null for the service's own key. @default null */
    queuedBy?: string | null | undefined;
    /** The branch that is previewed, instead of published. */
    preview?: Preview | undefined;
    traceParent?: string | undefined;
}

interface NewExport extends NewJob, Omit<ExportRequest, "domain"> {}

export interface NewUpdate extends NewJob {
    projectId: string;
    startedBy: string;
    /** There is nothing to fetch: the update has succeeded. */
    isDone: boolean;
}

interface OutdatedJob {
    sequence: number;
    updatedAt: number;
}

/**
 * The maximum number of outdated jobs that one search finds. The number is large because each search reads the whole
 * table.
 */
const maxOutdated = 100_000;

/** The maximum number of jobs that one statement removes: far fewer than its time limit allows. */
export const removalBatch = 5000;

/** Begins a statement with a table `site` of all domains that have jobs; its last domain is null. */
const everyDomain = `WITH RECURSIVE site (domain) AS (
    SELECT min(domain) FROM static_export_jobs
    UNION ALL
    SELECT (SELECT min(other.domain) FROM static_export_jobs other WHERE other.domain > site.domain)
    FROM site WHERE site.domain IS NOT NULL
 )`;

/** Exports and updates, as clients see them. */
export class SiteJobStore {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;
    readonly #live: LiveProgress;

    constructor(database: ServiceDatabase, clock: () => number, live: LiveProgress = new LiveProgress(clock)) {
        this.#database = database;
        this.#clock = clock;
        this.#live = live;
    }

    /** @param within - the transaction to run in @default a new one */
    async create(request: NewExport, within: SqlClient = this.#database): Promise<SiteJob> {
        return this.#create("create", within, {
            job_id: `se_${randomBytes(12).toString("hex")}`,
            ...storedRequest(request),
            ...newColumns(request),
        });
    }

    /** @param within - the transaction to run in @default a new one */
    async createUpdate(update: NewUpdate, within: SqlClient = this.#database): Promise<SiteJob> {
        return this.#create(update.isDone ? "createDone" : "create", within, {
            job_id: `du_${randomBytes(12).toString("hex")}`,
            kind: "update",
            project_id: update.projectId,
            started_by: update.startedBy,
            ...newColumns(update),
        });
    }

    async #create(transition: "create" | "createDone", within: SqlClient, columns: SqlValues): Promise<SiteJob> {
        const now = this.#clock();
        const { sql, values } = creation(siteJobs, transition, { ...columns, created_at: now, updated_at: now });
        return this.#toJob((await within.get<SiteJobRow>(`${sql} RETURNING *`, values))!);
    }

    /** @param within - the transaction to run in @default a new one */
    async get(jobId: string, within: SqlClient = this.#database): Promise<SiteJob | undefined> {
        const row = await within.get<SiteJobRow>("SELECT * FROM static_export_jobs WHERE job_id = :jobId", {
            jobId,
        });
        return row === undefined ? undefined : this.#follow(this.#toJob(row), row.answered_by, within);
    }

    /**
     * The oldest update of a domain that has not fetched its commit yet.
     *
     * @param within - the transaction to run in
     */
    async findQueuedUpdate(domain: string, within: SqlClient): Promise<string | undefined> {
        const row = await within.get<{ job_id: string }>(
            `SELECT job_id FROM static_export_jobs
             WHERE domain = :domain AND status = 'queued' AND kind = 'update' AND source_ref IS NULL
             ORDER BY sequence LIMIT 1`,
            { domain },
        );
        return row?.job_id;
    }

    /** The branch that is previewed at a domain; undefined until its first preview has succeeded. */
    async findPreview(domain: string): Promise<Preview | undefined> {
        const row = await this.#database.get<SiteJobRow>(
            `SELECT * FROM static_export_jobs
             WHERE domain = :domain AND status = 'completed' AND kind = 'update' AND preview_of IS NOT NULL
             ORDER BY sequence DESC LIMIT 1`,
            { domain },
        );
        return row === undefined ? undefined : (this.#toJob(row).preview ?? undefined);
    }

    /** The exports of a domain, the newest first. */
    async list(domain: string, limit: number): Promise<SiteJob[]> {
        const rows = await this.#database.all<SiteJobRow>(
            "SELECT * FROM static_export_jobs WHERE domain = :domain AND kind = 'export' ORDER BY sequence DESC LIMIT :limit",
            { domain, limit },
        );
        return rows.map((row) => this.#toJob(row));
    }

    /** The domains that have jobs, without those of previews. Reads one entry of an index for each domain. */
    async domains(): Promise<string[]> {
        const rows = await this.#database.all<{ domain: string }>(
            `${everyDomain} SELECT domain FROM site WHERE domain IS NOT NULL AND EXISTS (
                SELECT 1 FROM static_export_jobs job WHERE job.domain = site.domain AND job.preview_of IS NULL
             )`,
        );
        return rows.map(({ domain }) => domain);
    }

    /**
     * How many jobs are queued, in total and for this domain.
     *
     * @param within - the transaction to run in @default a new one
     */
    async countQueued(
        domain: string,
        within: SqlClient = this.#database,
    ): Promise<{ total: number; ofDomain: number }> {
        const counts = await within.get<{ total: number; of_domain: number }>(
            `SELECT count(*) AS total,
                (SELECT count(*) FROM static_export_jobs WHERE domain = :domain AND status = 'queued') AS of_domain
             FROM static_export_jobs WHERE status = 'queued'`,
            { domain },
        );
        return { total: counts?.total ?? 0, ofDomain: counts?.of_domain ?? 0 };
    }

    /** The jobs that have not ended, in all processes. */
    async queue(): Promise<QueueState> {
        const counted = await this.#database.get<{ queued: number; running: number; oldest: number | null }>(
            `SELECT count(CASE WHEN status = 'queued' THEN 1 END) AS queued,
                count(CASE WHEN status = 'running' THEN 1 END) AS running,
                min(CASE WHEN status = 'queued' THEN updated_at END) AS oldest
             FROM static_export_jobs WHERE status IN ('queued', 'running')`,
        );
        const { queued = 0, running = 0, oldest = null } = counted ?? {};
        return { queued, running, oldestQueuedAt: oldest === null ? undefined : new Date(oldest) };
    }

    async count(): Promise<number> {
        const counted = await this.#database.get<{ jobs: number }>("SELECT count(*) AS jobs FROM static_export_jobs");
        return counted?.jobs ?? 0;
    }

    /**
     * Runs `remove` with those archives that no job has; no run can store them meanwhile. If `remove` fails, runs stay
     * blocked for some minutes, because the storage may still delete the archives.
     *
     * @returns how many `remove` got
     */
    async whileUnused(
        archives: readonly string[],
        remove: (unused: readonly string[]) => Promise<void>,
    ): Promise<number> {
        const unused = await this.#beginRemoval(await this.#withoutJob(archives, this.#database));
        if (unused.length > 0) {
            await remove(unused);
            await endRemoval(unused, this.#database);
        }
        return unused.length;
    }

    async #beginRemoval(archives: readonly string[]): Promise<string[]> {
        if (archives.length === 0) {
            return [];
        }
        return this.#database.transaction(async (transaction) => {
            const unused = await this.#withoutJob(archives, transaction);
            if (unused.length > 0) {
                await beginRemoval(unused, this.#clock(), transaction);
            }
            return unused;
        }, "bundles");
    }

    /** The archives that no job has as its bundle, and that no run is about to store. */
    async #withoutJob(archives: readonly string[], within: SqlClient): Promise<string[]> {
        const all = listOf("sha", archives);
        const rows = await within.all<{ sha256: string }>(
            `SELECT sha256 FROM static_export_jobs WHERE sha256 IN (${all.sql})
             UNION SELECT storing FROM static_export_jobs WHERE status = 'running' AND storing IN (${all.sql})`,
            all.values,
        );
        const used = new Set(rows.map(({ sha256 }) => sha256));
        return archives.filter((archive) => !used.has(archive));
    }

    /**
     * Cancels a job. A queued job fails at once, and a running job when its run stops: nothing completes it any more.
     *
     * @param reason - the error of the job
     * @returns the job, also if it was cancelled before; undefined if it has ended in another way
     */
    async cancel(jobId: string, reason: string): Promise<(SiteJob & { wasCancelledBefore: boolean }) | undefined> {
        const row = await this.#database.get<SiteJobRow>(
            `${changeStatus(siteJobs, "cancel", { sets: "updated_at = :now", where: "job_id = :jobId" })} RETURNING *`,
            { jobId, reason, now: this.#clock() },
        );
        if (row !== undefined) {
            return { ...this.#toJob(row), wasCancelledBefore: false };
        }
        const earlier = await this.#database.get<SiteJobRow>(
            `SELECT * FROM static_export_jobs
             WHERE job_id = :jobId AND cancellation IS NOT NULL AND status IN ('queued', 'running', 'failed')`,
            { jobId },
        );
        return earlier === undefined ? undefined : { ...this.#toJob(earlier), wasCancelledBefore: true };
    }

    /** Requeues a completed job whose bundle is damaged. */
    async rebuild(jobId: string): Promise<void> {
        await this.#database.run(
            changeStatus(siteJobs, "rebuild", { sets: "updated_at = :now", where: "job_id = :jobId" }),
            { jobId, now: this.#clock() },
        );
    }

    /** Records that a link for the job is issued now. */
    async markLinked(jobId: string): Promise<void> {
        await this.#database.run("UPDATE static_export_jobs SET linked_at = :now WHERE job_id = :jobId", {
            now: this.#clock(),
            jobId,
        });
    }

    /**
     * Removes finished jobs that were not used since `unusedBefore`, or that are not among the newest `keepJobs` of their
     * domain, unless they issued a link since `linkedSince`. The newest completed export and update of each site stay.
     *
     * @returns how many it removed
     */
    async removeUnused(
        limits: { keepJobs: number; unusedBefore: number; linkedSince: number },
        betweenBatches: () => Promise<void>,
    ): Promise<number> {
        for (let removed = 0; ;) {
            const outdated = await this.#outdated(limits);
            for (let from = 0; from < outdated.length; from += removalBatch) {
                removed += await this.#remove(outdated.slice(from, from + removalBatch), limits);
                await betweenBatches();
            }
            if (outdated.length < maxOutdated) {
                return removed;
            }
        }
    }

    /** The outdated jobs. Reads all jobs, which may take longer than a request waits. */
    async #outdated(limits: { keepJobs: number; unusedBefore: number; linkedSince: number }): Promise<OutdatedJob[]> {
        const rows = await this.#database.transaction(
            (transaction) =>
                transaction.all<{ sequence: number; updated_at: number }>(
                    `SELECT sequence, updated_at FROM (
                        SELECT sequence, updated_at, linked_at,
                            CASE WHEN updated_at > linked_at THEN updated_at ELSE linked_at END AS used_at,
                            row_number() OVER (PARTITION BY domain, kind ORDER BY sequence DESC) AS place,
                            max(CASE WHEN status = 'completed' AND preview_of IS NULL THEN sequence END)
                                OVER (PARTITION BY domain, kind)
                                AS newest_completed
                        FROM static_export_jobs WHERE status IN ('completed', 'failed')
                     ) AS ended WHERE (used_at < :unusedBefore OR place > :keepJobs) AND linked_at <= :linkedSince
                     AND sequence <> COALESCE(newest_completed, 0) ORDER BY sequence LIMIT ${maxOutdated}`,
                    limits,
                ),
            "retention",
        );
        return rows.map((row) => ({ sequence: Number(row.sequence), updatedAt: Number(row.updated_at) }));
    }

    /**
     * Removes outdated jobs, except jobs that have issued a link or started again since they were found, even if that
     * run has ended.
     */
    async #remove(jobs: readonly OutdatedJob[], { linkedSince }: { linkedSince: number }): Promise<number> {
        const sequences = jobs.map(({ sequence }) => sequence).join(", ");
        const newest = Math.max(...jobs.map(({ updatedAt }) => updatedAt));
        const isUnchanged = "linked_at <= :linkedSince AND updated_at <= :newest";
        return this.#database.transaction(
            (transaction) =>
                transaction.run(removal(siteJobs, `sequence IN (${sequences}) AND ${isUnchanged}`), {
                    linkedSince,
                    newest,
                }),
            "retention",
        );
    }

    /** Clients see a queued job as running while the run of another job answers it. */
    async #follow(job: SiteJob, answeredBy: string | null, within: SqlClient): Promise<SiteJob> {
        const other = job.status === "queued" && answeredBy !== null ? await this.get(answeredBy, within) : undefined;
        if (other?.status !== "running") {
            return job;
        }
        const { status, progress, pageCount, sourceRef, updatedAt } = other;
        return { ...job, status, progress, pageCount, sourceRef, updatedAt };
    }

    #toJob(row: SiteJobRow): SiteJob {
        return toSiteJob(row, this.#live);
    }
}

function newColumns({ domain, queuedBy = null, preview, traceParent }: NewJob): SqlValues {
    const { of: previewOf = null, branch = null } = preview ?? {};
    return { domain, queued_by: queuedBy, preview_of: previewOf, branch, trace_parent: traceParent ?? null };
}
