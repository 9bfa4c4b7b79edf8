import { JobLog } from "../engine/job-log.js";
import { findRefusal, findJob } from "./adoption-refusal.js";
import type { JobTask } from "./job-task.js";
import type { JobRuntime } from "./runtime.js";

/**
 * Decides whether to adopt the job that the platform found by a start's key, and reports the decision. Another machine
 * may have started that job a moment or a week ago.
 *
 * @param found.mayBeOwn - whether this run may have started it, with a request whose response was lost: then its
 * outcome is the result of this run, not a reason to start another job
 */
export async function acceptReplay(
    runtime: JobRuntime,
    task: JobTask,
    found: { jobId: string; mayBeOwn: boolean },
): Promise<boolean> {
    const { jobId } = found;
    const refusal = await findReplayRefusal(runtime, task, found);
    new JobLog(task.subject, jobId, runtime).say(
        refusal === undefined
            ? "adopted: the platform found it by the Idempotency-Key of this start, and started no other"
            : `the platform found this job by the Idempotency-Key of this start, but ${refusal}`,
    );
    return refusal === undefined;
}

async function findReplayRefusal(
    runtime: JobRuntime,
    task: JobTask,
    { jobId, mayBeOwn }: { jobId: string; mayBeOwn: boolean },
): Promise<string | undefined> {
    const { savedJobs, clock } = runtime;
    if (savedJobs.has(jobId)) {
        return "the job's result is already saved";
    }
    // If this run cannot read its own job, the wait reports the reason.
    const job = await findJob(runtime, task, jobId).catch((error: unknown) => {
        if (!mayBeOwn) {
            throw error;
        }
        return undefined;
    });
    // Only a completed job with a date can be recognised as older than this run.
    const mayBeOld = job?.status === "completed" && job.updatedAt !== undefined;
    return mayBeOwn && !mayBeOld
        ? undefined
        : findRefusal(
              { noun: task.noun, freshForMs: task.replayFreshForMs, acceptsFailed: task.acceptsFailedReplay },
              job,
              { nowMs: clock.now() },
          );
}
