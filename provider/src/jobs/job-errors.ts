import { HttpError, JobFailedError } from "@pulumi-static-export/sdk";
import { absenceCheckMs } from "@pulumi-static-export/sdk/internal";
import type { JobRuntime } from "./runtime.js";

/** Whether to stop waiting: the job failed, or the platform does not have it. */
export function isLost(error: unknown): error is JobFailedError | HttpError {
    return error instanceof JobFailedError || isGone(error);
}

/** Whether the platform itself says that it does not have the job: a gateway's 404 says nothing about it. */
export function isGone(error: unknown): error is HttpError {
    return error instanceof HttpError && error.status === 404 && error.isOfApi;
}

/** Asks again after a while if the platform says that it does not have a job, before anybody relies on that. */
export async function askTwice<T>(
    { clock, signal }: Pick<JobRuntime, "clock" | "signal">,
    ask: () => Promise<T>,
): Promise<T> {
    try {
        return await ask();
    } catch (error) {
        if (!isGone(error)) {
            throw error;
        }
    }
    await clock.sleep(absenceCheckMs, signal);
    return ask();
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
