import { randomBytes } from "node:crypto";
import { type agentJobStatuses } from "@pulumi-static-export/contract";
import { type ServiceDatabase, type SqlClient } from "../database/database.js";
import { type QueueState } from "../jobs/job-kind.js";
import { agentJobs, agentPrompts, changeStatus, creation, removal } from "../jobs/transitions.js";

export type AgentJobStatus = (typeof agentJobStatuses)[number];

export interface AgentJob {
    id: string;
    projectId: string;
    status: AgentJobStatus;
    source: { repository: string; ref: string | null };
    /** The name of the command that ran the newest prompt, or "none" until the first one runs. */
    model: string;
    /** Null while the job is active, or if it changed no file. */
    prLink: string | null;
    createdAt: Date;
    archivedAt: Date | null;
}

/** The repository and branch that the agents of a project work on. */
export interface AgentProject {
    /** Full URL of the hosted git repository. */
    repository: string;
    /** The branch on which the agent works; if it is omitted, the agent chooses one. */
    ref?: string;
}

export interface AgentJobRow {
    id: string;
    project_id: string;
    status: AgentJobStatus;
    repository: string;
    ref: string | null;
    model: string;
    pr_link: string | null;
    branch: string | null;
    created_at: number;
    archived_at: number | null;
}

/** A change was requested for an archived job, which cannot be changed. */
export class AgentJobArchivedError extends Error {
    override readonly name = "AgentJobArchivedError";
}

/**
 * Agent jobs as clients see them. `AgentJobs` runs their prompts.
 *
 * The contract contains only the transitions active → completed and active → failed. We add two transitions: a job that
 * is not archived can be archived, and a message makes a finished job active again, because polling would otherwise end
 * immediately.
 */
export class AgentJobStore {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;

    constructor(database: ServiceDatabase, clock: () => number) {
        this.#database = database;
        this.#clock = clock;
    }

    /** @param within - the transaction to run in @default a new one */
    async create(projectId: string, project: AgentProject, prompt: string, within?: SqlClient): Promise<AgentJob> {
        if (within === undefined) {
            return this.#database.transaction((own) => this.create(projectId, project, prompt, own));
        }
        const id = `aj_${randomBytes(12).toString("hex")}`;
        const { sql, values } = creation(agentJobs, "create", {
            id,
            project_id: projectId,
            repository: project.repository,
            ref: project.ref ?? null,
            model: "none",
            created_at: this.#clock(),
        });
        const row = await within.get<AgentJobRow>(`${sql} RETURNING *`, values);
        await this.#addPrompt(id, prompt, within);
        return toAgentJob(row as AgentJobRow);
    }

    /** @param within - the transaction to run in @default a new one */
    async get(projectId: string, id: string, within: SqlClient = this.#database): Promise<AgentJob | undefined> {
        const row = await within.get<AgentJobRow>(
            "SELECT * FROM agent_jobs WHERE id = :id AND project_id = :projectId",
            {
                id,
                projectId,
            },
        );
        return row === undefined ? undefined : toAgentJob(row);
    }

