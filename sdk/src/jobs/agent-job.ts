import { type agentJobStatuses } from "@pulumi-static-export/contract";
import {
    answer,
    type Clean,
    cleaned,
    dateTime,
    type Decoded,
    type Decoder,
    DecodeProblem,
    field,
    fields,
    id,
    list,
    nullable,
    number,
    text,
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

const status: Decoder<AgentJobStatus> = text;

/** The repository and branch on which the agent works. */
const source = {
    /** Full URL of the hosted git repository. */
    repository: text,
    /** The git branch the agent works on. */
    ref: nullable(cleaned),
};
export type AgentJobSource = Decoded<typeof source>;

const job = {
    id,
    status,
    source: fields(source),
    model: text,
    /** URL of the pull request; null while the job is active, or if it changed no file. */
    prLink: nullable(cleaned),
    /** RFC 3339 date-time. */
    createdAt: dateTime,
    /** RFC 3339 date-time; null unless the job is archived. */
    archivedAt: nullable(dateTime),
};

/** An asynchronous task of an agent on a hosted repository (docs/reference/admin-api.md, "AgentJob"). */
export type PlatformAgentJob = Decoded<typeof job>;
export const decodeAgentJob = answer(fields(job));

const record = {
    id,
    projectId: text,
    status,
    /** The first prompt, at most 500 characters. */
    prompt: text,
    prLink: nullable(cleaned),
    createdAt: dateTime,
};

/** A job in a list of jobs. */
export type AgentJobRecord = Decoded<typeof record>;
export const decodeAgentJobRecords = answer(field("jobs", list(fields(record), "each job")));

/** A part of a job's log. */
export interface AgentJobLog {
    lines: string[];
    /** The byte at which the next part begins. */
    next: number;
    /** False if the log is on a worker, or was removed. */
    isStored: boolean;
}

const lines: Decoder<string[]> = (value, what, clean) => {
    if (typeof value !== "string") {
        throw new DecodeProblem(`${what} must be a string`);
    }
    return value === "" ? [] : value.replace(/\n$/, "").split("\n").map(clean);
};
const log = fields({ text: lines, next: number, isStored: (value) => value === true });

export function decodeAgentJobLog(body: unknown, clean: Clean): AgentJobLog {
    const { text: shown, ...rest } = answer(log)(body, clean);
    return { lines: shown, ...rest };
}
