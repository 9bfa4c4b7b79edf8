import { type SqlValues } from "../database/database.js";

/*
 * The states of all jobs, and every transition between them. No other file writes a status, creates a job or removes
 * one: tests/service/jobs/transitions.spec.ts refuses it. Each statement repeats its condition in its outermost WHERE:
 * PostgreSQL checks only that part again after it has waited for another change of the row.
 *
 * With the outcome of a run end its ticks, its files and its log, and its metrics are counted (`JobRunner`).
 */

/** Who may cause a transition: a request, the worker that looks for jobs, a job's current run, or the retention. */
type Actor = "client" | "worker" | "run" | "retention";

interface Transition {
    readonly by: Actor;
    /** The statuses in which it is possible; absent if it creates the job. */
    readonly from?: readonly string[];
    /** The new status, as SQL; absent if it removes the job. */
    readonly to?: string;
    /** Whether it is possible only while somebody still wants the job. */
    readonly isWanted?: boolean;
    /** A further condition, as SQL. */
    readonly when?: string;
    /** Further assignments, as SQL. */
    readonly sets?: string;
}

/** The jobs in one table. */
export interface JobTable<Name extends string = string> {
    readonly name: string;
    /** The column that contains the status. */
    readonly status: string;
    /** Whether somebody still wants the job of a row, as SQL. */
    readonly wanted: string;
    /** Whether an ended run has stored its outcome, and did not end because nobody wanted its job any more, as SQL. */
    readonly hasOutcome: string;
    readonly transitions: Readonly<Record<Name, Transition>>;
}

/** A table whose jobs have runs. */
export type RunTable = JobTable<"claim" | "putBack" | "take">;

/** A run that was taken from its worker leaves a job that is no longer wanted cancelled, instead of queued. */
const waitingOrCancelled = {
    from: ["running"],
    to: "CASE WHEN cancellation IS NULL THEN 'queued' ELSE 'failed' END",
    sets: "error = cancellation, progress = 0",
};

/** Exports and updates. A cancelled job is `failed`, with the reason in `cancellation`. */
export const siteJobs = tableOf(
    "static_export_jobs",
    "status",
    { wanted: "cancellation IS NULL", hasOutcome: "cancellation IS NULL" },
    {
        create: { by: "client", to: "'queued'" },
        /** An update for which there is nothing to fetch. */
        createDone: { by: "client", to: "'completed'" },
        claim: {
            by: "worker",
            from: ["queued"],
            to: "'running'",
            sets: "attempt = attempt + 1, starts = starts + 1, ticks = 0, progress = 0, page_count = 0, storing = NULL",
        },
        complete: { by: "run", from: ["running"], to: "'completed'", isWanted: true },
        fail: { by: "run", from: ["running"], to: "'failed'", isWanted: true, sets: "progress = 0" },
        /** The outcome of a run also ends the equal exports that wait for it. */
        completeEqual: { by: "run", from: ["queued"], to: "'completed'", when: "sha256 IS NULL" },
        failEqual: { by: "run", from: ["queued"], to: "'failed'", when: "sha256 IS NULL", sets: "progress = 0" },
        putBack: { by: "run", ...waitingOrCancelled },
        /** Another worker takes the job from a run that seems dead. */
        take: { by: "worker", ...waitingOrCancelled },
        /** A running job becomes `failed` when its run has stopped; from now on, no run completes it. */
        cancel: {
            by: "client",
            from: ["queued", "running"],
            isWanted: true,
            to: "CASE WHEN status = 'queued' THEN 'failed' ELSE status END",
            sets: "cancellation = :reason, error = CASE WHEN status = 'queued' THEN :reason ELSE error END",
        },
        /** The bundle of a completed job is damaged, and the job runs again. */
        rebuild: {
            by: "client",
            from: ["completed"],
            to: "'queued'",
            sets: "starts = 0, progress = 0, cancellation = NULL",
        },
        remove: { by: "retention", from: ["completed", "failed"] },
    },
);