    /**
     * @param within - the transaction to run in @default a new one
     * @throws AgentJobArchivedError when the job is archived.
     */
    async addMessage(id: string, prompt: string, within?: SqlClient): Promise<AgentJob> {
        const change = (transaction: SqlClient): Promise<AgentJob> =>
            this.#change(transaction, id, "a message", async () => {
                await transaction.run(changeStatus(agentJobs, "message", { where: "id = :id" }), { id });
                await this.#addPrompt(id, prompt, transaction);
            });
        return within === undefined ? this.#database.transaction(change) : change(within);
    }

    /**
     * Archives a job. The job's waiting prompts will not run. The run of a prompt stops at its next tick, and pushes and
     * stores nothing any more. A worker takes back the pushes of an unfinished prompt.
     *
     * @throws AgentJobArchivedError when the job is already archived.
     */
    async archive(id: string): Promise<AgentJob> {
        return this.#database.transaction((transaction) =>
            this.#change(transaction, id, "archiving", async () => {
                const archive = changeStatus(agentJobs, "archive", { where: "id = :id" });
                await transaction.run(archive, { now: this.#clock(), id });
                await transaction.run(changeStatus(agentPrompts, "drop", { where: "job_id = :id" }), { id });
            }),
        );
    }

    /**
     * Times at which prompts of a project were added since `sinceMs`, with a new job or with a message, oldest first.
     *
     * @param within - the transaction to run in @default a new one
     */
    async promptsSince(projectId: string, sinceMs: number, within: SqlClient = this.#database): Promise<number[]> {
        const rows = await within.all<{ created_at: number }>(
            `SELECT p.created_at FROM agent_prompts p JOIN agent_jobs j ON j.id = p.job_id
             WHERE p.created_at > :sinceMs AND p.created_at <= :now AND j.project_id = :projectId ORDER BY p.created_at`,
            // Prompts from the future were added before the clock was set back.
            { sinceMs, now: this.#clock(), projectId },
        );
        return rows.map((row) => row.created_at);
    }

    /** The prompts of all jobs, in all processes. Waiting ones of archived jobs, which only take back, do not count. */
    async queue(): Promise<QueueState> {
        const waiting = `agent_prompts WHERE state = 'waiting' AND ${agentPrompts.wanted}`;
        const counted = await this.#database.get<{ queued: number; running: number; oldest: number | null }>(
            `SELECT (SELECT count(*) FROM ${waiting}) AS queued,
                (SELECT count(*) FROM agent_prompts WHERE state = 'running') AS running,
                (SELECT created_at FROM ${waiting} ORDER BY sequence LIMIT 1) AS oldest`,
        );
        const { queued = 0, running = 0, oldest = null } = counted ?? {};
        return { queued, running, oldestQueuedAt: oldest === null ? undefined : new Date(oldest) };
    }

    /**
     * Records which jobs have ended, and removes those that were recorded before `unusedBefore`, with their prompts. A
     * message to a job, or archiving it, clears the record.
     * @returns how many jobs it removed
     */
    async removeUnused({ unusedBefore: before }: { unusedBefore: number }): Promise<number> {
        return this.#database.transaction(async (transaction) => {
            await transaction.run(
                "UPDATE agent_jobs SET seen_ended_at = :now WHERE status <> 'active' AND seen_ended_at IS NULL",
                { now: this.#clock() },
            );
            const isOld = "status <> 'active' AND seen_ended_at < :before";
            // Locks the jobs, so that no message arrives in between.
            await transaction.run(changeStatus(agentJobs, "lock", { where: isOld }), { before });
            const ofOld = `job_id IN (SELECT id FROM agent_jobs WHERE ${isOld})`;
            await transaction.run(removal(agentPrompts, ofOld), { before });
            return transaction.run(removal(agentJobs, isOld), { before });
        }, "agent jobs");
    }

    async #change(transaction: SqlClient, id: string, what: string, apply: () => Promise<unknown>): Promise<AgentJob> {
        // Locks the job if other processes share the database and could change it in between.
        await transaction.run(changeStatus(agentJobs, "lock", { where: "id = :id" }), { id });
        const { status } = await expectJob(transaction, id);
        if (status === "archived") {
            throw new AgentJobArchivedError(
                `Agent job ${id} is archived: ${what} needs a job that is active, completed or failed.`,
            );
        }
        await apply();
        return expectJob(transaction, id);
    }

    async #addPrompt(id: string, prompt: string, transaction: SqlClient): Promise<void> {
        const columns = { job_id: id, prompt: JSON.stringify(prompt), created_at: this.#clock() };
        const { sql, values } = creation(agentPrompts, "create", columns);
        await transaction.run(sql, values);
    }
}

async function expectJob(transaction: SqlClient, id: string): Promise<AgentJob> {
    const row = await transaction.get<AgentJobRow>("SELECT * FROM agent_jobs WHERE id = :id", { id });
    if (row === undefined) {
        throw new Error(`No agent job ${id}.`);
    }
    return toAgentJob(row);
}

/** Prompts are stored as JSON: SQLite's text ends at a NUL. */
export function parsePrompt(stored: string): string {
    return JSON.parse(stored) as string;
}

export function toAgentJob(row: AgentJobRow): AgentJob {
    return {
        id: row.id,
        projectId: row.project_id,
        status: row.status,
        source: { repository: row.repository, ref: row.branch ?? row.ref },
        model: row.model,
        prLink: row.status === "active" ? null : row.pr_link,
        createdAt: new Date(row.created_at),
        archivedAt: row.archived_at === null ? null : new Date(row.archived_at),
    };
}
