import { type ServiceDatabase, type SqlClient } from "../database/database.js";
import { type Attempt, Attempts } from "../jobs/attempts.js";
import { claimNextPrompt, type Prompt, type StoredChange } from "./next-prompt.js";

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

    /** Starts the prompt that is next: see {@link claimNextPrompt}. */
    claim(running: readonly string[] = [], projects?: readonly string[], model = "none"): Promise<Prompt | undefined> {
        return this.database.transaction(
            (transaction) => claimNextPrompt(transaction, { running, projects, model }),
            "agent claim",
        );
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

    /** The reason is in the log of the service only: prompts have no column for it. */
    override giveUp(attempt: Attempt): Promise<boolean> {
        return this.fail(attempt, undefined);
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
