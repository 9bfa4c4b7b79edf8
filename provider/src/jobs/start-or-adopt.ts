import { AmbiguousStartError, type Replayable } from "@pulumi-static-export/sdk";
import type { JobEntry, StartClaim } from "../engine/journal/entries.js";
import { acceptReplay } from "./accept-replay.js";
import { EarlierRuns } from "./earlier-runs.js";
import type { JobTask } from "./job-task.js";
import { KeyChain } from "./key-chain.js";
import { isLost, PendingJobError } from "./job-errors.js";
import type { JobRuntime } from "./runtime.js";

/** A job that this run waits for, and its entry in the journal. */
export interface RunningJob {
    jobId: string;
    entry: JobEntry;
}

interface JobStart {
    task: JobTask;
    send: (options: { deadlineMs: number; idempotencyKey: string }) => Promise<{ jobId: string } & Replayable>;
    onStarted: (jobId: string) => void;
}

/**
 * Starts one job, or adopts the job that another run started for the same task. The other run may have been killed or
 * may still be waiting.
 */
export async function startOrAdopt(runtime: JobRuntime, start: JobStart): Promise<RunningJob> {
    const earlierRuns = new EarlierRuns(runtime, start.task);
    for (;;) {
        const found = await earlierRuns.findOrClaim();
        if (!("claim" in found)) {
            return { jobId: found.jobId, entry: await found.share() };
        }
        const running = await startJob(runtime, start, found.claim);
        if (running) {
            if (running.isStarted) {
                start.onStarted(running.jobId);
            }
            return running;
        }
    }
}

/** Returns undefined if the claim was lost while the start waited in the queue. */
async function startJob(
    runtime: JobRuntime,
    start: JobStart,
    claim: StartClaim,
): Promise<(RunningJob & { isStarted: boolean }) | undefined> {
    const { engine, signal, startGate } = runtime;
    const attempt = { isSent: false };
    try {
        return await startGate(signal, () => engine.finish(() => sendStart(runtime, start, claim, attempt)));
    } finally {
        if (!attempt.isSent) {
            await claim.release();
        }
    }
}

async function sendStart(
    runtime: JobRuntime,
    start: JobStart,
    claim: StartClaim,
    /** Whether a request was sent whose outcome is still unknown. */
    attempt: { isSent: boolean },
): Promise<(RunningJob & { isStarted: boolean }) | undefined> {
    const { title, deadlineMs } = start.task;
    for (const keys = new KeyChain(start.task.intent, claim); ;) {
        if (runtime.clock.now() >= deadlineMs) {
            throw new Error(`${title}: timed out while it waited for earlier starts.`);
        }
        if (!(await claim.begin(keys.current))) {
            return undefined;
        }
        attempt.isSent = true;
        try {
            const {
                jobId,
                isReplayed = false,
                mayBeOwn = false,
            } = await start.send({
                deadlineMs,
                idempotencyKey: keys.current,
            });
            if (!isReplayed || keys.areRandom || (await acceptReplay(runtime, start.task, { jobId, mayBeOwn }))) {
                return { jobId, entry: await claim.saveJob(jobId), isStarted: !isReplayed };
            }
            keys.refuse(jobId);
            attempt.isSent = false;
        } catch (error) {
            // Persist the ambiguity first, because this process may die before it reports the error.
            await (error instanceof AmbiguousStartError ? claim.saveUnanswered() : claim.release());
            throw error;
        }
    }
}

/**
 * Waits for a known job's result, and keeps the job's journal entry until Pulumi has saved that result.
 *
 * @param isNamed - whether the program sets the job, so that the next run finds it without the state
 * @throws PendingJobError when the next run has to resume the job
 */
export async function finishJob<T>(
    runtime: JobRuntime,
    { jobId, entry, isNamed }: { jobId: string; entry?: JobEntry | undefined; isNamed: boolean },
    finish: () => Promise<T>,
): Promise<T> {
    try {
        const result = await finish();
        runtime.savedJobs.add(jobId);
        if (entry) {
            await entry.saveDelivery();
            runtime.engine.whenSaved(() => entry.removeNow());
        }
        return result;
    } catch (error) {
        if (isLost(error)) {
            await entry?.remove();
            throw error;
        }
        throw isNamed ? error : new PendingJobError(jobId, error);
    }
}
