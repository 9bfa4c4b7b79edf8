import { input, output, type OutputsOf } from "../engine/resource-outputs.js";
import type { PlatformAgentJob } from "@pulumi-static-export/sdk";
import { definedOnly } from "../engine/defined-only.js";
import type { InputsOf } from "../engine/resource-inputs.js";
import { isSameValue } from "@pulumi-static-export/contract";
import type { agentJobInputs } from "./check.js";

export type AgentJobInputs = InputsOf<typeof agentJobInputs>;

export const agentJobOutputs = {
    projectId: input<string>(),
    prompt: input<string>(),
    /** The id of the agent job. */
    jobId: output<string>(),
    /** `completed`, `archived`, or with `failOnFailedJob: false` also `failed`. */
    status: output<string>(),
    /** URL of the pull request. Undefined if there is none. */
    prLink: output<string | undefined>(),
    /** Full URL of the repository. */
    sourceRepository: output<string>(),
    /** The branch that the agent works on, if the platform reports it. */
    sourceRef: output<string | undefined>(),
    /** The AI model that was used. */
    model: output<string>(),
    /** When the job was created, RFC 3339. */
    createdAt: output<string>(),
    /** When the job was archived, RFC 3339. */
    archivedAt: output<string | undefined>(),
};

/** Absent where the API returns null. */
export type AgentJobOutputs = Partial<OutputsOf<typeof agentJobOutputs>>;

/** The state: the inputs and outputs of the last change. */
export interface AgentJobState extends AgentJobInputs, AgentJobOutputs {
    /** The job of this change, while it has not ended: the next update waits for it. */
    pendingJobId?: string;
}

/** Omits null fields: programs expect undefined, which Pulumi's wire format cannot carry. */
export function outputsOf({
    id,
    status,
    prLink,
    source,
    model,
    createdAt,
    archivedAt,
}: PlatformAgentJob): AgentJobOutputs {
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
