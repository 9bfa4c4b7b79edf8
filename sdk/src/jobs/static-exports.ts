import type { AdminApi } from "../http/admin-api.js";
import type { ApiCall } from "../http/api-call.js";
import type { CallOptions, ExportCallOptions, Replayable, StartOptions, WaitOptions } from "../http/call-options.js";
import { HttpError } from "../errors/index.js";
import { pathSegment } from "../http/settings.js";
import {
    decodeStartedStaticExportJob,
    decodeStaticExportDetails,
    decodeStaticExportBundle,
    decodeStaticExportJob,
    decodeStaticExportRecords,
    knownStaticExportJobStatuses,
    type StartedStaticExportJob,
    type StaticExportBundle,
    type StaticExportDetails,
    type StaticExportJob,
    type StaticExportRecord,
    terminalStaticExportJobStatuses,
} from "./static-export-job.js";
import { type JobKind, waitForJob } from "../polling/wait-for-job.js";

/** What to export. */
export interface StartStaticExport {
    /** Host name of the documentation site: no scheme, port, path or trailing slash. */
    domain: string;
    /** Label of this export. By default, the server exports the latest published version. */
    version?: string | undefined;
    /** Page paths. By default, the server exports every published page. */
    paths?: readonly string[] | undefined;
}

/** Which jobs are listed. */
export interface StaticExportFilter {
    /** @default all domains that the key may see */
    domain?: string | undefined;
    /** `queued`, `running`, `completed` or `failed`. @default all */
    status?: string | undefined;
    /** How many, 1 to 1,000. @default 20 */
    limit?: number | undefined;
}

/** The export jobs of the admin API (docs/reference/admin-api.md, "Static export job"). */
export interface StaticExports {
    /**
     * Starts one export job, and never a second one. The request is retried if it provably did not start a job (no
     * connection, or 429). If the response was lost, the request is retried only if the server's
     * `Idempotency-Key-Max-Age` shows that the server honours the key. After an abort of a sent request, it is unknown
     * whether a job was started.
     * @throws AmbiguousStartError when a job may or may not have been started
     */
    start(request: StartStaticExport, options?: StartOptions): Promise<StartedStaticExportJob & Replayable>;
    /**
     * Lists the jobs that the server still stores, the newest first. Retried. Not part of the contract: only the
     * self-hosted service supports this call.
     */
    list(filter?: StaticExportFilter, options?: CallOptions): Promise<StaticExportRecord[]>;
    /**
     * Gets the key, the steps and the log of a job. Retried. Not part of the contract: only the self-hosted service
     * supports this call.
     */
    details(jobId: string, options?: CallOptions): Promise<StaticExportDetails>;
    /** Gets the current job. Retried. */
    get(jobId: string, options?: ExportCallOptions): Promise<StaticExportJob>;
    /**
     * Cancels a job. A queued job ends immediately; a running job stops within seconds, and its status is `running`
     * until then. A cancelled job is `failed`, and its error says who cancelled it. Retried, because a second
     * cancellation has no effect. Not part of the contract: only the self-hosted service supports this call.
     * @throws HttpError with status 409 when the job has already ended
     */
    cancel(jobId: string, options?: CallOptions): Promise<StaticExportJob>;
    /** Creates a fresh link to the archive of a completed job. Retried; after a 409, for a limited time only. */
    createBundle(jobId: string, options?: ExportCallOptions): Promise<StaticExportBundle>;
    /**
     * Polls until the job is completed: immediately, then at intervals that follow the job's own progress. Transient
     * errors are retried until the deadline; a response such as 401, 403 or 404 ends the wait.
     * @throws JobFailedError when the job failed
     * @throws PollTimeoutError at the deadline; the job keeps running
     */
    pollUntilDone(
        jobId: string,
        options?: WaitOptions<StaticExportJob> & { domain?: string | undefined },
    ): Promise<StaticExportJob>;
}

const jobsPath = "/v1/static-export/jobs";
/** How long a 409 is retried: the server may not have noticed yet that the job has finished. */
const conflictWindowMs = 30_000;

const exportJobKind: JobKind<StaticExportJob> = {
    statusOf: (job) => job.status,
    progressOf: (job) => job.progress,
    reasonOf: (job) => job.error,
    terminal: terminalStaticExportJobStatuses,
    known: knownStaticExportJobStatuses,
    failed: "failed",
};

export function createStaticExports(api: AdminApi): StaticExports {
    const statusCall = (jobId: string, domain: string | undefined): ApiCall<StaticExportJob> => ({
        context: { subject: "export", jobId, domain },
        method: "GET",
        path: `${jobsPath}/${pathSegment("jobId", jobId)}`,
        decode: (answer, clean) => decodeStaticExportJob(answer, clean, jobId),
    });
    return {
        start: async ({ domain, version, paths }, options = {}) =>
            api.start<StartedStaticExportJob>(
                {
                    context: { subject: "export", domain },
                    method: "POST",
                    path: jobsPath,
                    body: { domain, version, paths },
                    decode: decodeStartedStaticExportJob,
                },
                options,
            ),
        list: async ({ domain, status, limit = 20 } = {}, options = {}) => {
            const filter = { ...(domain && { domain }), ...(status && { status }), limit: String(limit) };
            return api.repeat<StaticExportRecord[]>(
                {
                    context: { subject: "history", domain },
                    method: "GET",
                    path: `${jobsPath}?${new URLSearchParams(filter).toString()}`,
                    decode: decodeStaticExportRecords,
                },
                options,
            );
        },
        details: async (jobId, options = {}) =>
            api.repeat<StaticExportDetails>(
                {
                    context: { subject: "history", jobId },
                    method: "GET",
                    path: `${jobsPath}/${pathSegment("jobId", jobId)}/details`,
                    decode: (answer, clean) => decodeStaticExportDetails(answer, clean, jobId),
                },
                options,
            ),
        get: async (jobId, options = {}) => api.repeat(statusCall(jobId, options.domain), options),
        cancel: async (jobId, options = {}) =>
            api.repeat<StaticExportJob>(
                { ...statusCall(jobId, undefined), context: { subject: "cancel", jobId }, method: "DELETE" },
                options,
            ),
        createBundle: async (jobId, options = {}) =>
            api.repeat<StaticExportBundle>(
                {
                    context: { subject: "export", jobId, domain: options.domain },
                    method: "POST",
                    path: `${jobsPath}/${pathSegment("jobId", jobId)}/bundle`,
                    decode: (answer, clean, serverTimeMs) =>
                        decodeStaticExportBundle(answer, clean, jobId, serverTimeMs),
                },
                options,
                (error, elapsedMs) =>
                    error instanceof HttpError && error.status === 409 && elapsedMs < conflictWindowMs,
            ),
        pollUntilDone: async (jobId, options = {}) =>
            waitForJob(api, statusCall(jobId, options.domain), exportJobKind, options),
    };
}
