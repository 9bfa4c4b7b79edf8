import { type ServiceLogger } from "../shared/logger.js";
import { type Attempts, type RunningAttempt } from "./attempts.js";

interface StalledJobsOptions {
    /** The name of a job in messages, for example `Export job`. */
    kind: string;
    attempts: Pick<Attempts, "running" | "takeFrom">;
    /** A run that has not ticked for this long is considered dead. */
    deadAfterMs: number;
    /** How often `check` is called. After a longer gap, this process may have been suspended. */
    checkMs: number;
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
 *
 * Counts only time in which a run could have ticked: a check that failed or that comes late starts the count again,
 * because nobody could reach the database, or this process did not run.
 */
export class StalledJobs {
    readonly #options: StalledJobsOptions;
    #seen = new Map<string, Observation>();
    #checkedAtMs = -Infinity;

    constructor(options: StalledJobsOptions) {
        this.#options = options;
    }

    /** Queues the jobs of dead workers again. */
    async check(): Promise<void> {
        const { checkMs, elapsedMs = () => performance.now() } = this.#options;
        const beganAtMs = elapsedMs();
        const known = beganAtMs - this.#checkedAtMs <= 2 * checkMs ? this.#seen : new Map<string, Observation>();
        this.#seen = new Map();
        const running = await this.#options.attempts.running();
        const answeredAtMs = elapsedMs();
        if (answeredAtMs - beganAtMs > checkMs) {
            // The database was away meanwhile, or this process was.
            known.clear();
        }
        this.#seen = await this.#takeStalled(running, known, { beganAtMs, answeredAtMs });
        this.#checkedAtMs = answeredAtMs;
    }

    /** @returns the jobs whose workers may be alive */
    async #takeStalled(
        running: readonly RunningAttempt[],
        known: ReadonlyMap<string, Observation>,
        { beganAtMs, answeredAtMs }: { beganAtMs: number; answeredAtMs: number },
    ): Promise<Map<string, Observation>> {
        const { kind, attempts, deadAfterMs, logger } = this.#options;
        const seen = new Map<string, Observation>();
        for (const run of running) {
            const earlier = known.get(run.jobId);
            const isSame = earlier?.attempt === run.attempt && earlier.ticks === run.ticks;
            const observation = isSame ? earlier : { ...run, sinceMs: answeredAtMs };
            if (beganAtMs - observation.sinceMs < deadAfterMs) {
                seen.set(run.jobId, observation);
            } else if (await attempts.takeFrom(run)) {
                // A job that was cancelled or interrupted too often does not run again.
                logger.error(
                    `${kind} ${run.jobId} was taken from its worker, which has not been heard from for ` +
                        `${Math.round(deadAfterMs / 1000)} s.`,
                    { job: run.jobId },
                );
            }
        }
        return seen;
    }
}
