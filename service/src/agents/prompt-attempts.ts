import { type ServiceDatabase, type SqlRunner, type SqlValues } from "../database/database.js";
import { parsePrompt } from "./agent-job-store.js";

/** One run of a prompt. Attempts are unique among all runs of all prompts of the job. */
export interface AgentAttempt {
    jobId: string;
    attempt: number;
}

/** What the runs of a prompt pushed, or were about to push. */
export interface StoredChange {
    branch: string;
    base: string;
    /** An earlier prompt has pushed the job's branch. */
    isFollowUp: boolean;
    /** The commits of all runs, the newest last. */
    commits: readonly string[];
}

/** A running prompt, and the progress that earlier runs made with it. */
export interface PromptRun extends AgentAttempt {
    /** Of the prompt. */
    sequence: number;
    projectId: string;
    repository: string;
    /** The project's branch, if it names one. */
    ref: string | null;
    prompt: string;
    /** The branch that an earlier prompt of the job pushed. */
    jobBranch: string | undefined;
    /** The pull request of an earlier prompt. */
    earlierPrLink: string | null;
    /** Including this one. */
    starts: number;
    change: StoredChange | undefined;
}

export interface ClaimOptions {
    /** The jobs that run in this process. While there are any, a prompt that was interrupted waits, and all behind it. */
    otherThan?: readonly string[];
    /** @default all projects */
    projects?: readonly string[] | undefined;
}

interface Row {
    sequence: number;
    job_id: string;
    attempt: number;
    project_id: string;
    repository: string;
    project_ref: string | null;
    prompt: string;
    job_branch: string | null;
    pr_link: string | null;
    starts: number;
    branch: string | null;
    base: string | null;
    commits: string | null;
    is_follow_up: number;
}

/**
 * The prompts of agent jobs as a queue: waiting, running or done. A claim raises the attempt, and every later write names
 * it: what a run writes after its prompt was given to another one changes nothing, and the call says so.
 */
export class AgentRunStore {
    readonly #database: ServiceDatabase;

    constructor(database: ServiceDatabase) {
        this.#database = database;
    }

