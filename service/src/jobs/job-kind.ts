import { type Attempt, type Attempts } from "./attempts.js";
import { type Run } from "./run.js";

/*
 * The words of this folder:
 *
 * - A job is what a client asked for: an export, an update, or the prompts of an agent job. It ends once.
 * - An attempt is one try to finish a job. Its number makes the writes of an earlier try of another worker fail.
 * - To claim a job is to make it running in the database, as the next attempt, in one statement. `JobRunner` decides
 *   when this process claims one.
 * - A run is the claimed attempt in this process, from its beginning to its outcome: `Run` has its signals and its
 *   heartbeat, and `JobKind.begin` says what it does.
 * - A start is a run that counts against the limit of crashes; a run that was put back on purpose does not count.
 * - A tick is a heartbeat, with which a run also stores its progress.
 */

/** A claimed job. */
export interface ClaimedJob extends Attempt {
    /**
     * How often the job was started, including this time, but not starts after which a worker put it back in the queue
     * on purpose. More than 1 if the job was interrupted.
     */
    starts: number;
}

/** How a run ended. */
export type Outcome<Result> =
    | { kind: "completed"; result: Result }
    | { kind: "failed"; error: unknown }
    /** The run was stopped. The job waits for another run, if it is still wanted. */
    | { kind: "stopped"; isRequeued: boolean }
    /** Another run has the job. */
    | { kind: "lost" };

/** This process cannot continue the run now; the job waits in the queue for another run, of this or another process. */
export class PostponedRunError extends Error {
    override readonly name = "PostponedRunError";
}

/** The jobs of one kind, or their prompts, in all processes. */
export interface QueueState {
    queued: number;
    running: number;
    /** When the job that has waited longest was queued. */
    oldestQueuedAt: Date | undefined;
}

/** The name of an outcome in metrics: `requeued` if it waits for another run, `lost` if another worker has the job. */
export type OutcomeName = "completed" | "failed" | "cancelled" | "lost" | "requeued";

export function nameOf(outcome: Outcome<unknown>): OutcomeName {
    return outcome.kind !== "stopped" ? outcome.kind : outcome.isRequeued ? "requeued" : "cancelled";
}

/** One run of a job. */
export interface Work<Result> {
    /** @throws the error with which the job fails, whose message says why; or the reason of one of the run's signals */
    do(run: Run): Promise<Result>;
    /** Stores how the job has ended. @returns false if the run has lost its job */
    complete(result: Result): Promise<boolean>;
    /** @returns false if the run has lost its job */
    fail(error: unknown): Promise<boolean>;
    /** Called after the outcome has been stored. The run ticks no more, so that this may take as long as it needs. */
    ended(outcome: Outcome<Result>, durationMs: number): Promise<void>;
    /** Called at the very end, even after an error. */
    close?(): Promise<void>;
}

/** One kind of job, as the runner uses it. */
export interface JobKind<Job extends ClaimedJob, Result> {
    /** The name of this kind of job in messages, for example `Export job`. */
    readonly name: string;
    readonly attempts: Attempts;
    /** How many jobs may run at the same time in this process. */
    readonly concurrency: number;
    /** How long a stopped run may take to finish a step that must not be interrupted. */
    readonly graceMs: number;
    /**
     * Claims the next job. Undefined if no job is waiting, or if the next job has to run alone and other jobs run in
     * this process.
     *
     * @param running - the ids of the jobs that run in this process
     */
    claim(running: readonly string[]): Promise<Job | undefined>;
    /** A job's name in messages, for example `Export job se_1 of docs.example.com`. */
    describe(job: Job): string;
    begin(job: Job): Work<Result>;
    /** Wraps the whole run, for example in a span. */
    around?(job: Job, run: () => Promise<void>): Promise<void>;
    /** Removes the leftovers of an earlier process, before the first job. */
    prepare?(): Promise<void>;
    /** Called when this process stops its runs: ends what another process, or the next one, can repeat. */
    closing?(): void;
    /** Called when the last running job of this process has ended. */
    close?(): Promise<void>;
}
