import { type ServiceLogger } from "../shared/logger.js";
import { type Attempts, type RunningAttempt } from "./attempts.js";

interface StalledJobsOptions {
    /** The name of a job in messages, for example `Export job`. */
    kind: string;
    attempts: Pick<Attempts, "running" | "takeFrom">;
    /** A run that has not ticked for this long is considered dead. */
    deadAfterMs: number;
    /** Milliseconds since an arbitrary moment; never decreases. @default performance.now */
    elapsedMs?: () => number;
    logger: ServiceLogger;
}

interface Observation extends RunningAttempt {
    sinceMs: number;
}

/**
 * Finds jobs whose worker is dead. Measures time only with this process's clock, so the clocks of machines may differ.
 * Several workers may check at the same time, because a job is queued again only if its run has not ticked after the
 * check.
 */
export class StalledJobs {
    readonly #options: StalledJobsOptions;
    #seen = new Map<string, Observation>();

    constructor(options: StalledJobsOptions) {
        this.#options = options;
    }

    /** @returns how many jobs it took from dead workers */
    async check(): Promise<number> {
        const { kind, attempts, deadAfterMs, elapsedMs = () => performance.now(), logger } = this.#options;
        const seen = new Map<string, Observation>();
        const nowMs = elapsedMs();
        let taken = 0;
        for (const run of await attempts.running()) {
            const earlier = this.#seen.get(run.jobId);
            const isSame = earlier?.attempt === run.attempt && earlier.ticks === run.ticks;
            const observation = isSame ? earlier : { ...run, sinceMs: nowMs };
            if (nowMs - observation.sinceMs < deadAfterMs) {
                seen.set(run.jobId, observation);
            } else if (await attempts.takeFrom(run)) {
                taken += 1;
                logger.error(
                    `${kind} ${run.jobId} is queued again: its worker has not been heard from for ` +
                        `${Math.round(deadAfterMs / 1000)} s.`,
                    { job: run.jobId },
                );
            }
        }
        this.#seen = seen;
        return taken;
    }
}