/** The jobs of agents, as clients see them. */
export const agentJobs = tableOf(
    "agent_jobs",
    "status",
    { wanted: "status = 'active'", hasOutcome: "status <> 'archived'" },
    {
        create: { by: "client", to: "'active'" },
        /** A message makes a job active again, because polling would otherwise end immediately. */
        message: {
            by: "client",
            from: ["active", "completed", "failed"],
            to: "'active'",
            sets: "seen_ended_at = NULL",
        },
        archive: {
            by: "client",
            from: ["active", "completed", "failed"],
            to: "'archived'",
            sets: "archived_at = :now, seen_ended_at = NULL",
        },
        /** The outcome of a prompt's run; a job with further prompts stays active. */
        complete: {
            by: "run",
            from: ["active"],
            to: `CASE WHEN EXISTS (
            SELECT 1 FROM agent_prompts WHERE job_id = agent_jobs.id AND state = 'waiting'
        ) THEN status ELSE 'completed' END`,
        },
        fail: { by: "run", from: ["active"], to: "'failed'" },
        /** Changes nothing, but keeps other transactions from changing the job until this one ends. */
        lock: { by: "run", to: "status", from: ["active", "completed", "failed", "archived"] },
        remove: { by: "retention", from: ["completed", "failed", "archived"] },
    },
);

const isActive = "(SELECT status FROM agent_jobs WHERE id = agent_prompts.job_id) = 'active'";

/** A run of the prompt may have pushed a change: if the job is archived, another run takes it back. */
const mayBePushed = "commits IS NOT NULL";

const waitingOrDone = {
    from: ["running"],
    to: `CASE WHEN ${isActive} OR ${mayBePushed} THEN 'waiting' ELSE 'done' END`,
};

/** The prompts of agents' jobs. A prompt is wanted as long as its job is active. */
export const agentPrompts = tableOf(
    "agent_prompts",
    "state",
    {
        wanted: isActive,
        // No run leaves a prompt with a change as done, but by its outcome, after which its job may be archived.
        hasOutcome: `((SELECT status FROM agent_jobs WHERE id = agent_prompts.job_id) <> 'archived' OR ${mayBePushed})`,
    },
    {
        create: { by: "client", to: "'waiting'" },
        claim: {
            by: "worker",
            from: ["waiting"],
            to: "'running'",
            when: `(${isActive} OR ${mayBePushed})`,
            sets: `starts = starts + 1, ticks = 0, attempt = 1 + (
                SELECT max(earlier.attempt) FROM agent_prompts earlier WHERE earlier.job_id = agent_prompts.job_id
            )`,
        },
        end: { by: "run", from: ["running"], to: "'done'", isWanted: true },
        putBack: { by: "run", ...waitingOrDone },
        take: { by: "worker", ...waitingOrDone },
        /** The prompts behind one that has failed, or of an archived job, do not run. */
        drop: { by: "client", from: ["waiting"], to: "'done'", when: "commits IS NULL" },
        remove: { by: "retention", from: ["waiting", "running", "done"] },
    },
);

/** @param sets - further assignments @returns the statement, which changes the jobs of `where` that allow it */
export function changeStatus<Name extends string>(
    table: JobTable<Name>,
    transition: Name,
    { sets: more, where }: { sets?: string | undefined; where: string },
): string {
    const { to = table.status, sets } = table.transitions[transition];
    const assignments = [`${table.status} = ${to}`, sets, more].filter((each) => each !== undefined && each !== "");
    return `UPDATE ${table.name} SET ${assignments.join(", ")} WHERE ${conditionOf(table, transition)} AND (${where})`;
}

/** @returns the statement and its values, which creates a job with these columns */
export function creation<Name extends string>(
    table: JobTable<Name>,
    transition: Name,
    columns: SqlValues,
): { sql: string; values: SqlValues } {
    const names = Object.keys(columns);
    const values = [...names.map((name) => `:${name}`), table.transitions[transition].to];
    return {
        sql: `INSERT INTO ${table.name} (${[...names, table.status].join(", ")}) VALUES (${values.join(", ")})`,
        values: columns,
    };
}

/** @returns the statement, which removes the jobs of `where` that have ended */
export function removal(table: JobTable<"remove">, where: string): string {
    return `DELETE FROM ${table.name} WHERE ${conditionOf(table, "remove")} AND (${where})`;
}

function conditionOf<Name extends string>(table: JobTable<Name>, transition: Name): string {
    const { from = [], isWanted = false, when } = table.transitions[transition];
    const statuses = from.map((status) => `'${status}'`);
    // SQLite uses a partial index only if the query contains its exact condition.
    const isIn = statuses.length === 1 ? `= ${statuses[0]}` : `IN (${statuses.join(", ")})`;
    return [`${table.status} ${isIn}`, isWanted ? table.wanted : undefined, when]
        .filter((each) => each !== undefined)
        .join(" AND ");
}

function tableOf<Name extends string>(
    name: string,
    status: string,
    conditions: { readonly wanted: string; readonly hasOutcome: string },
    transitions: Readonly<Record<Name, Transition>>,
): JobTable<Name> {
    return { name, status, ...conditions, transitions };
}
