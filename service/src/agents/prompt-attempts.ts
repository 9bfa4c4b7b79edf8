import { type ServiceDatabase, type SqlClient } from "../database/database.js";
import { type Attempt, Attempts, type RunningAttempt } from "../jobs/attempts.js";
import { agentJobs, agentPrompts, changeStatus } from "../jobs/transitions.js";
import { claimNextPrompt, type Prompt, type StoredChange } from "./next-prompt.js";

/** The attempts to run prompts of agent jobs: a prompt is waiting, running or done. */
export class PromptAttempts extends Attempts {
    constructor(database: ServiceDatabase) {
        super(database, agentPrompts);
    }

    /** Starts the prompt that is next: see {@link claimNextPrompt}. */
    claim(running: readonly string[] = [], projects?: readonly string[], model = "none"): Promise<Prompt | undefined> {
        return this.database.transaction(
            (transaction) => claimNextPrompt(transaction, { running, projects, model }),
            "agent claim",
        );
    }

    /** Whether the job was archived before the prompt had an outcome. True also after the prompt's run has lost it. */
    async isAbandoned({ sequence }: Pick<Prompt, "sequence">): Promise<boolean> {
        const found = await this.database.get(
            `SELECT 1 AS found FROM agent_prompts p JOIN agent_jobs j ON j.id = p.job_id
             WHERE p.sequence = :sequence AND j.status = 'archived' AND (p.state <> 'done' OR p.commits IS NULL)`,
            { sequence },
        );
        return found !== undefined;
    }

    /**
     * Stores the change that the run is about to push.
     * @returns false if the run has lost its prompt, or if its job is archived
     */
    async recordChange(attempt: Attempt, { branch, base, commits, isFollowUp }: StoredChange): Promise<boolean> {
        return this.write(
            attempt,
            "branch = :branch, base = :base, commits = :commits, is_follow_up = :isFollowUp",
            { branch, base, commits: commits.join(" "), isFollowUp: Number(isFollowUp) },
            { isWanted: true },
        );
    }

    /**
     * Forgets the change of an abandoned prompt, which was taken back.
     * @returns false if the run has lost its prompt
     */
    async forgetChange(attempt: Attempt): Promise<boolean> {
        return this.write(attempt, "commits = NULL");
    }

    /**
     * Marks the prompt as done, and the job as completed unless it has another waiting prompt.
     *
     * @returns false if the run has lost its prompt, or if its job is archived
     */
    async finish(
        attempt: Attempt,
        { prLink, branch }: { prLink: string | null; branch: string | undefined },
    ): Promise<boolean> {
        return this.#end(attempt, async (transaction) => {
            const sets = "pr_link = :prLink, branch = :branch";
            await transaction.run(changeStatus(agentJobs, "complete", { sets, where: "id = :jobId" }), {
                ...{ prLink, branch: branch ?? null },
                jobId: attempt.jobId,
            });
        });
    }

    /**
     * Marks the job as failed, and its waiting prompts as done.
     *
     * @param branch - the branch with the work despite the failure, if there is one
     * @returns false if the run has lost its prompt, or if its job is archived
     */
    async fail(attempt: Attempt, branch: string | undefined): Promise<boolean> {
        return this.#end(attempt, async (transaction) => {
            const { jobId } = attempt;
            const sets = "branch = COALESCE(:branch, branch)";
            const failure = changeStatus(agentJobs, "fail", { sets, where: "id = :jobId" });
            await transaction.run(failure, { branch: branch ?? null, jobId });
            await transaction.run(changeStatus(agentPrompts, "drop", { where: "job_id = :jobId" }), { jobId });
        });
    }

    override putBack(attempt: Attempt): ReturnType<Attempts["putBack"]> {
        return this.#withLockedJob(attempt, (transaction) => super.putBack(attempt, transaction));
    }

    override takeFrom(run: RunningAttempt): Promise<boolean> {
        return this.#withLockedJob(run, (transaction) => super.takeFrom(run, transaction));
    }

    /** The reason is in the log of the service only: prompts have no column for it. */
    override giveUp(attempt: Attempt): Promise<boolean> {
        return this.fail(attempt, undefined);
    }

    async #end(attempt: Attempt, apply: (transaction: SqlClient) => Promise<unknown>): Promise<boolean> {
        return this.#withLockedJob(attempt, async (transaction) => {
            if (await this.endRun(attempt, "end", "", {}, transaction)) {
                await apply(transaction);
                return true;
            }
            return this.hasEnded(attempt, "done", transaction);
        });
    }

    /**
     * Locks the job first: a concurrent message or archiving either waits until the run has ended, or is already stored
     * when the run looks at the job. Otherwise a prompt would wait for ever in a job that is just being archived.
     */
    #withLockedJob<T>({ jobId }: Attempt, end: (transaction: SqlClient) => Promise<T>): Promise<T> {
        return this.database.transaction(async (transaction) => {
            await transaction.run(changeStatus(agentJobs, "lock", { where: "id = :jobId" }), { jobId });
            return end(transaction);
        });
    }
}
