import { parsePrompt } from "./agent-job-store.js";
import { type ServiceDatabase } from "../database/database.js";

/** A running prompt, and the progress that an earlier process made with it. */
export interface PromptRun {
    sequence: number;
    jobId: string;
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
    attempts: number;
    branch: string | null;
    base: string | null;
    commit: string | null;
    isFollowUp: boolean;
}

interface Row {
    sequence: number;
    job_id: string;
    project_id: string;
    repository: string;
    project_ref: string | null;
    prompt: string;
    job_branch: string | null;
    pr_link: string | null;
    attempts: number;
    branch: string | null;
    base: string | null;
    commit_id: string | null;
    is_follow_up: number;
}

/** The prompts of agent jobs as a queue: waiting, running or done. */
export class AgentRunStore {
    readonly #database: ServiceDatabase;

    constructor(database: ServiceDatabase) {
        this.#database = database;
    }

    /**
     * Takes the oldest queued prompt of a job that is not in `busyJobs`; one of a project that is not in
     * `servedProjects`, if there is one.
     */
    async begin(busyJobs: readonly string[], servedProjects: readonly string[]): Promise<PromptRun | undefined> {
        return this.#database.transaction(async (transaction) => {
            const row = await transaction.get<Row>(
                `SELECT p.*, j.project_id, j.repository, j.ref AS project_ref, j.branch AS job_branch, j.pr_link
                 FROM agent_prompts p JOIN agent_jobs j ON j.id = p.job_id
                 WHERE p.state = 'waiting' AND j.status = 'active'
                 AND j.id NOT IN (SELECT value FROM json_each(:busyJobs))
                 ORDER BY j.project_id IN (SELECT value FROM json_each(:servedProjects)), p.sequence LIMIT 1`,
                { busyJobs: JSON.stringify(busyJobs), servedProjects: JSON.stringify(servedProjects) },
            );
            if (row === undefined) {
                return undefined;
            }
            const { sequence } = row;
            await transaction.run(
                "UPDATE agent_prompts SET state = 'running', attempts = attempts + 1 WHERE sequence = :sequence",
                { sequence },
            );
            return toRun(row);
        });
    }

    /** Stores what is about to be pushed. */
    async recordChange(
        sequence: number,
        change: { branch: string; base: string; commit: string; isFollowUp: boolean },
    ): Promise<void> {
        const { branch, base, commit } = change;
        await this.#database.run(
            `UPDATE agent_prompts SET branch = :branch, base = :base, commit_id = :commit, is_follow_up = :isFollowUp
             WHERE sequence = :sequence`,
            { branch, base, commit, isFollowUp: Number(change.isFollowUp), sequence },
        );
    }

    /** Marks the prompt as done, and the job as completed unless it has another queued prompt. */
    async finish(
        sequence: number,
        { prLink, branch }: { prLink: string | null; branch: string | undefined },
    ): Promise<void> {
        await this.#database.transaction(async (transaction) => {
            await transaction.run("UPDATE agent_prompts SET state = 'done' WHERE sequence = :sequence", { sequence });
            await transaction.run(
                `UPDATE agent_jobs SET pr_link = :prLink, branch = :branch,
                 status = CASE WHEN EXISTS (
                     SELECT 1 FROM agent_prompts WHERE job_id = agent_jobs.id AND state = 'waiting'
                 ) THEN status ELSE 'completed' END
                 WHERE id = (SELECT job_id FROM agent_prompts WHERE sequence = :sequence) AND status = 'active'`,
                { sequence, prLink, branch: branch ?? null },
            );
        });
    }

    /**
     * Marks the job as failed, unless it has been archived, and its queued prompts as done.
     *
     * @param branch - holds the work all the same, if there is one
     */
    async fail(sequence: number, branch: string | undefined): Promise<void> {
        await this.#database.transaction(async (transaction) => {
            await transaction.run(
                `UPDATE agent_jobs SET status = 'failed', branch = COALESCE(:branch, branch)
                 WHERE id = (SELECT job_id FROM agent_prompts WHERE sequence = :sequence) AND status = 'active'`,
                { sequence, branch: branch ?? null },
            );
            await transaction.run(
                `UPDATE agent_prompts SET state = 'done'
                 WHERE job_id = (SELECT job_id FROM agent_prompts WHERE sequence = :sequence)`,
                { sequence },
            );
        });
    }

    /** Requeues a prompt whose run was stopped on purpose, which does not count as an attempt. */
    async release(sequence: number): Promise<void> {
        await this.#database.run(
            "UPDATE agent_prompts SET state = 'waiting', attempts = attempts - 1 WHERE sequence = :sequence",
            { sequence },
        );
    }

    /** Requeues what a killed service left running; returns the repositories that it may have been using. */
    async requeueInterrupted(): Promise<string[]> {
        return this.#database.transaction(async (transaction) => {
            await transaction.run("UPDATE agent_prompts SET state = 'waiting' WHERE state = 'running'");
            const rows = await transaction.all<{ repository: string }>("SELECT DISTINCT repository FROM agent_jobs");
            return rows.map(({ repository }) => repository);
        });
    }
}

function toRun(row: Row): PromptRun {
    return {
        sequence: row.sequence,
        jobId: row.job_id,
        projectId: row.project_id,
        repository: row.repository,
        ref: row.project_ref,
        prompt: parsePrompt(row.prompt),
        jobBranch: row.job_branch ?? undefined,
        earlierPrLink: row.pr_link,
        attempts: row.attempts + 1,
        branch: row.branch,
        base: row.base,
        commit: row.commit_id,
        isFollowUp: row.is_follow_up === 1,
    };
}
