import { writeUntilStored } from "../queue/write-until-stored.js";
import { type ServiceLogger } from "../shared/logger.js";
import { type ExportAttempts } from "../store/export-attempts.js";
import { type StaticExportJob } from "../store/static-export-job.js";

export interface AttemptOptions {
    attempts: ExportAttempts;
    job: StaticExportJob;
    /** Aborted when the worker closes. */
    closing: AbortSignal;
    tickMs: number;
    /** First backoff before the database is asked again. @default 1000 */
    retryMs?: number | undefined;
    logger: ServiceLogger;
}

/** The job was given to another worker, because this one seemed dead. */
export class AttemptLostError extends Error {
    override readonly name = "AttemptLostError";
}

/** A run of a job while it runs: says at each tick that it is alive, and ends when the job is no longer its own. */
export class Attempt {
    readonly #options: AttemptOptions;
    readonly #lost = new AbortController();
    readonly #timer: NodeJS.Timeout;
    readonly signal: AbortSignal;

    constructor(options: AttemptOptions) {
        this.#options = options;
        this.signal = AbortSignal.any([options.closing, this.#lost.signal]);
        this.#timer = setInterval(() => void this.#tick(), options.tickMs);
    }

    /**
     * Has later runs of the job export the same commit; waits while the database cannot be reached.
     *
     * @throws AttemptLostError when another run has the job
     */
    recordSource(sourceRef: string): Promise<void> {
        const { attempts, job } = this.#options;
        return this.#write("record its commit", () => attempts.recordSource(job, sourceRef));
    }

    /**
     * Waits while the database cannot be reached.
     *
     * @throws AttemptLostError when the archive must not be stored, because another run has the job
     */
    announce(sha256: string): Promise<void> {
        const { attempts, job } = this.#options;
        return this.#write("store its bundle", () => attempts.announce(job, sha256));
    }

    /** @param write - resolves to whether the job is still this run's */
    async #write(what: string, write: () => Promise<boolean>): Promise<void> {
        const { job, logger, retryMs = 1000 } = this.#options;
        let isOurs = true;
        await writeUntilStored(
            async () => {
                isOurs = await write();
            },
            {
                signal: this.signal,
                retryMs,
                onError: (error) =>
                    logger.error(`Export job ${job.jobId} waits to ${what}: ${String(error)}`, { job: job.jobId }),
            },
        );
        if (!isOurs) {
            this.#lose();
        }
        this.signal.throwIfAborted();
    }

    readonly reportProgress = (progress: number, pageCount: number): void => {
        this.#options.attempts.reportProgress(this.#options.job, { progress, pageCount });
    };

    end(): void {
        clearInterval(this.#timer);
    }

    async #tick(): Promise<void> {
        const { attempts, job, logger } = this.#options;
        try {
            if (!(await attempts.tick(job))) {
                this.#lose();
            }
        } catch (error) {
            // Continue: the next tick, and every other write, checks again whether the job is still this run's.
            logger.error(`Export job ${job.jobId} could not say that it is alive: ${String(error)}`, {
                job: job.jobId,
            });
        }
    }

    #lose(): void {
        const { jobId, domain } = this.#options.job;
        this.#lost.abort(new AttemptLostError(`Export job ${jobId} of ${domain} was given to another worker.`));
    }
}
