import { type ServiceLogger } from "../shared/logger.js";
import { writeUntilStored } from "../shared/write-until-stored.js";

export interface AttemptOptions {
    /** What messages call the job, such as `Export job se_1`. */
    what: string;
    jobId: string;
    /** Stores that the run is alive. @returns false if the run has lost its job */
    tick: () => Promise<boolean>;
    /** Ends the run and its waits. */
    closing: AbortSignal;
    /** How often `tick` is called. @default defaultTickMs */
    tickMs?: number | undefined;
    /** First backoff before the database is asked again. @default 1000 */
    retryMs?: number | undefined;
    logger: ServiceLogger;
}

export const defaultTickMs = 10_000;

/** The job was given to another worker, because this one seemed dead. */
export class AttemptLostError extends Error {
    override readonly name = "AttemptLostError";
}

/** An active run of a job: reports at each tick that it is alive, and ends when another run has the job. */
export class Attempt {
    readonly #options: AttemptOptions;
    readonly #lost = new AbortController();
    readonly #timer: NodeJS.Timeout;
    readonly signal: AbortSignal;

    constructor(options: AttemptOptions) {
        this.#options = options;
        this.signal = AbortSignal.any([options.closing, this.#lost.signal]);
        this.#timer = setInterval(() => void this.#tick(), options.tickMs ?? defaultTickMs);
    }

    /** Aborted when another run has the job. */
    get lost(): AbortSignal {
        return this.#lost.signal;
    }

    /**
     * Calls `write`, again and again while the database cannot be reached.
     *
     * @param what - completes "waits to" in messages
     * @param write - resolves to whether the job is still this run's
     * @throws AttemptLostError when another run has the job, or the reason of `closing`
     */
    async write(what: string, write: () => Promise<boolean>): Promise<void> {
        const { what: job, jobId, logger, retryMs } = this.#options;
        let isOurs = true;
        await writeUntilStored(
            async () => {
                isOurs = await write();
            },
            {
                signal: this.signal,
                retryMs,
                onError: (error) => logger.error(`${job} waits to ${what}: ${String(error)}`, { job: jobId }),
            },
        );
        if (!isOurs) {
            this.#lose();
        }
        this.signal.throwIfAborted();
    }

    /** Ticks now. @throws as `write` does */
    confirm(): Promise<void> {
        return this.write("continue", this.#options.tick);
    }

    end(): void {
        clearInterval(this.#timer);
    }

    async #tick(): Promise<void> {
        const { tick, what, jobId, logger } = this.#options;
        try {
            if (!(await tick())) {
                this.#lose();
            }
        } catch (error) {
            // Continue: the next tick, and every other write, checks again whether the job is still this run's.
            logger.error(`${what} could not say that it is alive: ${String(error)}`, { job: jobId });
        }
    }

    #lose(): void {
        this.#lost.abort(new AttemptLostError(`${this.#options.what} was given to another worker.`));
    }
}
