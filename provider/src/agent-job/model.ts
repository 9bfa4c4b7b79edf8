import type { AgentJob } from "@pulumi-static-export/sdk";
import { definedOnly } from "../engine/defined-only.js";
import type { InputsOf } from "../engine/resource-inputs.js";
import { isSameValue } from "@pulumi-static-export/contract";
import type { agentJobInputs } from "./check.js";

export type AgentJobInputs = InputsOf<typeof agentJobInputs>;

export const agentJobOutputs = [
    "jobId",
    "status",
    "prLink",
    "sourceRepository",
    "sourceRef",
    "model",
    "createdAt",
    "archivedAt",
] as const;

/** Absent where the API returns null. */
export type AgentJobOutputs = { [Name in (typeof agentJobOutputs)[number]]?: string };

/** The state: the inputs and outputs of the last change. */
export interface AgentJobState extends AgentJobInputs, AgentJobOutputs {
    /** The job of this change, while it has not ended: the next update waits for it. */
    pendingJobId?: string;
}

/** Omits null fields: programs expect undefined, which Pulumi's wire format cannot carry. */
export function outputsOf({ id, status, prLink, source, model, createdAt, archivedAt }: AgentJob): AgentJobOutputs {
    const { repository: sourceRepository, ref: sourceRef } = source;
    return definedOnly({ jobId: id, status, prLink, sourceRepository, sourceRef, model, createdAt, archivedAt });
}

export function currentJobOf({ pendingJobId, jobId }: AgentJobState): string | undefined {
    return pendingJobId ?? jobId;
}

/** The steps of an update. */
type AgentJobChange = "new-job" | "message" | "other-job" | "resume";

/**
 * Compares state and inputs. Returns undefined if there is nothing to do. The project must be the same. Makes no
 * request.
 */
export function changeOf(olds: AgentJobState, news: AgentJobInputs): AgentJobChange | undefined {
    const currentId = currentJobOf(olds);
    if (news.jobId !== undefined && news.jobId !== currentId) {
        return "other-job";
    }
    const haveTriggersChanged = !isSameValue(olds.triggers, news.triggers);
    // A job that the program sets is never replaced by another job.
    if (currentId === undefined || (haveTriggersChanged && news.jobId === undefined)) {
        return "new-job";
    }
    if (olds.prompt !== news.prompt) {
        return "message";
    }
    return olds.pendingJobId !== undefined || haveTriggersChanged ? "resume" : undefined;
}
