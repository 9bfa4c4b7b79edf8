import { type ServiceLogger } from "../shared/logger.js";

/** A running job as its last tick left it. */
export interface RunningJob {
    jobId: string;
    attempt: number;
    /** Increases with each tick. */
    ticks: number;
}

export interface StalledJobsOptions {
    /** What messages call a job. */
    kind: "Agent job" | "Export job";
    attempts: {
        /** The jobs that are running, in all processes. */
        running(): Promise<RunningJob[]>;
        /** Takes a job from a run that has not ticked since; undefined if it has ended, ticked or lost it meanwhile. */
        takeFrom(run: RunningJob, maxStarts: number): Promise<{ status: string } | undefined>;
    };
    /** A run that has not ticked for this long is dead. */
    deadAfterMs: number;
    /** A job that was started this often fails instead of running again. */
    maxStarts: number;
    /** Milliseconds since an arbitrary moment; never decreases. @default performance.now */
    elapsedMs?: () => number;
    logger: ServiceLogger;
}

interface Observation extends RunningJob {
    sinceMs: number;
}

/**
 * Finds jobs whose worker is dead. It measures time only by its own clock, so the clocks of machines may differ. Any
 * number of workers may check at once, because a job is taken only if it has not ticked since.
 */
export class StalledJobs {
    readonly #options: StalledJobsOptions;
    #seen = new Map<string, Observation>();

    constructor(options: StalledJobsOptions) {
        this.#options = options;
    }

    /** @returns how many jobs it requeued or ended */
    async check(): Promise<number> {
        const { attempts, deadAfterMs, elapsedMs = () => performance.now() } = this.#options;
        const seen = new Map<string, Observation>();
        const nowMs = elapsedMs();
        let taken = 0;
        for (const run of await attempts.running()) {
            const earlier = this.#seen.get(run.jobId);
            const isSame = earlier?.attempt === run.attempt && earlier.ticks === run.ticks;
            const observation = isSame ? earlier : { ...run, sinceMs: nowMs };
            if (nowMs - observation.sinceMs < deadAfterMs) {
                seen.set(run.jobId, observation);
            } else if (await this.#take(run)) {
                taken += 1;
            }
        }
        this.#seen = seen;
        return taken;
    }

    async #take(run: RunningJob): Promise<boolean> {
        const { kind, attempts, deadAfterMs, maxStarts, logger } = this.#options;
        const job = await attempts.takeFrom(run, maxStarts);
        if (job === undefined) {
            return false;
        }
        const what = `${kind} ${run.jobId}`;
        const reason =
            job.status === "failed"
                ? `failed: it was interrupted ${maxStarts} times.`
                : `is queued again: its worker has not been heard from for ${Math.round(deadAfterMs / 1000)} s.`;
        logger.error(`${what} ${reason}`, { job: run.jobId });
        return true;
    }
}
