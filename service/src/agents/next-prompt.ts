import { listOf, type SqlClient } from "../database/database.js";
import { type Attempt } from "../jobs/attempts.js";
import { startsTogether } from "../jobs/starts.js";
import { agentPrompts, changeStatus } from "../jobs/transitions.js";
import { Turns } from "../jobs/turns.js";
import { type AgentJobStatus, parsePrompt } from "./agent-job-store.js";

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
    /** Including this one; always 1 if the job is archived. */
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
    job_status: AgentJobStatus;
}

/** The process that asks for a prompt. */
interface PromptClaim {
    /** The jobs that run in this process: until they end, a prompt before its last start waits, with all behind it. */
    running: readonly string[];
    /** If given, starts only prompts of these projects. */
    projects: readonly string[] | undefined;
    /** The name that the job shows as its model. */
    model: string;
}

const turns = new Turns("agent_turns", "project_id");

/**
 * Starts the oldest waiting prompt among the jobs that have no running prompt in any process; projects take turns. A
 * prompt of an archived job waits only if something may have been pushed for it, which its run takes back.
 *
 * @param within - a transaction that no other claim runs in parallel to
 */
export async function claimNextPrompt(
    within: SqlClient,
    { running, projects, model }: PromptClaim,
): Promise<Prompt | undefined> {
    const others = listOf("running", running);
    const wanted = listOf("wanted", projects ?? []);
    const found = await within.get<Row>(
        `SELECT p.*, j.project_id, j.repository, j.ref AS project_ref, j.branch AS job_branch, j.pr_link,
             j.status AS job_status
         FROM agent_prompts p JOIN agent_jobs j ON j.id = p.job_id
         WHERE p.state = 'waiting' AND (j.status = 'active' OR p.commits IS NOT NULL)
         AND p.job_id NOT IN (${others.sql})
         ${projects === undefined ? "" : `AND j.project_id IN (${wanted.sql})`}
         AND NOT EXISTS (SELECT 1 FROM agent_prompts r WHERE r.job_id = p.job_id AND r.state = 'running')
         ORDER BY ${turns.orderOf("j.project_id")}, p.sequence
         LIMIT 1`,
        { ...others.values, ...wanted.values },
    );
    if (found === undefined) {
        return undefined;
    }
    // The run of an archived job only takes a change back, which crashes nothing: it need not be alone.
    const isActive = found.job_status === "active";
    if (isActive && found.starts >= startsTogether && running.length > 0) {
        return undefined;
    }
    // Locks the job before its prompt, as every other transition does: in another order, two could wait for each other.
    await within.run("UPDATE agent_jobs SET model = COALESCE(:model, model) WHERE id = :jobId", {
        model: isActive ? model : null,
        jobId: found.job_id,
    });
    const claimed = await within.get<Pick<Row, "attempt" | "starts">>(
        `${changeStatus(agentPrompts, "claim", { where: "sequence = :sequence" })} RETURNING attempt, starts`,
        { sequence: found.sequence },
    );
    if (claimed === undefined) {
        return undefined;
    }
    await turns.take([found.project_id], within);
    return toPrompt({ ...found, ...claimed, starts: isActive ? claimed.starts : 1 });
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
        // A run stores all parts of a change at the same time.
        change:
            commits === null
                ? undefined
                : { branch: branch!, base: base!, isFollowUp: row.is_follow_up === 1, commits: commits.split(" ") },
    };
}
