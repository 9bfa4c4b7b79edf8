import { isDeepStrictEqual } from "node:util";
import type { AgentJob } from "@pulumi-static-export/sdk";

/** What the program declared, resolved. During a preview a value may be unknown (see unknown-value.ts). */
export interface AgentJobInputs {
    projectId: string;
    prompt: string;
    triggers?: unknown;
    failOnFailedJob?: boolean;
    timeoutSeconds?: number;
    jobId?: string;
    /** The serialised provider. Pulumi adds it on success only, so a saved failure has to carry it. */
    __provider?: string;
}

/** What a job shows; absent where the API says null. */
export interface AgentJobOutputs {
    jobId?: string;
    status?: string;
    prLink?: string;
    sourceRepository?: string;
    sourceRef?: string;
    model?: string;
    createdAt?: string;
    archivedAt?: string;
}

/** What Pulumi stores: the inputs of the last change and what it yielded. */
export interface AgentJobState extends AgentJobInputs, AgentJobOutputs {
    /** A job that works on this change, and whose end is not here yet: the next update waits for it. */
    pendingJobId?: string;
}

export const defaultTimeoutSeconds = 3600;

/** Null becomes absent: Pulumi's wire format takes no undefined, and programs no null. */
export function outputsOf({ id, status, prLink, source, model, createdAt, archivedAt }: AgentJob): AgentJobOutputs {
    const outputs = {
        jobId: id,
        status,
        prLink,
        sourceRepository: source.repository,
        sourceRef: source.ref,
        model,
        createdAt,
        archivedAt,
    };
    return Object.fromEntries(Object.entries(outputs).filter(([, value]) => value !== null));
}

export function currentJobOf({ pendingJobId, jobId }: AgentJobState): string | undefined {
    return pendingJobId ?? jobId;
}

/** What an update has to do; undefined when there is nothing to do. */
export type AgentJobChange = "new-job" | "message" | "other-job" | "resume";

/** Compares what is stored with what is declared, given that the project is the same. Makes no request. */
export function changeOf(olds: AgentJobState, news: AgentJobInputs): AgentJobChange | undefined {
    const currentId = currentJobOf(olds);
    if (news.jobId !== undefined && news.jobId !== currentId) {
        return "other-job";
    }
    if (!isDeepStrictEqual(olds.triggers, news.triggers) || currentId === undefined) {
        return "new-job";
    }
    if (olds.prompt !== news.prompt) {
        return "message";
    }
    return olds.pendingJobId === undefined ? undefined : "resume";
}
