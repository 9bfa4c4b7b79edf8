/** `completed` and `failed` come from the contract, `queued` and `running` from the public platform. */
export type KnownStaticExportJobStatus = "queued" | "running" | "completed" | "failed";
/** A status that is not known is kept as it is: neither terminal nor a reason to poll faster. */
export type StaticExportJobStatus = KnownStaticExportJobStatus | (string & {});

export const knownStaticExportJobStatuses: ReadonlySet<string> = new Set(["queued", "running", "completed", "failed"]);

/** The statuses that end an export job: polling stops at one of these and at nothing else. */
export const terminalStaticExportJobStatuses: ReadonlySet<string> = new Set(["completed", "failed"]);

/** What `POST /v1/static-export/jobs` answers: the contract promises `jobId` alone, the public platform the whole job. */
export interface StartedStaticExportJob {
    jobId: string;
    status?: StaticExportJobStatus;
    /** Percent, 0 to 100. */
    progress?: number;
    pageCount?: number;
    /** RFC 3339 date-time. */
    createdAt?: string;
    /** RFC 3339 date-time. */
    updatedAt?: string;
    /** Why the job failed. */
    error?: string;
}

/** An export job as its status endpoint shows it. `jobId` is the one asked for when the server leaves it out. */
export interface StaticExportJob extends StartedStaticExportJob {
    status: StaticExportJobStatus;
}

/** What `POST /v1/static-export/jobs/{jobId}/bundle` answers. */
export interface StaticExportBundle {
    /** The one asked for when the server leaves it out. */
    jobId: string;
    /** Presigned: whoever has it has the archive. Treat it as a secret. */
    bundleUrl: string;
    /** RFC 3339 date-time. From the API, or else from the link itself; absent when neither says. */
    expiresAt?: string;
    /** Size of the archive in bytes. */
    sizeBytes?: number;
}
