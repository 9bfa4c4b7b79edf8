import { listOf, type ServiceDatabase, type SqlClient } from "../database/database.js";
import { type Attempt, Attempts } from "../jobs/attempts.js";
import { Turns } from "../jobs/turns.js";
import { parsePrompt } from "./agent-job-store.js";

/** The commits that the runs of a prompt pushed, or were about to push. */
export interface StoredChange {
    branch: string;
    base: string;
    /** Whether an earlier prompt has pushed the job's branch. */
    isFollowUp: boolean;
    /** The commits of all runs, the newest last. */
    commits: readonly string[];
}

/**
 * A prompt that was claimed, and the progress that earlier runs made with it. Attempt numbers are unique among all
 * prompts of the job.
 */
export interface Prompt extends Attempt {
    /** Of the prompt. */
    sequence: number;
    projectId: string;
    repository: string;
    /** The project's branch, if its settings name one. */
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

const turns = new Turns("agent_turns", "project_id");

/** The attempts to run prompts of agent jobs: a prompt is waiting, running or done. */
export class PromptAttempts extends Attempts {
    constructor(database: ServiceDatabase) {
        super(database, {
            name: "agent_prompts",
            status: "state",
            waiting: `state = CASE WHEN (SELECT status FROM agent_jobs WHERE id = agent_prompts.job_id) = 'active'
                THEN 'waiting' ELSE 'done' END`,
        });
    }

    /**
     * Starts the oldest waiting prompt among the jobs that have no running prompt in any process; projects take turns.
     *
     * @param running - the jobs that run in this process: until they end, an interrupted prompt and all prompts behind
     * it wait
     * @param projects - starts only prompts of these projects
     */
    async claim(running: readonly string[] = [], projects?: readonly string[]): Promise<Prompt | undefined> {
        const others = listOf("running", running);
        const wanted = listOf("wanted", projects ?? []);
        return this.database.transaction(async (transaction) => {
            const found = await transaction.get<Row>(
                `SELECT p.*, j.project_id, j.repository, j.ref AS project_ref, j.branch AS job_branch, j.pr_link
                 FROM agent_prompts p JOIN agent_jobs j ON j.id = p.job_id
                 WHERE p.state = 'waiting' AND j.status = 'active'
                 AND p.job_id NOT IN (${others.sql})
                 ${projects === undefined ? "" : `AND j.project_id IN (${wanted.sql})`}
                 AND NOT EXISTS (SELECT 1 FROM agent_prompts r WHERE r.job_id = p.job_id AND r.state = 'running')
                 ORDER BY ${turns.orderOf("j.project_id")}, p.sequence
                 LIMIT 1`,
                { ...others.values, ...wanted.values },
            );
            if (found === undefined || (found.starts > 0 && running.length > 0)) {
                return undefined;
            }
            // The prompts of an archived job no longer wait.
            const claimed = await transaction.get<Pick<Row, "attempt" | "starts">>(
                `UPDATE agent_prompts SET state = 'running', starts = starts + 1, ticks = 0, attempt = 1 + (
                        SELECT max(earlier.attempt) FROM agent_prompts earlier WHERE earlier.job_id = :jobId
                     ) WHERE sequence = :sequence AND state = 'waiting' RETURNING attempt, starts`,
                { jobId: found.job_id, sequence: found.sequence },
            );
            if (claimed === undefined) {
                return undefined;
            }
            await turns.take([found.project_id], transaction);
            return toPrompt({ ...found, ...claimed });
        }, "agent claim");
    }

    override async tick({ jobId, attempt }: Attempt): Promise<"wanted" | "unwanted" | "lost"> {
        const row = await this.database.get<{ status: string }>(
            `UPDATE agent_prompts SET ticks = ticks + 1 WHERE job_id = :jobId AND attempt = :attempt AND state = 'running'
             RETURNING (SELECT status FROM agent_jobs WHERE id = agent_prompts.job_id) AS status`,
            { jobId, attempt },
        );
        return row === undefined ? "lost" : row.status === "active" ? "wanted" : "unwanted";
    }

    /** Stores the change that the run is about to push. @returns false if the run has lost its prompt */
    async recordChange(attempt: Attempt, { branch, base, commits, isFollowUp }: StoredChange): Promise<boolean> {
        return this.write(attempt, "branch = :branch, base = :base, commits = :commits, is_follow_up = :isFollowUp", {
            branch,
            base,
            commits: commits.join(" "),
            isFollowUp: Number(isFollowUp),
        });
    }

    /**
     * Marks the prompt as done, and the job as completed unless it is archived or has another waiting prompt.
     *
     * @returns false if the run has lost its prompt
     */
    async finish(
        attempt: Attempt,
        { prLink, branch }: { prLink: string | null; branch: string | undefined },
    ): Promise<boolean> {
        return this.#end(attempt, (transaction) =>
            transaction.run(
                `UPDATE agent_jobs SET pr_link = :prLink, branch = :branch,
                 status = CASE WHEN status <> 'active' OR EXISTS (
                     SELECT 1 FROM agent_prompts WHERE job_id = agent_jobs.id AND state = 'waiting'
                 ) THEN status ELSE 'completed' END
                 WHERE id = :jobId`,
                { prLink, branch: branch ?? null, jobId: attempt.jobId },
            ),
        );
    }

    /**
     * Marks the job as failed unless it is archived, and marks its waiting prompts as done.
     *
     * @param branch - the branch with the work despite the failure, if there is one
     * @returns false if the run has lost its prompt
     */
    async fail(attempt: Attempt, branch: string | undefined): Promise<boolean> {
        return this.#end(attempt, async (transaction) => {
            await transaction.run(
                `UPDATE agent_jobs SET branch = COALESCE(:branch, branch),
                 status = CASE WHEN status = 'active' THEN 'failed' ELSE status END WHERE id = :jobId`,
                { branch: branch ?? null, jobId: attempt.jobId },
            );
            await transaction.run(
                "UPDATE agent_prompts SET state = 'done' WHERE job_id = :jobId AND state = 'waiting'",
                { jobId: attempt.jobId },
            );
        });
    }

    async #end(attempt: Attempt, apply: (transaction: SqlClient) => Promise<unknown>): Promise<boolean> {
        return this.database.transaction(async (transaction) => {
            // Locks the job first, so that a concurrent message is either found here or finds the job ended.
            await transaction.run("UPDATE agent_jobs SET status = status WHERE id = :jobId", {
                jobId: attempt.jobId,
            });
            if (await this.write(attempt, "state = 'done'", {}, transaction)) {
                await apply(transaction);
                return true;
            }
            return this.hasEnded(attempt, "done", transaction);
        });
    }
}

function toPrompt(row: Row): Prompt {
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
