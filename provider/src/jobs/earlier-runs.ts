import type { JournalJob, JournalStart, JobEntry, StartClaim } from "../engine/journal/entries.js";
import { JobLog } from "../engine/job-log.js";
import { clockToleranceMs, findRefusal, findJob } from "./adoption-refusal.js";
import type { JobStatus, JobTask } from "./job-task.js";
import { PendingJobError } from "./job-errors.js";
import type { JobRuntime } from "./runtime.js";

/** How long a repeated request may take to reach the server before the idempotency key expires. */
const keyMarginMs = 60 * 1000;
/** How often to check whether another run's start has ended. */
const recheckMs = 250;

/** A job that another run started, or the exclusive right to start one. */
type JobOrClaim = { jobId: string; share(): Promise<JobEntry> } | { claim: StartClaim };

/** Finds jobs that other runs of the same task, killed or active, have recorded in the journal. */
export class EarlierRuns {
    readonly #runtime: JobRuntime;
    readonly #task: JobTask;
    /** The number of the first start that this run has waited for. */
    #awaited: number | undefined;
    #hasSaidThatItWaits = false;
    /** Jobs that this run has checked and must not adopt. */
    readonly #refused = new Set<string>();

    constructor(runtime: JobRuntime, task: JobTask) {
        this.#runtime = runtime;
        this.#task = task;
    }

    /** Returns a job to adopt, otherwise the claim to start one. Waits while another run is starting the same job. */
    async findOrClaim(): Promise<JobOrClaim> {
        const { journal } = this.#runtime;
        const { key, subject } = this.#task;
        for (;;) {
            const start = await this.#endedStart();
            // A job that was started while this run waited may be adopted even if its run has ended and removed its
            // entry.
            const awaited = start?.job && start.number >= (this.#awaited ?? Infinity) ? start.job : undefined;
            if (start?.startedAt !== undefined && awaited && (await this.#isUsable(awaited.jobId, start.startedAt))) {
                return awaited;
            }
            for (const job of await journal.jobs(key)) {
                if (await this.#isWorthAdopting(job)) {
                    await this.#settle(start, job);
                    return job;
                }
            }
            // If another run is faster now, or takes the right to start away while this run is suspended, this run
            // waits for the job of that run.
            this.#awaited ??= (start?.number ?? 0) + 1;
            const repeated = start && (await this.#repeatable(start));
            const claim = await journal.claim(key, subject, start, repeated);
            if (claim) {
                this.#report(start, repeated);
                return { claim };
            }
        }
    }

    /**
     * Closes a start without a response. Called if the program sets a job, because the user then knows the outcome of
     * the start.
     */
    async settleUnanswered(): Promise<void> {
        const start = await this.#runtime.journal.lastStart(this.#task.key);
        if (start?.isOpen) {
            await start.settle();
        }
    }

    /** Returns the last start, once no other run is still making it. */
    async #endedStart(): Promise<JournalStart | undefined> {
        const { journal, clock, signal } = this.#runtime;
        const { key, subject, title, noun, deadlineMs } = this.#task;
        for (;;) {
            const start = await journal.lastStart(key);
            if (!start?.isUnderWay) {
                return start;
            }
            if (clock.now() >= deadlineMs) {
                throw new Error(`${title}: timed out while another run was starting the job.`);
            }
            if (!this.#hasSaidThatItWaits) {
                this.#hasSaidThatItWaits = true;
                this.#runtime.log(
                    `${subject}: another run is starting an ${noun} with the same inputs: waiting for its job`,
                );
            }
            this.#awaited ??= start.number;
            await clock.sleep(recheckMs, signal);
        }
    }

    /** Removes the entry if its run has ended and its job cannot be adopted. */
    async #isWorthAdopting(job: JournalJob): Promise<boolean> {
        // A Pulumi process that is still running has received this result, so this run needs a new job.
        if (job.isRunning && job.deliveredAt !== undefined) {
            return false;
        }
        const isUsable = await this.#isUsable(job.jobId, job.startedAt);
        if (!isUsable && !job.isRunning) {
            await job.remove();
        }
        return isUsable;
    }

