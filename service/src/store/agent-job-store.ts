import { randomBytes } from "node:crypto";
import { inTransaction, type ServiceDatabase } from "./database.js";

export const agentJobStatuses = ["active", "completed", "archived", "failed"] as const;
export type AgentJobStatus = (typeof agentJobStatuses)[number];

export interface AgentJob {
    id: string;
    projectId: string;
    status: AgentJobStatus;
    source: { repository: string; ref: string | null };
    model: string;
    /** Null while the job is active, and if it changed no file. */
    prLink: string | null;
    createdAt: Date;
    archivedAt: Date | null;
}

/** Where the agent of a project works. */
export interface AgentProject {
    /** Full URL of the hosted git repository. */
    repository: string;
    /** The branch the agent works on; none to let the agent choose. */
    ref?: string;
    /** @default "none" while no agent is configured to run prompts */
    model?: string;
}

interface Row {
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

/** A change of status that the job's current status does not allow. */
export class AgentJobTransitionError extends Error {
    override readonly name = "AgentJobTransitionError";
}

/**
 * Agent jobs on disk. `AgentRunner` runs their prompts; without one, the embedder of the service reads them with `prompts`
 * and reports with `complete` and `fail`.
 *
 * The contract shows only active → completed and active → failed. Our additions: every status but archived can be
 * archived, and a message to a finished job makes it active again, because otherwise polling would end at once.
 */
export class AgentJobStore {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;

    constructor(database: ServiceDatabase, clock: () => number) {
        this.#database = database;
        this.#clock = clock;
    }

    create(projectId: string, project: AgentProject, prompt: string): AgentJob {
        const id = `aj_${randomBytes(12).toString("hex")}`;
        inTransaction(this.#database, () => {
            this.#database
                .prepare(
                    `INSERT INTO agent_jobs (id, project_id, status, repository, ref, model, created_at)
                     VALUES (:id, :projectId, 'active', :repository, :ref, :model, :now)`,
                )
                .run({
                    id,
                    projectId,
                    repository: project.repository,
                    ref: project.ref ?? null,
                    model: project.model ?? "none",
                    now: this.#clock(),
                });
            this.#addPrompt(id, prompt);
        });
        return this.#expect(id);
    }

    get(projectId: string, id: string): AgentJob | undefined {
        const row = this.#database
            .prepare("SELECT * FROM agent_jobs WHERE id = ? AND project_id = ?")
            .get(id, projectId);
        return row === undefined ? undefined : toJob(row as Row);
    }

    /** @throws AgentJobTransitionError when the job is archived. */
    addMessage(id: string, prompt: string): AgentJob {
        return this.#change(id, ["active", "completed", "failed"], "a message", () => {
            this.#database.prepare("UPDATE agent_jobs SET status = 'active' WHERE id = ?").run(id);
            this.#addPrompt(id, prompt);
        });
    }

    /** The prompt the job was started with, then its messages, oldest first. */
    prompts(id: string): string[] {
        const rows = this.#database
            .prepare("SELECT prompt FROM agent_prompts WHERE job_id = ? ORDER BY sequence")
            .all(id);
        return (rows as { prompt: string }[]).map((row) => parsePrompt(row.prompt));
    }

    /** @throws AgentJobTransitionError unless the job is active. */
    complete(id: string, result: { prLink: string | null }): AgentJob {
        return this.#end(id, ["active"], "completion", () =>
            this.#database
                .prepare("UPDATE agent_jobs SET status = 'completed', pr_link = ? WHERE id = ?")
                .run(result.prLink, id),
        );
    }

    /** @throws AgentJobTransitionError unless the job is active. */
    fail(id: string): AgentJob {
        return this.#end(id, ["active"], "failure", () =>
            this.#database.prepare("UPDATE agent_jobs SET status = 'failed' WHERE id = ?").run(id),
        );
    }

    /** @throws AgentJobTransitionError when it is archived already. */
    archive(id: string): AgentJob {
        return this.#end(id, ["active", "completed", "failed"], "archiving", () =>
            this.#database
                .prepare("UPDATE agent_jobs SET status = 'archived', archived_at = ? WHERE id = ?")
                .run(this.#clock(), id),
        );
    }

    /** Prompts that are still queued when a job ends are not run. */
    #end(id: string, from: readonly AgentJobStatus[], what: string, apply: () => unknown): AgentJob {
        return this.#change(id, from, what, () => {
            apply();
            this.#database.prepare("UPDATE agent_prompts SET state = 'done' WHERE job_id = ?").run(id);
        });
    }

    #change(id: string, from: readonly AgentJobStatus[], what: string, apply: () => unknown): AgentJob {
        inTransaction(this.#database, () => {
            const { status } = this.#expect(id);
            if (!from.includes(status)) {
                const needed = from.join(" or ");
                throw new AgentJobTransitionError(`Agent job ${id} is ${status}: ${what} needs it to be ${needed}.`);
            }
            apply();
        });
        return this.#expect(id);
    }

    /** Times at which prompts of a project were added since `sinceMs`, creations and messages alike, oldest first. */
    promptsSince(projectId: string, sinceMs: number): number[] {
        const rows = this.#database
            .prepare(
                `SELECT p.created_at FROM agent_prompts p JOIN agent_jobs j ON j.id = p.job_id
                 WHERE p.created_at > :sinceMs AND j.project_id = :projectId ORDER BY p.created_at`,
            )
            .all({ sinceMs, projectId });
        return (rows as { created_at: number }[]).map((row) => row.created_at);
    }

    #addPrompt(id: string, prompt: string): void {
        this.#database
            .prepare("INSERT INTO agent_prompts (job_id, prompt, created_at) VALUES (?, ?, ?)")
            .run(id, JSON.stringify(prompt), this.#clock());
    }

    #expect(id: string): AgentJob {
        const row = this.#database.prepare("SELECT * FROM agent_jobs WHERE id = ?").get(id);
        if (row === undefined) {
            throw new Error(`No agent job ${id}.`);
        }
        return toJob(row as Row);
    }
}

/** Prompts are stored as JSON: SQLite's text ends at a NUL. */
export function parsePrompt(stored: string): string {
    return JSON.parse(stored) as string;
}

function toJob(row: Row): AgentJob {
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
