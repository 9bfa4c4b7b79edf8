import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { toOneLine } from "@pulumi-static-export/exporter";
import { isTemporary } from "../database/database.js";
import { type ServiceLogger } from "../shared/logger.js";
import { aboutAttempt } from "./attempts.js";
import { endsWithin } from "../shared/ends-within.js";
import { asUnit } from "../shared/unit-of-work.js";
import { writeUntilStored } from "../shared/write-until-stored.js";
import { type ClaimedJob, type JobKind, type Outcome, PostponedRunError, type Work } from "./job-kind.js";
import { defaultTickMs, Run } from "./run.js";
import { startsTogether } from "./starts.js";
import { StalledJobs } from "./stalled-jobs.js";

export interface JobRunnerTimes {
    /**
     * How often a running job reports that it is alive, stores its progress and checks whether it is still wanted.
     * After three and a half intervals without a report, another worker gets the job; an outage of the database does
     * not count.
     * @default 10000
     */
    tickMs?: number | undefined;
    /** How often a worker looks for waiting jobs. @default 1000 */
    pollMs?: number | undefined;
    /** The first backoff before a failed write is retried; it doubles, up to thirty times this value. @default 1000 */
    retryMs?: number | undefined;
    /** How long running jobs may take to end when the process closes, before other processes get them. @default 0 */
    closeMs?: number | undefined;
}

/** How a process runs the jobs of one kind. */
export type AnyJobRunner = Pick<JobRunner<ClaimedJob, unknown>, "start" | "startAlone" | "wake" | "stop" | "close">;

const deadAfterTicks = 3.5;

/** Runs the jobs of one kind. Limits how many run at the same time, and gives a job its last start alone. */
export class JobRunner<Job extends ClaimedJob, Result> {
    readonly #kind: JobKind<Job, Result>;
    readonly #times: JobRunnerTimes;
    readonly #logger: ServiceLogger;
    readonly #runs = new Map<string, Run>();
    /** The ends of the runs, by their jobs. */
    readonly #ends = new Map<string, Promise<void>>();
    readonly #closing = new AbortController();
    readonly #timers: NodeJS.Timeout[] = [];
    #preparing: Promise<void> | undefined;
    #checking: Promise<unknown> | undefined;
    #claiming: Promise<void> | undefined;
    /** The job that must be the only one until it has ended. */
    #alone: string | undefined;
    #state: "starting" | "open" | "closed" = "starting";
    #isAwake = false;
    #wakesLater = false;
    #claimsFail = false;

