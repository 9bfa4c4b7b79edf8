import type { dynamic } from "@pulumi/pulumi";
import { definedOnly } from "../engine/defined-only.js";
import { SavedFailure } from "../engine/saved-failure.js";
import { askTwice, isGone, isLost, PendingJobError } from "./job-errors.js";
import { explain, explainPending, explainRefresh, type FindKeySource, type JobWords } from "./explain-failure.js";
import type { JobRuntime } from "./runtime.js";
import { forgetSavedJobs } from "./saved-jobs.js";

/** The common properties in the states of all resources that run jobs. */
interface JobState {
    jobId?: string;
    /** The job of the last change, until the job has a result: the next update resumes it. */
    pendingJobId?: string;
}

/**
 * Reads the job of a resource for a refresh. Only the platform's own 404, asked twice, means that the resource is
 * gone. Everything else is an error, so that neither an expired key nor a gateway removes a resource from the state.
 *
 * @param isKept - whether to keep the state of a job that is gone, because its completed work must not be repeated
 * @param refresh - requests the job from the platform and returns the new state
 */
export async function readJob<State extends JobState>(
    runtime: JobRuntime,
    {
        id,
        props,
        subjectOf,
        isKept = false,
    }: { id: string; props: State; subjectOf: (jobId: string) => string; isKept?: boolean },
    refresh: (jobId: string) => Promise<State>,
): Promise<dynamic.ReadResult<State>> {
    const jobId = props.pendingJobId ?? props.jobId;
    if (jobId === undefined) {
        return { id, props };
    }
    try {
        return { id, props: await askTwice(runtime, () => refresh(jobId)) };
    } catch (error) {
        if (isGone(error)) {
            await forgetSavedJobs(runtime, [jobId]);
            return isKept ? { id, props } : { id: "" };
        }
        throw explainRefresh(error, subjectOf(jobId), () => runtime.connect().keySource);
    }
}

export interface FailedRun {
    id: string;
    /** The job that the program sets. */
    namedJobId: string | undefined;
    /** The pending job that the run resumed. */
    resumedJobId?: string | undefined;
    words: JobWords;
    keySource: FindKeySource;
    /** Returns the state of a run whose job is still in progress, without `pendingJobId`. */
    statePending(): { __provider?: string };
    /** Returns the state of a resource whose pending job is lost. */
    stateLost?(): { __provider?: string };
}

/**
 * Returns the error that a create or an update throws when its run failed. If the next update needs a job's id, Pulumi
 * saves the id with the failure; otherwise the failure does not change the state.
 */
export function failureOf(error: unknown, run: FailedRun): Error {
    const { id, namedJobId, resumedJobId, words, keySource } = run;
    if (error instanceof PendingJobError) {
        const state = definedOnly({ ...run.statePending(), pendingJobId: error.jobId });
        return new SavedFailure(id, state, explainPending(error.cause, error.jobId, keySource));
    }
    const lostJobId = isLost(error) ? error.jobId : undefined;
    const explained = explain(error, namedJobId, words, keySource);
    // Otherwise the next update would resume the lost job and fail again.
    return run.stateLost !== undefined && lostJobId !== undefined && lostJobId === resumedJobId
        ? new SavedFailure(id, definedOnly(run.stateLost()), explained)
        : explained;
}
