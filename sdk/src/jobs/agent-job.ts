import { type agentJobStatuses } from "@pulumi-static-export/contract";
import {
    type Clean,
    decodeDateTime,
    decodeId,
    decodeNullableDateTime,
    decodeNullableText,
    decodeNumber,
    decodeObject,
    DecodeProblem,
    decodeText,
    decodeList,
    type JsonObject,
} from "../http/decode.js";

/** The statuses in the contract. A server may send others: they are passed on unchanged and do not end polling. */
export type KnownAgentJobStatus = (typeof agentJobStatuses)[number];
/** An unknown status is passed on unchanged. */
export type AgentJobStatus = KnownAgentJobStatus | (string & {});

/** The statuses that end an agent job, and with it polling. */
export const terminalAgentJobStatuses: ReadonlySet<string> = new Set<KnownAgentJobStatus>([
    "completed",
    "archived",
    "failed",
]);

/** The repository and branch on which the agent works. */
export interface AgentJobSource {
    /** Full URL of the hosted git repository. */
    repository: string;
    /** The git branch the agent works on. */
    ref: string | null;
}

/** An asynchronous task of an agent on a hosted repository (docs/reference/admin-api.md, "AgentJob"). */
export interface AgentJob {
    id: string;
    status: AgentJobStatus;
    source: AgentJobSource;
    model: string;
    /** URL of the pull request; null while the job is active, or if it changed no file. */
    prLink: string | null;
    /** RFC 3339 date-time. */
    createdAt: string;
    /** RFC 3339 date-time; null unless the job is archived. */
    archivedAt: string | null;
}

export function decodeAgentJob(answer: unknown, clean: Clean): AgentJob {
    const job = decodeObject(answer);
    const source = decodeObject(job["source"], '"source"');
    return {
        id: decodeId(job, "id", clean),
        status: decodeText(job, "status", clean),
        source: {
            repository: decodeText(source, "repository", clean),
            ref: decodeNullableText(source, "ref", clean),
        },
        model: decodeText(job, "model", clean),
        prLink: decodeNullableText(job, "prLink", clean),
        createdAt: decodeDateTime(job, "createdAt"),
        archivedAt: decodeNullableDateTime(job, "archivedAt"),
    };
}

/** A job in a list of jobs. */
export interface AgentJobRecord {
    id: string;
    projectId: string;
    status: AgentJobStatus;
    /** The first prompt, at most 500 characters. */
    prompt: string;
    prLink: string | null;
    createdAt: string;
}

export function decodeAgentJobRecords(answer: unknown, clean: Clean): AgentJobRecord[] {
    const decode = (job: JsonObject): AgentJobRecord => ({
        id: decodeId(job, "id", clean),
        projectId: decodeText(job, "projectId", clean),
        status: decodeText(job, "status", clean),
        prompt: decodeText(job, "prompt", clean),
        prLink: decodeNullableText(job, "prLink", clean),
        createdAt: decodeDateTime(job, "createdAt"),
    });
    return decodeList(decodeObject(answer), "jobs", decode, "each job");
}

/** A part of a job's log. */
export interface AgentJobLog {
    lines: string[];
    /** The byte at which the next part begins. */
    next: number;
    /** False if the log is on a worker, or was removed. */
    isStored: boolean;
}

export function decodeAgentJobLog(answer: unknown, clean: Clean): AgentJobLog {
    const log = decodeObject(answer);
    const text = log["text"];
    if (typeof text !== "string") {
        throw new DecodeProblem('"text" must be a string');
    }
    return {
        lines: text === "" ? [] : text.replace(/\n$/, "").split("\n").map(clean),
        next: decodeNumber(log, "next"),
        isStored: log["isStored"] === true,
    };
}