    /** Covers a process that ended after it recorded the job but before it recorded the response to its start. */
    async #settle(start: JournalStart | undefined, job: JournalJob): Promise<void> {
        if (start?.isOpen && start.startedAt === job.startedAt) {
            await start.settle();
        }
    }

    /** Returns the start if its request can be repeated without starting a second job. */
    async #repeatable(start: JournalStart): Promise<JournalStart | undefined> {
        if (!start.isOpen || start.startedAt === undefined || start.idempotencyKey === undefined) {
            return undefined;
        }
        const keptMs = await this.#keyMaxAgeMs(start.startedAt);
        const ageMs = this.#ageOf(start.startedAt);
        return ageMs >= -clockToleranceMs && ageMs < keptMs - keyMarginMs ? start : undefined;
    }

    /**
     * Throws while it is unknown whether the platform honours keys, because a platform that does would otherwise
     * receive a second start.
     */
    async #keyMaxAgeMs(startedAt: string): Promise<number> {
        const { client, title, deadlineMs } = this.#task;
        try {
            return await client.idempotencyKeyMaxAgeMs({ deadlineMs });
        } catch (error) {
            throw new Error(
                `${title}: an earlier run, at ${startedAt}, got no response to its request, and the platform does not ` +
                    "currently say whether it honours the Idempotency-Key of that request. " +
                    `${(error as Error).message}. Nothing was started. ` +
                    "Run `pulumi up` again when the platform responds.",
                { cause: error },
            );
        }
    }

    #report(start: JournalStart | undefined, repeated: JournalStart | undefined): void {
        const { subject, unanswered } = this.#task;
        const startedAt = start?.startedAt ?? "an unknown time";
        if (repeated) {
            this.#runtime.log(
                `${subject}: an earlier run, at ${startedAt}, got no response to its request. Repeating it ` +
                    "with the same Idempotency-Key, which the platform honours: it returns that job or starts one.",
            );
        } else if (start?.isOpen) {
            this.#runtime.log(
                `${subject}: an earlier run, at ${startedAt}, got no response to its request, so its ${unanswered}`,
            );
        }
    }

    async #isUsable(jobId: string, startedAt: string): Promise<boolean> {
        if (this.#refused.has(jobId)) {
            return false;
        }
        const job = await this.#get(jobId, startedAt);
        const refusal = findRefusal(this.#task, job, { nowMs: this.#runtime.clock.now(), startedAt });
        new JobLog(this.#task.subject, jobId, this.#runtime).say(
            refusal === undefined
                ? `adopted: another run started it for the same inputs ${this.#describeAge(startedAt)}`
                : `another run started this job for the same inputs ${this.#describeAge(startedAt)}, but ${refusal}`,
        );
        if (refusal !== undefined) {
            this.#refused.add(jobId);
        }
        return refusal === undefined;
    }

    async #get(jobId: string, startedAt: string): Promise<JobStatus | undefined> {
        try {
            return await findJob(this.#runtime, this.#task, jobId);
        } catch (error) {
            // An old job may be outdated, so it is checked before it is saved as pending.
            const ageMs = this.#ageOf(startedAt);
            throw ageMs > this.#task.freshForMs || ageMs < -clockToleranceMs
                ? error
                : new PendingJobError(jobId, error);
        }
    }

    #describeAge(startedAt: string): string {
        const seconds = Math.max(0, Math.round(this.#ageOf(startedAt) / 1000));
        const [count, unit] = seconds < 120 ? [seconds, "second"] : [Math.round(seconds / 60), "minute"];
        return `${count} ${unit}${count === 1 ? "" : "s"} ago, at ${startedAt}`;
    }

    #ageOf(time: string): number {
        return this.#runtime.clock.now() - Date.parse(time);
    }
}
