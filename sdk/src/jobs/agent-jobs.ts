import { agentJobStatuses } from "@pulumi-static-export/contract";
import { ApiCalls } from "../http/admin-api.js";
import type { ApiCall } from "../http/api-call.js";
import {
    type PlatformAgentJob,
    type AgentJobLog,
    type AgentJobRecord,
    decodeAgentJob,
    decodeAgentJobLog,
    decodeAgentJobRecords,
    terminalAgentJobStatuses,
} from "./agent-job.js";
import type { CallOptions, Replayable, StartOptions, WaitOptions } from "../http/call-options.js";
import type { Clock } from "../time/clock.js";
import { pathSegment } from "../http/settings.js";
import { type JobKind, waitForJob } from "../polling/wait-for-job.js";

/** How to wait for an agent job. */
export interface AgentWaitOptions extends WaitOptions<PlatformAgentJob> {
    /**
     * Whether a failed job rejects. Otherwise, a failed job is a result.
     * @default false
     */
    rejectFailed?: boolean | undefined;
    /**
     * Set this after a message, because the job may still show its earlier status for a moment. `completed` and
     * `failed` then count only after another status was seen, or after 15 seconds; `archived` counts immediately.
     * @default false
     */
    afterMessage?: boolean | undefined;
}

/** How long a job may still show its earlier status after a message. */
const staleEndMs = 15_000;

const agentJobKind: JobKind<PlatformAgentJob> = {
    statusOf: (job) => job.status,
    progressOf: () => undefined,
    reasonOf: () => undefined,
    terminal: terminalAgentJobStatuses,
    known: new Set(agentJobStatuses),
    failed: "failed",
};

/**
 * The agent jobs of the admin API (docs/reference/admin-api.md, "AgentJob"; for create and sendMessage "What the public
 * platform adds").
 */
export class AgentJobs extends ApiCalls {
    /** Gets the current job. Retried. */
    async get(projectId: string, id: string, options: CallOptions = {}): Promise<PlatformAgentJob> {
        return this.api.repeat(jobCall("GET", projectId, id), options);
    }

    /**
     * Creates exactly one agent job.
     * @throws AmbiguousStartError when a job may or may not have been created
     */
    async create(
        projectId: string,
        { prompt }: { prompt: string },
        options: StartOptions = {},
    ): Promise<PlatformAgentJob & Replayable> {
        const context = { subject: "agent", projectId } as const;
        const path = `/v2/agent/${pathSegment("projectId", projectId)}/job`;
        return this.api.start({ context, method: "POST", path, body: { prompt }, decode: decodeAgentJob }, options);
    }

    /**
     * Sends a message to a job exactly once.
     * @throws AmbiguousStartError when the message may or may not have arrived
     */
    async sendMessage(
        projectId: string,
        id: string,
        { prompt }: { prompt: string },
        options: StartOptions = {},
    ): Promise<PlatformAgentJob & Replayable> {
        return this.api.start({ ...jobCall("POST", projectId, id, "/message"), body: { prompt } }, options);
    }

    /**
     * Polls until the job is completed, archived or failed.
     * @throws JobFailedError when the job failed, only with `rejectFailed`
     * @throws PollTimeoutError at the deadline; the job keeps running
     */
    async pollUntilDone(projectId: string, id: string, options: AgentWaitOptions = {}): Promise<PlatformAgentJob> {
        return waitForJob(this.api, jobCall("GET", projectId, id), agentJobKind, options, {
            isFinal: options.afterMessage ? createStaleEndFilter(this.api.clock) : () => true,
            isFailureThrown: options.rejectFailed ?? false,
        });
    }

    /**
     * Stops a job's agent, and then archives the job. Retried. Only this project's own service supports this call:
     * other platforms answer 404.
     */
    async archive(projectId: string, id: string, options: CallOptions = {}): Promise<PlatformAgentJob> {
        return this.api.repeat(jobCall("POST", projectId, id, "/archive"), options);
    }

    /**
     * Lists the jobs that the service still stores, the newest first. Retried. Only this project's own service supports
     * this call.
     * @param filter.project - only jobs of this project @default all projects of the key
     * @param filter.limit - how many, 1 to 1,000 @default 20
     */
    async list(
        filter: { project?: string | undefined; status?: string | undefined; limit?: number } = {},
        options: CallOptions = {},
    ): Promise<AgentJobRecord[]> {
        const { project, status, limit = 20 } = filter;
        const query = { ...(project && { project }), ...(status && { status }), limit: String(limit) };
        const path = `/v2/agent/jobs?${new URLSearchParams(query).toString()}`;
        const context = { subject: "agent", projectId: project } as const;
        return this.api.repeat({ context, method: "GET", path, decode: decodeAgentJobRecords }, options);
    }

    /**
     * Gets the log of a job's agent, at most 256 kB at once. Retried. Only this project's own service supports this call.
     * @param fromByte - where the part begins @default 0
     */
    async log(projectId: string, id: string, fromByte = 0, options: CallOptions = {}): Promise<AgentJobLog> {
        const call = jobCall("GET", projectId, id, `/log?from=${fromByte}`);
        return this.api.repeat({ ...call, decode: decodeAgentJobLog }, options);
    }
}

function jobCall(method: "GET" | "POST", projectId: string, id: string, rest = ""): ApiCall<PlatformAgentJob> {
    return {
        context: { subject: "agent", projectId, jobId: id },
        method,
        path: `/v2/agent/${pathSegment("projectId", projectId)}/job/${pathSegment("id", id)}${rest}`,
        decode: decodeAgentJob,
    };
}

/** Creates a filter that accepts only a terminal status that the job has reached since the message. */
function createStaleEndFilter(clock: Clock): (job: PlatformAgentJob) => boolean {
    const startedMs = clock.now();
    let wasActive = false;
    return ({ status }) => {
        wasActive ||= !terminalAgentJobStatuses.has(status);
        return wasActive || status === "archived" || clock.now() - startedMs >= staleEndMs;
    };
}
