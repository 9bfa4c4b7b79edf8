import { exportJobStatuses, type ExportRequest } from "@pulumi-static-export/contract";
import { ApiCalls } from "../http/admin-api.js";
import type { ApiCall } from "../http/api-call.js";
import type { CallOptions, ExportCallOptions, Replayable, StartOptions, WaitOptions } from "../http/call-options.js";
import { HttpError, JobFailedError, StaticExportError } from "../errors/index.js";
import { pathSegment } from "../http/settings.js";
import {
    decodeStartedStaticExportJob,
    decodeStaticExportDetails,
    decodeStaticExportBundle,
    decodeStaticExportJob,
    decodeStaticExportRecords,
    type StartedStaticExportJob,
    type BundleLink,
    type StaticExportDetails,
    type PlatformExportJob,
    type StaticExportRecord,
    terminalStaticExportJobStatuses,
} from "./static-export-job.js";
import { type JobKind, waitForJob } from "../polling/wait-for-job.js";

/** Which jobs are listed. */
export interface StaticExportFilter {
    /** @default all domains that the key may see */
    domain?: string | undefined;
    /** `queued`, `running`, `completed` or `failed`. @default all */
    status?: string | undefined;
    /** How many, 1 to 1,000. @default 20 */
    limit?: number | undefined;
}

const jobsPath = "/v1/static-export/jobs";
/** How long a 409 is retried: the server may not have noticed yet that the job has finished. */
const conflictWindowMs = 30_000;

const exportJobKind: JobKind<PlatformExportJob> = {
    statusOf: (job) => job.status,
    progressOf: (job) => job.progress,
    reasonOf: (job) => job.error,
    terminal: terminalStaticExportJobStatuses,
    known: new Set(exportJobStatuses),
    failed: "failed",
};

/** The export jobs of the admin API (docs/reference/admin-api.md, "Static export job"). */
export class StaticExports extends ApiCalls {
    /**
     * Starts one export job, and never a second one. The request is retried if it provably did not start a job (no
     * connection, or 429). If the response was lost, the request is retried only if the server's
     * `Idempotency-Key-Max-Age` shows that the server honours the key. After an abort of a sent request, it is unknown
     * whether a job was started.
     * @throws AmbiguousStartError when a job may or may not have been started
     */
    async start(body: ExportRequest, options: StartOptions = {}): Promise<StartedStaticExportJob & Replayable> {
        const context = { subject: "export", domain: body.domain } as const;
        return this.api.start(
            { context, method: "POST", path: jobsPath, body, decode: decodeStartedStaticExportJob },
            options,
        );
    }

    /**
     * Lists the jobs that the server still stores, the newest first. Retried. Not part of the contract: only the
     * self-hosted service supports this call.
     */
    async list(
        { domain, status, limit = 20 }: StaticExportFilter = {},
        options: CallOptions = {},
    ): Promise<StaticExportRecord[]> {
        const filter = { ...(domain && { domain }), ...(status && { status }), limit: String(limit) };
        const path = `${jobsPath}?${new URLSearchParams(filter).toString()}`;
        const context = { subject: "history", domain } as const;
        return this.api.repeat({ context, method: "GET", path, decode: decodeStaticExportRecords }, options);
    }

    /**
     * Gets the key, the steps and the log of a job. Retried. Not part of the contract: only the self-hosted service
     * supports this call.
     */
    async details(jobId: string, options: CallOptions = {}): Promise<StaticExportDetails> {
        return this.api.repeat(
            {
                context: { subject: "history", jobId },
                method: "GET",
                path: `${pathOf(jobId)}/details`,
                decode: (answer, clean) => decodeStaticExportDetails(answer, clean, jobId),
            },
            options,
        );
    }

    /** Gets the current job. Retried. */
    async get(jobId: string, options: ExportCallOptions = {}): Promise<PlatformExportJob> {
        return this.api.repeat(statusCall(jobId, options.domain), options);
    }

    /**
     * Cancels a job. A queued job ends immediately; a running job stops within seconds, and its status is `running`
     * until then. A cancelled job is `failed`, and its error says who cancelled it. Retried, because a second
     * cancellation has no effect. Not part of the contract: only the self-hosted service supports this call.
     * @param options - `reason` becomes part of the job's error
     * @throws HttpError with status 409 when the job has already ended
     */
    async cancel(
        jobId: string,
        options: CallOptions & { reason?: string | undefined } = {},
    ): Promise<PlatformExportJob> {
        const { path, ...call } = statusCall(jobId, undefined);
        const { reason } = options;
        return this.api.repeat(
            {
                ...call,
                context: { subject: "cancel", jobId },
                method: "DELETE",
                path: reason === undefined ? path : `${path}?${new URLSearchParams({ reason }).toString()}`,
            },
            options,
        );
    }

    /**
     * Creates a fresh link to the archive of a completed job. Retried; after a 409, for a limited time only.
     * @throws JobFailedError when the job failed, which it also may do after it was completed: a job whose bundle was
     * damaged runs again
     */
    async createBundle(jobId: string, options: ExportCallOptions = {}): Promise<BundleLink> {
        return this.api.repeat(
            {
                context: { subject: "export", jobId, domain: options.domain },
                method: "POST",
                path: `${pathOf(jobId)}/bundle`,
                decode: (answer, clean, serverTimeMs) => decodeStaticExportBundle(answer, clean, jobId, serverTimeMs),
            },
            options,
            async (error, elapsedMs) => {
                if (!isConflict(error)) {
                    return false;
                }
                await this.#assertNotFailed(jobId, options);
                return elapsedMs < conflictWindowMs;
            },
        );
    }

    /** A job that cannot be read may be in any status. */
    async #assertNotFailed(jobId: string, options: ExportCallOptions): Promise<void> {
        const call = statusCall(jobId, options.domain);
        const job = await this.api.repeat(call, options).catch((error: unknown) => {
            if (error instanceof StaticExportError) {
                return undefined;
            }
            throw error;
        });
        if (job?.status === exportJobKind.failed) {
            throw new JobFailedError(this.api.contextOf(call), job.error);
        }
    }

    /**
     * Polls until the job is completed: immediately, then at intervals that follow the job's own progress. Transient
     * errors are retried until the deadline; a response such as 401, 403 or 404 ends the wait.
     * @throws JobFailedError when the job failed
     * @throws PollTimeoutError at the deadline; the job keeps running
     */
    async pollUntilDone(
        jobId: string,
        options: WaitOptions<PlatformExportJob> & { domain?: string | undefined } = {},
    ): Promise<PlatformExportJob> {
        return waitForJob(this.api, statusCall(jobId, options.domain), exportJobKind, options);
    }
}

/** Whether the server says that the job has no archive at the moment. */
export function isConflict(error: unknown): boolean {
    return error instanceof HttpError && error.status === 409;
}

function pathOf(jobId: string): string {
    return `${jobsPath}/${pathSegment("jobId", jobId)}`;
}

function statusCall(jobId: string, domain: string | undefined): ApiCall<PlatformExportJob> {
    return {
        context: { subject: "export", jobId, domain },
        method: "GET",
        path: pathOf(jobId),
        decode: (answer, clean) => decodeStaticExportJob(answer, clean, jobId),
    };
}