    constructor(kind: JobKind<Job, Result>, logger: ServiceLogger, times: JobRunnerTimes = {}) {
        this.#kind = kind;
        this.#times = times;
        this.#logger = logger;
        // Each running job adds listeners.
        setMaxListeners(0, this.#closing.signal);
    }

    /** Resumes the jobs of an earlier process; only for a process that does not share the database. */
    async startAlone(): Promise<void> {
        if (this.#state === "starting") {
            await this.#kind.attempts.takeAll();
        }
        await this.#prepare();
        this.#open();
    }

    /** Looks for waiting jobs and for jobs of dead workers in a shared database. */
    async start(): Promise<void> {
        const { tickMs = defaultTickMs, pollMs = 1000 } = this.#times;
        const { name, attempts } = this.#kind;
        await this.#prepare();
        const stalled = new StalledJobs({
            kind: name,
            attempts,
            deadAfterMs: deadAfterTicks * tickMs,
            checkMs: tickMs,
            logger: this.#logger,
        });
        const check = (): void => {
            this.#checking ??= stalled
                .check()
                .catch((error: unknown) => this.#logger.error(`The search for stalled jobs failed: ${String(error)}`))
                .finally(() => (this.#checking = undefined));
        };
        if (this.#open()) {
            this.#timers.push(
                setInterval(() => this.wake(), pollMs),
                setInterval(check, tickMs),
            );
        }
    }

    /** Starts every job that may start now. Call this method when there may be a new job. Never throws. */
    wake(): void {
        if (this.#state !== "open") {
            return;
        }
        this.#isAwake = true;
        this.#claiming ??= this.#claimJobs().finally(() => {
            this.#claiming = undefined;
            if (this.#isAwake) {
                this.wake();
            }
        });
    }

    /** Stops a job if this process runs it, and waits for the end of the run for as long as the job's kind allows. */
    async stop(jobId: string): Promise<void> {
        const { graceMs } = this.#kind;
        const run = this.#runs.get(jobId);
        const ended = this.#endOf(jobId);
        run?.stop();
        if (graceMs === 0 || !(await endsWithin(ended, graceMs))) {
            run?.cut();
            await endsWithin(ended, graceMs);
        }
    }

    /**
     * Starts no more runs, and stops the runs that do not end in time; another process, or the next process after a
     * restart, runs their jobs again.
     *
     * @param onStopped - called when the runs have had their time: only statements of the database may still be missing
     */
    async close(onStopped?: () => void): Promise<void> {
        const { closeMs = 0 } = this.#times;
        this.#state = "closed";
        this.#timers.forEach((timer) => clearInterval(timer));
        if (closeMs > 0) {
            await endsWithin(this.#endOfAll(), closeMs);
        }
        this.#kind.closing?.();
        this.#closing.abort();
        const stopped = Promise.all([...this.#runs.keys()].map((jobId) => this.stop(jobId)));
        await endsWithin(stopped, this.#kind.graceMs);
        onStopped?.();
        await Promise.all([this.#preparing, this.#checking, this.#endOfAll(), stopped]);
        await this.#kind.close?.();
    }

    /** Prepares the kind, unless the runner was closed: nobody would close what it opens. */
    async #prepare(): Promise<void> {
        if (this.#state === "starting") {
            const preparing = Promise.resolve(this.#kind.prepare?.());
            this.#preparing = preparing.catch(() => undefined);
            await preparing;
        }
    }

    /** @returns whether the runner was not closed meanwhile */
    #open(): boolean {
        if (this.#state === "closed") {
            return false;
        }
        this.#state = "open";
        this.wake();
        return true;
    }

    async #endOf(jobId: string): Promise<void> {
        await this.#claiming;
        await this.#ends.get(jobId);
    }

    async #endOfAll(): Promise<void> {
        await this.#claiming;
        await Promise.all(this.#ends.values());
    }

    async #claimJobs(): Promise<void> {
        const { concurrency } = this.#kind;
        while (this.#isAwake && this.#state === "open") {
            this.#isAwake = false;
            try {
                while (this.#state === "open" && this.#ends.size < concurrency && this.#alone === undefined) {
                    const job = await this.#kind.claim([...this.#ends.keys()]);
                    this.#reportClaims();
                    if (job === undefined) {
                        break;
                    }
                    // The job may have crashed the process, and must not crash it again while other jobs run.
                    this.#alone = job.starts > startsTogether ? job.jobId : undefined;
                    // Runs even if the runner is closed meanwhile: a claimed job must end or be put back.
                    this.#ends.set(job.jobId, this.#execute(job));
                }
            } catch (error) {
                this.#reportClaims(String(error));
                this.#wakeLater();
            }
        }
    }

    /** Logs when claims begin to fail, and when they work again, but not each try in between. */
    #reportClaims(reason?: string): void {
        const name = this.#kind.name.toLowerCase();
        if (reason !== undefined && !this.#claimsFail) {
            this.#logError(`No ${name} could be started, and the service tries again: ${reason}`);
        } else if (reason === undefined && this.#claimsFail) {
            this.#logger.info(`The service starts ${name}s again.`);
        }
        this.#claimsFail = reason !== undefined;
    }

    /** After an error of a claim, for example because the disk is full. */
    #wakeLater(): void {
        if (this.#wakesLater) {
            return;
        }
        this.#wakesLater = true;
        delay(this.#times.retryMs ?? 1000, undefined, { signal: this.#closing.signal }).then(
            () => {
                this.#wakesLater = false;
                this.wake();
            },
            () => undefined,
        );
    }

    async #execute(job: Job): Promise<void> {
        const { jobId } = job;
        const { around = (_job, run) => run() } = this.#kind;
        const what = this.#kind.describe(job);
        try {
            await around.call(this.#kind, job, () => this.#run(job, what));
        } catch (error) {
            this.#logError(`${what} could not continue: ${String(error)}`, job);
        }
        this.#ends.delete(jobId);
        if (this.#alone === jobId) {
            this.#alone = undefined;
        }
        this.wake();
    }

    #logError(message: string, job?: Job): void {
        try {
            this.#logger.error(toOneLine(message), job && aboutAttempt(job));
        } catch {
            // A failing logger, for example on a full disk, must not end the runner.
        }
    }

    async #run(job: Job, what: string): Promise<void> {
        const { jobId } = job;
        const run = new Run({
            what,
            attempt: job,
            attempts: this.#kind.attempts,
            onUnwanted: () => void this.stop(jobId),
            ...this.#times,
            logger: this.#logger,
        });
        this.#runs.set(jobId, run);
        if (this.#closing.signal.aborted) {
            void this.stop(jobId);
        }
        try {
            await this.#work(job, run);
        } finally {
            run.end();
            this.#runs.delete(jobId);
        }
    }

