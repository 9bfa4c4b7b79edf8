import { HttpError, JobFailedError } from "@pulumi-static-export/sdk";

/** Whether to stop waiting: the job failed, or the platform does not have it. */
export function isLost(error: unknown): error is JobFailedError | HttpError {
    return error instanceof JobFailedError || isGone(error);
}

/** Whether the platform does not have the job. */
export function isGone(error: unknown): error is HttpError {
    return error instanceof HttpError && error.status === 404;
}

/** A job was started, but has no result yet. The next update resumes the job. */
export class PendingJobError extends Error {
    override readonly name = "PendingJobError";

    constructor(
        readonly jobId: string,
        override readonly cause: unknown,
    ) {
        super(cause instanceof Error ? cause.message : String(cause), { cause });
    }
}
