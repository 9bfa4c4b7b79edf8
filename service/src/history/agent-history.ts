import { beginningOf } from "@pulumi-static-export/contract";
import { open, stat } from "node:fs/promises";
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
    /** Dropped without a run: an earlier prompt failed, or the job was archived. */
    state: "waiting" | "running" | "done" | "dropped";
    createdAt: Date;
}

interface LogPart {
    text: string;
    /** The byte at which this part begins. */
    from: number;
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
            prompt: row.prompt === null ? "" : beginningOf(parsePrompt(row.prompt), shownPromptCharacters),
        }));
    }

    async prompts(jobId: string): Promise<AgentPrompt[]> {
        const rows = await this.#database.all<{ prompt: string; state: AgentPrompt["state"]; created_at: number }>(
            `SELECT prompt, created_at, CASE WHEN state = 'done' AND attempt = 0 THEN 'dropped' ELSE state END AS state
             FROM agent_prompts WHERE job_id = :jobId ORDER BY sequence LIMIT 200`,
            { jobId },
        );
        return rows.map((row) => ({
            prompt: parsePrompt(row.prompt),
            state: row.state,
            createdAt: new Date(row.created_at),
        }));
    }

    /** A part of a job's log. @param from - how many bytes to skip; a negative number counts from the end */
    async log(jobId: string, from: number): Promise<LogPart> {
        const log = this.#logs === undefined ? await this.#openFile(jobId) : await this.#openKept(this.#logs, jobId);
        if (log === undefined) {
            return { text: "", from: Math.max(0, from), next: Math.max(0, from), isStored: false };
        }
        try {
            const begin = from < 0 ? Math.max(0, log.size + from) : from;
            const bytes = await log.read(begin, Math.max(0, Math.min(maxPartBytes, log.size - begin)));
            return toPart(bytes, begin, from < 0);
        } finally {
            await log.close?.();
        }
    }

    async #openFile(jobId: string): Promise<OpenLog | undefined> {
        const path = join(this.#logFolder, `${jobId}.log`);
        const found = await stat(path).catch(() => undefined);
        if (found === undefined) {
            return undefined;
        }
        const file = await open(path);
        return {
            size: found.size,
            read: async (from, length) => {
                const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
                return buffer.subarray(0, bytesRead);
            },
            close: () => file.close(),
        };
    }

    /** The logs of all runs, one after another. Reads only what a part needs of them. */
    async #openKept(logs: AgentLogs, jobId: string): Promise<OpenLog | undefined> {
        const rows = await this.#database.all<{ attempt: number }>(
            "SELECT attempt FROM agent_logs WHERE job_id = :jobId ORDER BY attempt",
            { jobId },
        );
        if (rows.length === 0) {
            return undefined;
        }
        const sizes = await Promise.all(rows.map(({ attempt }) => logs.sizeOf({ jobId, attempt })));
        return {
            size: sizes.reduce((sum, size) => sum + size, 0),
            read: async (from, length) => {
                const parts: Buffer[] = [];
                let begin = 0;
                for (const [index, { attempt }] of rows.entries()) {
                    const size = sizes[index] ?? 0;
                    const first = Math.max(0, from - begin);
                    const end = Math.min(size, from + length - begin);
                    if (first < end) {
                        parts.push(await logs.readPart({ jobId, attempt }, first, end - first));
                    }
                    begin += size;
                }
                return Buffer.concat(parts);
            },
        };
    }
}

interface OpenLog {
    size: number;
    read: (from: number, length: number) => Promise<Buffer>;
    close?: () => Promise<void>;
}

/**
 * Leaves a character that the part cuts to the next part, and leaves out the rest of a character in which it begins.
 *
 * @param isEnd - whether the part may begin within a character or a line, which are left out
 */
function toPart(bytes: Buffer, from: number, isEnd: boolean): LogPart {
    let begin = 0;
    while (from > 0 && begin < 3 && ((bytes[begin] ?? 0) & 0xc0) === 0x80) {
        begin += 1;
    }
    if (isEnd && from > 0) {
        const lineEnd = bytes.indexOf(0x0a);
        begin = lineEnd === -1 ? bytes.findIndex((byte) => (byte & 0xc0) !== 0x80) : lineEnd + 1;
        begin = Math.max(0, begin);
    }
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
    const text = bytes.subarray(begin, end).toString("utf8");
    return { text, from: from + begin, next: from + end, isStored: true };
}
