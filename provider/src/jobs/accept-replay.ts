import { JobLog } from "../host/job-log.js";
import { findRefusal, lookAt } from "./find-refusal.js";
import type { JobTask } from "./job-task.js";
import type { JobRuntime } from "./runtime.js";

/**
 * Whether to adopt the job that the platform found by the key of a start: another machine may have started it a moment or
 * a week ago. Says so to the user.
 */
export async function acceptReplay(runtime: JobRuntime, task: JobTask, jobId: string): Promise<boolean> {
    const { journal, clock } = runtime;
    const refusal = journal.savedJobs.has(jobId)
        ? "its result is saved already"
        : findRefusal(task, await lookAt(task, jobId), { nowMs: clock.now() });
    const log = new JobLog(
        task.subject,
        jobId,
        (line) => runtime.log(line),
        () => clock.now(),
    );
    log.say(
        refusal === undefined
            ? "adopted: the platform found it by the Idempotency-Key of this start, and started no other"
            : `the platform found this job by the Idempotency-Key of this start, but ${refusal}`,
    );
    return refusal === undefined;
}
