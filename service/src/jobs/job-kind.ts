import { type Attempt, type Attempts } from "./attempts.js";
import { type Run } from "./run.js";

/** A job that was claimed. */
export interface ClaimedJob extends Attempt {
    /** How often it was started and not put back, this time included. More than once if it was interrupted. */
    starts: number;
}

/** How a run ended. */
export type Outcome<Result> =
    | { kind: "completed"; result: Result }
    | { kind: "failed"; error: unknown }
    /** It was stopped. The job waits for another run, if it is still wanted. */
    | { kind: "stopped"; isClosing: boolean }
    /** Another run has the job. */
    | { kind: "lost" };

/** One run of a job. */
export interface Work<Result> {
    /** @throws the error that makes the job fail, whose message says why; or a reason of the run's signals */
    do(run: Run): Promise<Result>;
    /** Stores how the job has ended. @returns false if the run has lost its job */
    complete(result: Result): Promise<boolean>;
    /** @returns false if the run has lost its job */
    fail(error: unknown): Promise<boolean>;
    /** Called once the outcome is stored. */
    ended(outcome: Outcome<Result>, durationMs: number): Promise<void>;
    /** Called at the very end, even after an error. */
    close?(): Promise<void>;
}

/** One kind of job, as the engine sees it. */
export interface JobKind<Job extends ClaimedJob, Result> {
    /** The name of such a job in messages, for example `Export job`. */
    readonly name: string;
    readonly attempts: Attempts;
    /** How many jobs may run at once in this process. */
    readonly concurrency: number;
    /** How long a run that is stopped may take to finish what it must not leave half done. */
    readonly graceMs: number;
    /**
     * Claims the next job. Undefined if there is none, or if the next one was interrupted and other jobs run in this
     * process.
     *
     * @param running - the ids of the jobs that run in this process
     */
    claim(running: readonly string[]): Promise<Job | undefined>;
    /** The name of a job in messages, for example `Export job se_1 of docs.example.com`. */
    describe(job: Job): string;
    begin(job: Job): Work<Result>;
    /** Wraps the whole run. */
    around?(job: Job, run: () => Promise<void>): Promise<void>;
    /** Removes what an earlier process left, before the first job. */
    prepare?(): Promise<void>;
    /** Called when no job of this process runs any more. */
    close?(): Promise<void>;
}
