import { mkdtemp, open, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
    type AgentJob,
    type AgentJobRow,
    type AgentJobStatus,
    parsePrompt,
    toAgentJob,
} from "../agents/agent-job-store.js";
import { listOf, type ServiceDatabase } from "../database/database.js";
import { type AgentLogs } from "../storage/agent-logs.js";

export interface AgentJobSummary extends AgentJob {
    /** The beginning of the first prompt. */
    prompt: string;
}

interface AgentPrompt {
    prompt: string;
    state: "waiting" | "running" | "done";
    createdAt: Date;
}

interface LogPart {
    text: string;
    /** The byte at which the next part begins. */
    next: number;
    /** False if the log is on a worker, or was removed. */
    isStored: boolean;
}

const shownPromptCharacters = 500;
const maxPartBytes = 256 * 1024;

/** Agent jobs over all projects, with their prompts and logs. */
export class AgentHistory {
    readonly #database: ServiceDatabase;
    readonly #logFolder: string;
    readonly #logs: AgentLogs | undefined;

    /** @param logs - the logs in the bucket; undefined if they stay in the data folder */
    constructor(database: ServiceDatabase, dataDir: string, logs: AgentLogs | undefined) {
        this.#database = database;
        this.#logFolder = join(dataDir, "agent", "logs");
        this.#logs = logs;
    }

    /** @param before - the position that an earlier page returned */
    async list({
        projects,
        status,
        before = { createdAt: Number.MAX_SAFE_INTEGER, id: "" },
        limit,
    }: {
        projects: readonly string[] | null;
        status?: AgentJobStatus;
        before?: { createdAt: number; id: string };
        limit: number;
    }): Promise<AgentJobSummary[]> {
        const wanted = listOf("project", projects ?? []);
        const conditions = [
            ...(projects === null ? [] : [`job.project_id IN (${wanted.sql})`]),
            ...(status === undefined ? [] : ["job.status = :status"]),
            "job.created_at <= :createdAt AND (job.created_at < :createdAt OR job.id < :id)",
        ];
        const rows = await this.#database.all<AgentJobRow & { prompt: string | null }>(
            `SELECT job.*, (SELECT prompt FROM agent_prompts WHERE job_id = job.id ORDER BY sequence LIMIT 1) AS prompt
             FROM agent_jobs job WHERE ${conditions.join(" AND ")}
             ORDER BY job.created_at DESC, job.id DESC LIMIT :limit`,
            {
                limit,
                ...(projects === null ? {} : wanted.values),
                ...(status === undefined ? {} : { status }),
                ...before,
            },
        );
        return rows.map((row) => ({
            ...toAgentJob(row),
            prompt: row.prompt === null ? "" : parsePrompt(row.prompt).slice(0, shownPromptCharacters),
        }));
    }

    async prompts(jobId: string): Promise<AgentPrompt[]> {
        const rows = await this.#database.all<{ prompt: string; state: AgentPrompt["state"]; created_at: number }>(
            "SELECT prompt, state, created_at FROM agent_prompts WHERE job_id = :jobId ORDER BY sequence LIMIT 200",
            { jobId },
        );
        return rows.map((row) => ({
            prompt: parsePrompt(row.prompt),
            state: row.state,
            createdAt: new Date(row.created_at),
        }));
    }

    /** A part of a job's log. @param from - how many bytes to skip */
    async log(jobId: string, from: number): Promise<LogPart> {
        if (this.#logs !== undefined) {
            const text = await this.#readKept(this.#logs, jobId);
            const part = text?.subarray(from, from + maxPartBytes);
            return part === undefined ? notStored(from) : toPart(part, from);
        }
        const path = join(this.#logFolder, `${jobId}.log`);
        const size = await stat(path).then(
            (found) => found.size,
            () => undefined,
        );
        if (size === undefined) {
            return notStored(from);
        }
        const file = await open(path);
        try {
            const buffer = Buffer.alloc(Math.max(0, Math.min(maxPartBytes, size - from)));
            const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
            return toPart(buffer.subarray(0, bytesRead), from);
        } finally {
            await file.close();
        }
    }

    async #readKept(logs: AgentLogs, jobId: string): Promise<Buffer | undefined> {
        const rows = await this.#database.all<{ attempt: number }>(
            "SELECT attempt FROM agent_logs WHERE job_id = :jobId ORDER BY attempt",
            { jobId },
        );
        if (rows.length === 0) {
            return undefined;
        }
        const folder = await mkdtemp(join(tmpdir(), "agent-log-"));
        try {
            const parts: Buffer[] = [];
            for (const { attempt } of rows) {
                const path = join(folder, `${attempt}.log`);
                await logs.read({ jobId, attempt }, path);
                parts.push(await readFile(path));
            }
            return Buffer.concat(parts);
        } finally {
            await rm(folder, { recursive: true, force: true });
        }
    }
}

function notStored(from: number): LogPart {
    return { text: "", next: from, isStored: false };
}

/** Leaves a character that the part cuts to the next part. */
function toPart(bytes: Buffer, from: number): LogPart {
    let end = bytes.length;
    for (let back = 1; back <= Math.min(3, bytes.length); back++) {
        const byte = bytes[bytes.length - back] ?? 0;
        if (byte >= 0xc0) {
            const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
            end = back < length ? bytes.length - back : end;
            break;
        }
        if (byte < 0x80) {
            break;
        }
    }
    return { text: bytes.subarray(0, end).toString("utf8"), next: from + end, isStored: true };
}
