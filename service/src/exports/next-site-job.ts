import { listOf, type SqlClient } from "../database/database.js";
import { startsTogether } from "../jobs/starts.js";
import { changeStatus, siteJobs } from "../jobs/transitions.js";
import { Turns } from "../jobs/turns.js";
import { requestColumns, type SiteJobRow } from "./site-job.js";

/** The process that asks for a job. */
interface SiteJobClaim {
    /** The jobs that run in this process: if there are any, a job before its last start waits, with all behind it. */
    running: readonly string[];
    /** The id of this process, which jobs show. */
    worker: string | null;
    /** Milliseconds since the epoch. */
    now: number;
}

const turns = new Turns("export_turns", "name");
const keyTurn = turns.orderOf("'key ' || COALESCE(queued_by, '')");
const domainTurn = turns.orderOf("'domain ' || domain");

/** True unless another waiting or running job will also answer this job. */
const isUnanswered = `NOT EXISTS (SELECT 1 FROM static_export_jobs answer
    WHERE answer.job_id = job.answered_by AND answer.status IN ('queued', 'running'))`;

/**
 * Starts a queued job of a domain that has no running job in any process. Keys take turns, and so do the domains of a
 * key; the oldest job of a domain is first.
 *
 * The run of an export also answers all equal exports that wait: they get the same outcome.
 *
 * @param within - a transaction that no other claim runs in parallel to
 */
export async function claimNextSiteJob(
    within: SqlClient,
    { running, worker, now }: SiteJobClaim,
): Promise<SiteJobRow | undefined> {
    const others = listOf("running", running);
    const row = await within.get<SiteJobRow>(
        `${changeStatus(siteJobs, "claim", {
            sets: "worker = :worker, updated_at = :now",
            where: `sequence = (
                SELECT sequence FROM static_export_jobs job WHERE status = 'queued'
                AND domain NOT IN (SELECT domain FROM static_export_jobs WHERE status = 'running')
                AND job_id NOT IN (${others.sql}) AND ${isUnanswered}
                ORDER BY ${keyTurn}, ${domainTurn}, sequence LIMIT 1
            ) AND (starts < :startsTogether OR :isIdle = 1)`,
        })} RETURNING *`,
        {
            now,
            worker,
            startsTogether,
            isIdle: Number(running.length === 0),
            ...others.values,
        },
    );
    if (row === undefined) {
        return undefined;
    }
    // A later run of a job exports the commit that its first run chose, and a repair yields the earlier bundle.
    if (row.kind === "export" && row.attempt === 1 && row.sha256 === null) {
        await answerEqualJobs(row, within);
    }
    await turns.take([`key ${row.queued_by ?? ""}`, `domain ${row.domain}`], within);
    return row;
}

/**
 * Lets the run of this job, which is about to begin, answer the equal exports that wait, because all of them export the
 * same documentation.
 */
async function answerEqualJobs(row: SiteJobRow, within: SqlClient): Promise<void> {
    const { job_id: jobId, domain } = row;
    const columns = [...Object.values(requestColumns), "preview_of", "branch"] as const;
    const request = columns.map((column) => [column, row[column]] as const);
    const same = request.map(([column, value]) => `AND ${column} ${value === null ? "IS NULL" : `= :${column}`}`);
    const values = Object.fromEntries(request.filter(([, value]) => value !== null));
    await within.run(
        `UPDATE static_export_jobs SET answered_by = :jobId
         WHERE domain = :domain AND status = 'queued' AND kind = 'export' AND attempt = 0 AND sha256 IS NULL
         ${same.join(" ")}`,
        { jobId, domain, ...values },
    );
}
