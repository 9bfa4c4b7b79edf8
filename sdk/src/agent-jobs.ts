import type { AgentJob } from "./agent-job.js";
import type { CallOptions, WaitOptions } from "./call-options.js";

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
