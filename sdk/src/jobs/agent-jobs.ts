import type { AdminApi } from "../http/admin-api.js";
import type { ApiCall } from "../http/api-call.js";
import {
    type AgentJob,
    type AgentJobLog,
    type AgentJobRecord,
    decodeAgentJob,
    decodeAgentJobLog,
    decodeAgentJobRecords,
    knownAgentJobStatuses,
    terminalAgentJobStatuses,
} from "./agent-job.js";
import type { CallOptions, Replayable, StartOptions, WaitOptions } from "../http/call-options.js";
import type { Clock } from "../time/clock.js";
import { pathSegment } from "../http/settings.js";
import { type JobKind, waitForJob } from "../polling/wait-for-job.js";

/**
 * The agent jobs of the admin API (docs/reference/admin-api.md, "AgentJob"; for create and sendMessage "What the public
 * platform adds").
 */
export interface AgentJobs {
    /** Gets the current job. Retried. */
    get(projectId: string, id: string, options?: CallOptions): Promise<AgentJob>;
    /**
     * Creates exactly one agent job.
     * @throws AmbiguousStartError when a job may or may not have been created
     */
    create(projectId: string, request: { prompt: string }, options?: StartOptions): Promise<AgentJob & Replayable>;
    /**
     * Sends a message to a job exactly once.
     * @throws AmbiguousStartError when the message may or may not have arrived
     */
    sendMessage(
        projectId: string,
        id: string,
        request: { prompt: string },
        options?: StartOptions,
    ): Promise<AgentJob & Replayable>;
    /**
     * Polls until the job is completed, archived or failed.
     * @throws JobFailedError when the job failed, only with `rejectFailed`
     * @throws PollTimeoutError at the deadline; the job keeps running
     */
    pollUntilDone(projectId: string, id: string, options?: AgentWaitOptions): Promise<AgentJob>;
    /**
     * Stops a job's agent, and then archives the job. Retried. Only this project's own service supports this call:
     * other platforms answer 404.
     */
    archive(projectId: string, id: string, options?: CallOptions): Promise<AgentJob>;
    /**
     * Lists the jobs that the service still stores, the newest first. Retried. Only this project's own service supports
     * this call.
     * @param filter.project - only jobs of this project @default all projects of the key
     * @param filter.limit - how many, 1 to 1,000 @default 20
     */
    list(
        filter?: { project?: string | undefined; status?: string | undefined; limit?: number },
        options?: CallOptions,
    ): Promise<AgentJobRecord[]>;
    /**
     * Gets the log of a job's agent, at most 256 kB at once. Retried. Only this project's own service supports this call.
     * @param fromByte - where the part begins @default 0
     */
    log(projectId: string, id: string, fromByte?: number, options?: CallOptions): Promise<AgentJobLog>;
}

/** How to wait for an agent job. */
export interface AgentWaitOptions extends WaitOptions<AgentJob> {
    /**
     * Whether a failed job rejects.
     * @default false: a failed job is a result
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

const agentJobKind: JobKind<AgentJob> = {
    statusOf: (job) => job.status,
    progressOf: () => undefined,
    reasonOf: () => undefined,
    terminal: terminalAgentJobStatuses,
    known: knownAgentJobStatuses,
    failed: "failed",
};

export function createAgentJobs(api: AdminApi): AgentJobs {
    const jobPath = (projectId: string, id?: string) =>
        `/v2/agent/${pathSegment("projectId", projectId)}/job${id === undefined ? "" : `/${pathSegment("id", id)}`}`;
    const statusCall = (projectId: string, id: string): ApiCall<AgentJob> => ({
        context: { subject: "agent", projectId, jobId: id },
        method: "GET",
        path: jobPath(projectId, id),
        decode: decodeAgentJob,
    });
    return {
        get: async (projectId, id, options = {}) => api.repeat(statusCall(projectId, id), options),
        create: async (projectId, { prompt }, options = {}) =>
            api.start(
                {
                    context: { subject: "agent", projectId },
                    method: "POST",
                    path: jobPath(projectId),
                    body: { prompt },
                    decode: decodeAgentJob,
                },
                options,
            ),
        sendMessage: async (projectId, id, { prompt }, options = {}) =>
            api.start(
                {
                    context: { subject: "agent", projectId, jobId: id },
                    method: "POST",
                    path: `${jobPath(projectId, id)}/message`,
                    body: { prompt },
                    decode: decodeAgentJob,
                },
                options,
            ),
        pollUntilDone: async (projectId, id, options = {}) =>
            waitForJob(api, statusCall(projectId, id), agentJobKind, options, {
                isFinal: options.afterMessage ? createStaleEndFilter(api.clock) : () => true,
                isFailureThrown: options.rejectFailed ?? false,
            }),
        archive: async (projectId, id, options = {}) =>
            api.repeat<AgentJob>(
                {
                    context: { subject: "agent", projectId, jobId: id },
                    method: "POST",
                    path: `${jobPath(projectId, id)}/archive`,
                    decode: decodeAgentJob,
                },
                options,
            ),
        list: async ({ project, status, limit = 20 } = {}, options = {}) => {
            const filter = { ...(project && { project }), ...(status && { status }), limit: String(limit) };
            return api.repeat<AgentJobRecord[]>(
                {
                    context: { subject: "agent", projectId: project },
                    method: "GET",
                    path: `/v2/agent/jobs?${new URLSearchParams(filter).toString()}`,
                    decode: decodeAgentJobRecords,
                },
                options,
            );
        },
        log: async (projectId, id, fromByte = 0, options = {}) =>
            api.repeat<AgentJobLog>(
                {
                    context: { subject: "agent", projectId, jobId: id },
                    method: "GET",
                    path: `${jobPath(projectId, id)}/log?from=${fromByte}`,
                    decode: decodeAgentJobLog,
                },
                options,
            ),
    };
}

/** Creates a filter that accepts only a terminal status that the job has reached since the message. */
function createStaleEndFilter(clock: Clock): (job: AgentJob) => boolean {
    const startedMs = clock.now();
    let wasActive = false;
    return ({ status }) => {
        wasActive ||= !terminalAgentJobStatuses.has(status);
        return wasActive || status === "archived" || clock.now() - startedMs >= staleEndMs;
    };
}
