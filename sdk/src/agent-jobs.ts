import type { AdminApi, ApiCall } from "./admin-api.js";
import { type AgentJob, decodeAgentJob, knownAgentJobStatuses, terminalAgentJobStatuses } from "./agent-job.js";
import type { CallOptions, WaitOptions } from "./call-options.js";
import { pathSegment } from "./path-segment.js";
import { type JobKind, waitForJob } from "./wait-for-job.js";

/** The agent jobs of the admin API (admin-api.md, "AgentJob"; create and sendMessage: published-api.md). */
export interface AgentJobs {
    /** The job as it is now. Retried. */
    get(projectId: string, id: string, options?: CallOptions): Promise<AgentJob>;
    /**
     * Creates one agent job, and never a second one.
     * @throws AmbiguousStartError when a job may or may not have been created
     */
    create(projectId: string, request: { prompt: string }, options?: CallOptions): Promise<AgentJob>;
    /**
     * Sends one message to a job, and never twice.
     * @throws AmbiguousStartError when the message may or may not have arrived
     */
    sendMessage(projectId: string, id: string, request: { prompt: string }, options?: CallOptions): Promise<AgentJob>;
    /**
     * Polls until the job is completed or archived.
     * @throws JobFailedError when the job ended `failed`
     * @throws PollTimeoutError at the deadline; the job goes on
     */
    pollUntilDone(projectId: string, id: string, options?: WaitOptions<AgentJob>): Promise<AgentJob>;
}

const agentJobKind: JobKind<AgentJob> = {
    statusOf: (job) => job.status,
    progressOf: () => undefined,
    reasonOf: () => undefined,
    terminal: terminalAgentJobStatuses,
    known: knownAgentJobStatuses,
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
            waitForJob(api, statusCall(projectId, id), agentJobKind, options),
    };
}