    async #work(job: Job, run: Run): Promise<void> {
        const startedMs = performance.now();
        this.#logger.info(`${run.what} started.`, aboutAttempt(job));
        const work = this.#kind.begin(job);
        try {
            const outcome = await this.#outcomeOf(job, work, run).finally(() => run.end());
            if (outcome.kind === "lost") {
                this.#logger.info(`${run.what} was given to another worker: this run has ended.`, aboutAttempt(job));
            }
            await work.ended(outcome, performance.now() - startedMs);
        } finally {
            await work.close?.();
        }
    }

    /** Waits for the work, and stores its outcome. @returns the stored outcome */
    async #outcomeOf(job: Job, work: Work<Result>, run: Run): Promise<Outcome<Result>> {
        const ended = await asUnit(
            (error) => run.fail(error),
            () => this.#finish(work, run),
        );
        run.worked();
        return this.#record(job, work, ended);
    }

    async #finish(work: Work<Result>, run: Run): Promise<Outcome<Result>> {
        try {
            return { kind: "completed", result: await run.unlessFailed(work.do(run)) };
        } catch (error) {
            if (run.isLost) {
                return { kind: "lost" };
            }
            if (run.failure !== undefined) {
                return { kind: "failed", error: run.failure };
            }
            return run.isStopped || error instanceof PostponedRunError
                ? { kind: "stopped", isRequeued: true }
                : { kind: "failed", error };
        }
    }

    /**
     * Stores the outcome, and tries again while the disk is full. If the database never accepts the outcome, the job
     * fails.
     *
     * @returns the stored outcome
     */
    async #record(job: Job, work: Work<Result>, outcome: Outcome<Result>): Promise<Outcome<Result>> {
        let stored: Outcome<Result> = { kind: "stopped", isRequeued: true };
        const until = async (store: () => Promise<Outcome<Result>>): Promise<void> =>
            writeUntilStored(async () => void (stored = await store()), {
                signal: this.#closing.signal,
                retryMs: this.#times.retryMs,
                isTemporary,
                onError: (error, isFirst) => {
                    if (isFirst) {
                        this.#logError(
                            `The outcome of ${this.#kind.describe(job)} could not be stored, and the service tries ` +
                                `again (if its disk is full, make room there): ${String(error)}`,
                            job,
                        );
                    }
                },
            });
        try {
            await until(() => this.#store(job, work, outcome));
        } catch (error) {
            const reason = toOneLine(`The outcome cannot be stored: ${(error as Error).message}`);
            this.#logError(`${this.#kind.describe(job)} failed: ${reason}`, job);
            const failed: Outcome<Result> = { kind: "failed", error: new Error(reason) };
            await until(async () => ((await this.#kind.attempts.giveUp(job, reason)) ? failed : this.#putBack(job)));
        }
        return stored;
    }

    /** @returns the stored outcome */
    async #store(job: Job, work: Work<Result>, outcome: Outcome<Result>): Promise<Outcome<Result>> {
        switch (outcome.kind) {
            case "completed":
                return (await work.complete(outcome.result)) ? outcome : this.#putBack(job);
            case "failed":
                return (await work.fail(outcome.error)) ? outcome : this.#putBack(job);
            case "stopped":
                return this.#putBack(job);
            case "lost":
                return outcome;
        }
    }

    /** Ends a run without an outcome: its job waits for another run, unless nobody wants it any more. */
    async #putBack(job: Job): Promise<Outcome<Result>> {
        const state = await this.#kind.attempts.putBack(job);
        return state === "lost" ? { kind: "lost" } : { kind: "stopped", isRequeued: state === "requeued" };
    }
}
