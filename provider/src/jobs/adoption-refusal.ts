import type { JobStatus, JobTask } from "./job-task.js";
import { askTwice, isGone } from "./job-errors.js";
import type { JobRuntime } from "./runtime.js";

const endedStatuses: ReadonlySet<string> = new Set(["completed", "failed", "archived"]);

/** If the clock was set back by more than this, ages are unreliable. */
export const clockToleranceMs = 60 * 1000;

/** Reads a job; undefined if the platform does not have it. */
export async function findJob(
    runtime: Pick<JobRuntime, "clock" | "signal">,
    task: Pick<JobTask, "get">,
    jobId: string,
): Promise<JobStatus | undefined> {
    try {
        return await askTwice(runtime, () => task.get(jobId));
    } catch (error) {
        if (isGone(error)) {
            return undefined;
        }
        throw error;
    }
}

/**
 * Returns why a job cannot be adopted, as the continuation of a sentence, or undefined if the job can be adopted.
 *
 * @param startedAt - according to this machine's clock; undefined if only the platform knows when the job was started
 */
export function findRefusal(
    { noun, freshForMs, acceptsFailed }: Pick<JobTask, "noun" | "freshForMs" | "acceptsFailed">,
    job: JobStatus | undefined,
    { nowMs, startedAt }: { nowMs: number; startedAt?: string },
): string | undefined {
    if (job === undefined) {
        return "the platform no longer has it";
    }
    if (job.status === "failed" && !acceptsFailed) {
        return `it failed: ${job.error ?? "the platform gives no reason"}`;
    }
    if (!endedStatuses.has(job.status) || freshForMs === Infinity) {
        return undefined;
    }
    const ageOf = (time: string | undefined) => (time === undefined ? undefined : nowMs - Date.parse(time));
    const [startAgeMs, doneAgeMs] = [ageOf(startedAt), ageOf(job.updatedAt)];
    if (startAgeMs === undefined && doneAgeMs === undefined) {
        return `the platform does not say how old its ${noun} is`;
    }
    if ((startAgeMs ?? 0) < -clockToleranceMs) {
        return `this machine's clock has been set back since, so the age of its ${noun} is unknown`;
    }
    // `updatedAt` comes from the platform's clock: if that is ahead of this machine's, only the start time is reliable.
    const isAhead = (doneAgeMs ?? 0) < -clockToleranceMs;
    const ageMs = Math.min(startAgeMs ?? Infinity, isAhead ? Infinity : (doneAgeMs ?? Infinity));
    const isOutdated = ageMs > freshForMs && !(isAhead && startAgeMs === undefined);
    return isOutdated ? `its ${noun} was completed more than ${freshForMs / 60_000} minutes ago` : undefined;
}