    /** Starts the oldest waiting prompt of a job of which no prompt is running, in any process; projects take turns. */
    async claim({ otherThan = [], projects }: ClaimOptions = {}): Promise<PromptRun | undefined> {
        const left = namedValues("left", otherThan);
        const wanted = namedValues("wanted", projects ?? []);
        return this.#database.transaction(async (transaction) => {
            const found = await transaction.get<Row>(
                `SELECT p.*, j.project_id, j.repository, j.ref AS project_ref, j.branch AS job_branch, j.pr_link
                 FROM agent_prompts p JOIN agent_jobs j ON j.id = p.job_id
                 WHERE p.state = 'waiting' AND j.status = 'active'
                 AND p.job_id NOT IN (${listOf(left)})
                 ${projects === undefined ? "" : `AND j.project_id IN (${listOf(wanted)})`}
                 AND NOT EXISTS (SELECT 1 FROM agent_prompts r WHERE r.job_id = p.job_id AND r.state = 'running')
                 ORDER BY COALESCE((SELECT turn FROM agent_turns t WHERE t.project_id = j.project_id), 0), p.sequence
                 LIMIT 1`,
                { ...left, ...wanted },
            );
            if (found === undefined || (found.starts > 0 && otherThan.length > 0)) {
                return undefined;
            }
            // An archived job's prompt does not wait any more.
            const claimed = await transaction.get<Pick<Row, "attempt" | "starts">>(
                `UPDATE agent_prompts SET state = 'running', starts = starts + 1, ticks = 0, attempt = 1 + (
                        SELECT max(earlier.attempt) FROM agent_prompts earlier WHERE earlier.job_id = :jobId
                     ) WHERE sequence = :sequence AND state = 'waiting' RETURNING attempt, starts`,
                { jobId: found.job_id, sequence: found.sequence },
            );
            if (claimed === undefined) {
                return undefined;
            }
            await transaction.run(
                `INSERT INTO agent_turns (project_id, turn)
                 SELECT :projectId, COALESCE(max(turn), 0) + 1 FROM agent_turns WHERE turn >= 0
                 ON CONFLICT (project_id) DO UPDATE SET turn = excluded.turn`,
                { projectId: found.project_id },
            );
            return toRun({ ...found, ...claimed });
        }, "agent claim");
    }

    /** Stores that the run is alive. @returns whether its job still wants it; lost: another run has the prompt */
    async tick({ jobId, attempt }: AgentAttempt): Promise<"wanted" | "unwanted" | "lost"> {
        const row = await this.#database.get<{ status: string }>(
            `UPDATE agent_prompts SET ticks = ticks + 1 WHERE job_id = :jobId AND attempt = :attempt AND state = 'running'
             RETURNING (SELECT status FROM agent_jobs WHERE id = agent_prompts.job_id) AS status`,
            { jobId, attempt },
        );
        return row === undefined ? "lost" : row.status === "active" ? "wanted" : "unwanted";
    }

    /** Stores what is about to be pushed. @returns false if the run has lost its prompt */
    async recordChange(run: AgentAttempt, { branch, base, commits, isFollowUp }: StoredChange): Promise<boolean> {
        return write(
            this.#database,
            run,
            "branch = :branch, base = :base, commits = :commits, is_follow_up = :isFollowUp",
            { branch, base, commits: commits.join(" "), isFollowUp: Number(isFollowUp) },
        );
    }

    /**
     * Marks the prompt as done, and the job as completed unless it is archived or has another waiting prompt.
     *
     * @returns false if the run has lost its prompt
     */
    async finish(
        run: AgentAttempt,
        { prLink, branch }: { prLink: string | null; branch: string | undefined },
    ): Promise<boolean> {
        return this.#end(run, (transaction) =>
            transaction.run(
                `UPDATE agent_jobs SET pr_link = :prLink, branch = :branch,
                 status = CASE WHEN status <> 'active' OR EXISTS (
                     SELECT 1 FROM agent_prompts WHERE job_id = agent_jobs.id AND state = 'waiting'
                 ) THEN status ELSE 'completed' END
                 WHERE id = :jobId`,
                { prLink, branch: branch ?? null, jobId: run.jobId },
            ),
        );
    }

    /**
     * Marks the job as failed, unless it is archived, and its waiting prompts as done.
     *
     * @param branch - the branch that holds the work despite the failure, if there is one
     * @returns false if the run has lost its prompt
     */
    async fail(run: AgentAttempt, branch: string | undefined): Promise<boolean> {
        return this.#end(run, async (transaction) => {
            await transaction.run(
                `UPDATE agent_jobs SET branch = COALESCE(:branch, branch),
                 status = CASE WHEN status = 'active' THEN 'failed' ELSE status END WHERE id = :jobId`,
                { branch: branch ?? null, jobId: run.jobId },
            );
            await transaction.run(
                "UPDATE agent_prompts SET state = 'done' WHERE job_id = :jobId AND state = 'waiting'",
                { jobId: run.jobId },
            );
        });
    }

    /**
     * Gives a prompt back whose run was stopped on purpose, which does not count as a start.
     *
     * @returns false if the run has lost its prompt
     */
    async putBack(run: AgentAttempt): Promise<boolean> {
        return write(this.#database, run, `${waitingIfWanted}, starts = starts - 1`);
    }

    /** The prompts that are running, in all processes. */
    async running(): Promise<(AgentAttempt & { ticks: number })[]> {
        const rows = await this.#database.all<{ job_id: string; attempt: number; ticks: number }>(
            "SELECT job_id, attempt, ticks FROM agent_prompts WHERE state = 'running'",
        );
        return rows.map(({ job_id: jobId, attempt, ticks }) => ({ jobId, attempt, ticks }));
    }

    /**
     * Takes a prompt from a run that has not ticked since, for another one.
     *
     * @returns undefined if the run has ended, ticked or lost it meanwhile
     */
    async takeFrom(run: AgentAttempt & { ticks: number }): Promise<{ status: string } | undefined> {
        const { jobId, attempt, ticks } = run;
        const row = await this.#database.get<{ state: string }>(
            `UPDATE agent_prompts SET ${waitingIfWanted}, attempt = attempt + 1
             WHERE job_id = :jobId AND attempt = :attempt AND ticks = :ticks AND state = 'running' RETURNING state`,
            { jobId, attempt, ticks },
        );
        return row === undefined ? undefined : { status: row.state };
    }

    /** Requeues what a killed service left running; only for a process that has the database to itself. */
    async requeueRunning(): Promise<void> {
        await this.#database.run(
            `UPDATE agent_prompts SET ${waitingIfWanted}, attempt = attempt + 1 WHERE state = 'running'`,
        );
    }

    /** A write whose answer was lost may be repeated: the run has then ended already. */
    async #end(run: AgentAttempt, apply: (transaction: SqlRunner) => Promise<unknown>): Promise<boolean> {
        const { jobId, attempt } = run;
        return this.#database.transaction(async (transaction) => {
            // Locks the job first, so that a message that comes meanwhile is seen, or sees the end.
            await transaction.run("UPDATE agent_jobs SET status = status WHERE id = :jobId", { jobId });
            if (await write(transaction, run, "state = 'done'")) {
                await apply(transaction);
                return true;
            }
            const ended = await transaction.get(
                `SELECT 1 AS found FROM agent_prompts WHERE job_id = :jobId AND attempt = :attempt AND state = 'done'`,
                { jobId, attempt },
            );
            return ended !== undefined;
        });
    }
}

/** @returns false if the run has lost its prompt */
async function write(
    database: SqlRunner,
    { jobId, attempt }: AgentAttempt,
    assignments: string,
    values: SqlValues = {},
): Promise<boolean> {
    const changed = await database.run(
        `UPDATE agent_prompts SET ${assignments} WHERE job_id = :jobId AND attempt = :attempt AND state = 'running'`,
        { ...values, jobId, attempt },
    );
    return changed === 1;
}

function namedValues(prefix: string, values: readonly string[]): Record<string, string> {
    return Object.fromEntries(values.map((value, index) => [`${prefix}${index}`, value]));
}

/** The names in SQL, after a text that no column holds: a list must not be empty. */
function listOf(values: Readonly<Record<string, string>>): string {
    return ["''", ...Object.keys(values).map((name) => `:${name}`)].join(", ");
}

const waitingIfWanted = `state = CASE WHEN (SELECT status FROM agent_jobs WHERE id = agent_prompts.job_id) = 'active'
    THEN 'waiting' ELSE 'done' END`;

function toRun(row: Row): PromptRun {
    const { branch, base, commits } = row;
    return {
        jobId: row.job_id,
        attempt: row.attempt,
        sequence: row.sequence,
        projectId: row.project_id,
        repository: row.repository,
        ref: row.project_ref,
        prompt: parsePrompt(row.prompt),
        jobBranch: row.job_branch ?? undefined,
        earlierPrLink: row.pr_link,
        starts: row.starts,
        change:
            branch === null || base === null || commits === null
                ? undefined
                : { branch, base, isFollowUp: row.is_follow_up === 1, commits: commits.split(" ") },
    };
}
