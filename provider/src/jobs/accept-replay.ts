import { JobLog } from "../host/job-log.js";
import { findRefusal, lookAt } from "./find-refusal.js";
import type { JobTask } from "./job-task.js";
import type { JobRuntime } from "./runtime.js";

/**
 * Whether to adopt the job that the platform found by the key of a start: another machine may have started it a moment or
 * a week ago. Says so to the user.
 *
 * @param found.mayBeOwn - whether this run may have started it, with a request whose answer was lost: then what becomes of
 * it is the result of this run, and no reason to start another one
 */
export async function acceptReplay(
    runtime: JobRuntime,
    task: JobTask,
    found: { jobId: string; mayBeOwn: boolean },
): Promise<boolean> {
    const { jobId } = found;
    const refusal = await findReplayRefusal(runtime, task, found);
    const log = new JobLog(
        task.subject,
        jobId,
        (line) => runtime.log(line),
        () => runtime.clock.now(),
    );
    log.say(
        refusal === undefined
            ? "adopted: the platform found it by the Idempotency-Key of this start, and started no other"
            : `the platform found this job by the Idempotency-Key of this start, but ${refusal}`,
    );
    return refusal === undefined;
}

async function findReplayRefusal(
    { journal, clock }: JobRuntime,
    task: JobTask,
    { jobId, mayBeOwn }: { jobId: string; mayBeOwn: boolean },
): Promise<string | undefined> {
    if (journal.savedJobs.has(jobId)) {
        return "its result is saved already";
    }
    // The wait reports what keeps this run from looking at its own job.
    const job = await (mayBeOwn ? lookAt(task, jobId).catch(() => undefined) : lookAt(task, jobId));
    // Only an export that is known to be old is surely none of this run.
    const mayBeOld = job?.status === "completed" && job.updatedAt !== undefined;
    return mayBeOwn && !mayBeOld
        ? undefined
        : findRefusal({ ...task, acceptsFailed: task.acceptsFailedReplay }, job, { nowMs: clock.now() });
}
