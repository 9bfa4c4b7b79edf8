import type { dynamic } from "@pulumi/pulumi";
import { SavedFailure } from "../saved-failure.js";
import { isGone, isLost } from "./lost-job.js";
import { explain, explainPending, explainRefresh, type FindKeySource, type JobWords } from "./next-step.js";
import { PendingJobError } from "./pending-job-error.js";
import type { JobRuntime } from "./runtime.js";

/** What the state of every resource that runs jobs holds. */
export interface JobState {
    jobId?: string;
    /** A job that was started or adopted and whose result is not here yet: the next update resumes it. */
    pendingJobId?: string;
}

/**
 * Looks at the job of a resource for a refresh. Only 404 means that the resource is gone: every other error is one, so
 * that an expired key never deletes anything from the state.
 *
 * @param look - asks the platform for the job, and gives what the state holds then
 */
export async function readJob<State extends JobState>(
    runtime: JobRuntime,
    { id, props, subjectOf }: { id: string; props: State; subjectOf: (jobId: string) => string },
    look: (jobId: string) => Promise<State>,
): Promise<dynamic.ReadResult<State>> {
    const jobId = props.pendingJobId ?? props.jobId;
    if (jobId === undefined) {
        return { id, props };
    }
    try {
        return { id, props: await look(jobId) };
    } catch (error) {
        if (isGone(error)) {
            await runtime.journal.forget(jobId);
            return { id: "" };
        }
        throw explainRefresh(error, subjectOf(jobId), () => runtime.connect().keySource);
    }
}

export interface FailedRun {
    id: string;
    /** The job that the program names. */
    namedJobId: string | undefined;
    /** The job for which the run was to wait on. */
    resumedJobId?: string | undefined;
    words: JobWords;
    keySource: FindKeySource;
    /** The state of a run whose job goes on, but for the job itself. */
    statePending(): object;
    /** The state of a resource whose pending job is lost. */
    stateLost?(): object;
}

/**
 * What a create or an update throws when its run failed: a failure that Pulumi saves, where the next update has to know
 * of a job, and else one that changes nothing.
 */
export function failureOf(error: unknown, run: FailedRun): Error {
    const { id, namedJobId, resumedJobId, words, keySource } = run;
    if (error instanceof PendingJobError) {
        const state = definedOf({ ...run.statePending(), pendingJobId: error.jobId });
        return new SavedFailure(id, state, explainPending(error.cause, error.jobId, keySource));
    }
    const lostJobId = isLost(error) ? error.jobId : undefined;
    const explained = explain(error, namedJobId, words, keySource);
    // Without this the next update would resume the lost job again, and fail again.
    return run.stateLost !== undefined && lostJobId !== undefined && lostJobId === resumedJobId
        ? new SavedFailure(id, definedOf(run.stateLost()), explained)
        : explained;
}

/** Pulumi's wire format takes no undefined. */
function definedOf(value: object): { __provider?: string } {
    return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}
