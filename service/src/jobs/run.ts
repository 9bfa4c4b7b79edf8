import { isTemporary } from "../database/database.js";
import { optionTable } from "../options/option-table.js";
import { type ServiceLogger } from "../shared/logger.js";
import { writeUntilStored } from "../shared/write-until-stored.js";
import { aboutAttempt, type Attempt, type Attempts } from "./attempts.js";

export interface RunOptions {
    /** The name of the job in messages, for example `Export job se_1`. */
    what: string;
    attempt: Attempt;
    attempts: Pick<Attempts, "tick">;
    /** Called when the job is no longer wanted. */
    onUnwanted: () => void;
    /** The interval between ticks. @default defaultTickMs */
    tickMs?: number | undefined;
    /** The first backoff before a failed database operation is repeated. @default 1000 */
    retryMs?: number | undefined;
    logger: ServiceLogger;
}

export const defaultTickMs: number = optionTable.tickMs.default;

/** Another worker has the job, because this one seemed dead. */
export class RunLostError extends Error {
    override readonly name = "RunLostError";
}

/** An attempt in this process: reports at each tick that it is alive, and ends when another run has the job. */
export class Run {
    readonly #options: RunOptions;
    readonly #lost = new AbortController();
    readonly #stopping = new AbortController();
    readonly #ending = new AbortController();
    readonly #failed = Promise.withResolvers<never>();
    readonly #timer: NodeJS.Timeout;
    #retry: NodeJS.Timeout | undefined;
    #isTicking = false;
    #isUnwanted = false;
    #hasWorked = false;
    #hasEnded = false;
    #failure: Error | undefined;
    /** Aborted when the run should stop: it may still finish a step that must not be interrupted. */
    readonly stopping: AbortSignal;
    /** Aborted when the run must end immediately. */
    readonly signal: AbortSignal;

    constructor(options: RunOptions) {
        this.#options = options;
        this.stopping = AbortSignal.any([this.#stopping.signal, this.#lost.signal]);
        this.signal = AbortSignal.any([this.#ending.signal, this.#lost.signal]);
        this.#failed.promise.catch(() => undefined);
        this.#timer = setInterval(() => void this.#tick(), options.tickMs ?? defaultTickMs);
    }

    /** The name of the job in messages. */
    get what(): string {
        return this.#options.what;
    }

    get isLost(): boolean {
        return this.#lost.signal.aborted;
    }

    /** Whether a tick has found that nobody wants the job any more. */
    get isUnwanted(): boolean {
        return this.#isUnwanted;
    }

    get isStopped(): boolean {
        return this.#stopping.signal.aborted;
    }

    /** The error that nobody in the run has caught. */
    get failure(): Error | undefined {
        return this.#failure;
    }

    /** Resolves like `work`, or rejects as soon as the run fails: its work may then wait for something that is lost. */
    unlessFailed<T>(work: Promise<T>): Promise<T> {
        return Promise.race([work, this.#failed.promise]);
    }

    /** Ends the run with an error that nobody in it has caught. */
    fail(error: Error): void {
        this.#failure ??= error;
        this.#failed.reject(error);
        this.cut();
    }

    /** Asks the run to stop. */
    stop(): void {
        this.#stopping.abort();
    }

    /** Ends the run, including its waits. */
    cut(): void {
        this.#stopping.abort();
        this.#ending.abort();
    }

    /**
     * Calls `write`, and repeats it while the database is unreachable.
     *
     * @param what - completes "waits to" in messages
     * @param write - resolves to whether this run still has the job, and the job is wanted
     * @throws RunLostError when another run has the job, the reason of `stopping` when nobody wants it any more, the
     * reason of `signal`, or what the database never accepts
     */
    async write(what: string, write: () => Promise<boolean>): Promise<void> {
        if ((await this.#untilReached(what, write)) === false) {
            await this.confirm();
            this.stopping.throwIfAborted();
        }
        this.signal.throwIfAborted();
    }

    /**
     * Calls `read`, and repeats it while the database is unreachable.
     *
     * @param what - completes "waits to" in messages
     * @returns the result of `read`
     * @throws RunLostError when another run has the job, the reason of `signal`, or what the database never accepts
     */
    async read<T>(what: string, read: () => Promise<T>): Promise<T> {
        const result = await this.#untilReached(what, read);
        this.signal.throwIfAborted();
        return result as T;
    }

    /** Ticks now. @throws RunLostError when another run has the job, or the reason of `signal` */
    async confirm(): Promise<void> {
        if ((await this.#untilReached("continue", () => this.#isOurs())) === false) {
            this.#lose();
        }
        this.signal.throwIfAborted();
    }

    /**
     * Called once the work has ended: from now on, only the statement that stores its outcome finds whether another run
     * has the job. If the answer of this statement was lost, a tick would find a job that no run has.
     */
    worked(): void {
        this.#hasWorked = true;
    }

    /** Called once the outcome is stored: the run ticks no more. */
    end(): void {
        this.#hasEnded = true;
        clearInterval(this.#timer);
        clearTimeout(this.#retry);
    }

    /** Undefined if `signal` ended the wait. */
    async #untilReached<T>(what: string, use: () => Promise<T>): Promise<T | undefined> {
        const { what: job, attempt, logger, retryMs } = this.#options;
        let result: T | undefined;
        await writeUntilStored(
            async () => {
                result = await use();
            },
            {
                signal: this.signal,
                retryMs,
                isTemporary,
                onError: (error, isFirst) => {
                    if (isFirst) {
                        logger.error(`${job} tries again to ${what}: ${String(error)}`, aboutAttempt(attempt));
                    }
                },
            },
        );
        return result;
    }

    async #isOurs(): Promise<boolean> {
        const { attempts, attempt, onUnwanted } = this.#options;
        const state = await attempts.tick(attempt);
        if (state === "unwanted") {
            this.#isUnwanted = true;
            onUnwanted();
        }
        return state !== "lost";
    }

    /** After a failure, ticks again soon: other workers count the time from the end of an outage. */
    async #tick(isRepeated = false): Promise<void> {
        if (this.#isTicking) {
            return;
        }
        this.#isTicking = true;
        clearTimeout(this.#retry);
        const { what, attempt, logger, retryMs = 1000 } = this.#options;
        try {
            const isOurs = await this.#isOurs();
            if (!isOurs && !this.#hasWorked) {
                this.#lose();
            }
        } catch (error) {
            // Continue: the next tick, and every other write, checks again whether this run still has the job.
            if (!isRepeated) {
                logger.error(`${what} could not store its heartbeat: ${String(error)}`, aboutAttempt(attempt));
            }
            this.#retry = setTimeout(() => void this.#tick(true), retryMs).unref();
        } finally {
            this.#isTicking = false;
        }
        if (this.#hasEnded) {
            clearTimeout(this.#retry);
        }
    }

    #lose(): void {
        this.#lost.abort(new RunLostError(`${this.#options.what} was given to another worker.`));
    }
}
