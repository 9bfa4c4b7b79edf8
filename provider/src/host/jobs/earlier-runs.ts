import type { AdminClient } from "@pulumi-static-export/sdk";
import type { JournalJob, JournalStart, RunEntry, StartClaim } from "../journal/entries.js";
import { JobLog } from "../job-log.js";
import { isGone } from "./lost-job.js";
import { PendingJobError } from "./pending-job-error.js";
import type { JobRuntime } from "./runtime.js";

/** A clock that was set back by more than this says nothing about ages. */
const clockToleranceMs = 60 * 1000;
/** A repeated request has to reach the server while it still knows the key. */
const keyMarginMs = 60 * 1000;
/** How soon to look again how the start of another run ended. */
const lookAgainMs = 250;

/** What is said when nobody knows whether a job runs. */
export function unansweredStart(noun: string): string {
    return `the ${noun} it started is running. Another one is started now. To adopt the first instead, set its jobId.`;
}

/** What a run is to get done by one job, and how long it may take. */
export interface JobTask {
    client: AdminClient;
    /** What the journal's entries of this task are found by. */
    key: unknown;
    /** What lines begin with, such as the domain. */
    subject: string;
    /** What messages begin with, such as `Export of docs.example.com`. */
    title: string;
    /** What a job does, in the middle of a sentence, such as `export`. */
    noun: string;
    /** What the run before never learned, and what is done about it. */
    unanswered: string;
    deadlineMs: number;
    /** For how long a job that was completed may still be adopted for the same inputs: later its result is old. */
    freshForMs: number;
    /** Whether a job that failed is a result as well. */
    acceptsFailed: boolean;
    look(jobId: string): Promise<JobStatus>;
}

export interface JobStatus {
    status: string;
    error?: string | undefined;
    /** RFC 3339, by the platform's clock. */
    updatedAt?: string | undefined;
}

/** A job that another run started, or the right to start one. */
export type JobOrClaim = { jobId: string; share(): Promise<RunEntry> } | { claim: StartClaim };

/** What the journal tells of other runs of the same task: killed ones, and some that go on. */
export class EarlierRuns {
    readonly #runtime: JobRuntime;
    readonly #task: JobTask;
    /** The first start of another run that this one has waited for. */
    #awaited: number | undefined;
    #hasSaidThatItWaits = false;
    /** Jobs that were looked at, and are not to be adopted. */
    readonly #refused = new Set<string>();

    constructor(runtime: JobRuntime, task: JobTask) {
        this.#runtime = runtime;
        this.#task = task;
    }

    /** The job to adopt, or else the claim to start one. Waits while another run is starting the same export. */
    async findOrClaim(): Promise<JobOrClaim> {
        const { journal } = this.#runtime;
        const { key, subject } = this.#task;
        for (;;) {
            const start = await this.#endedStart();
            // Its run may have ended by now, and its entry is gone then: the job was started while this run waited.
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
            const repeated = start && (await this.#repeatable(start));
            const claim = await journal.claim(key, subject, start, repeated);
            if (claim) {
                this.#report(start, repeated);
                return { claim };
            }
            // Another run was faster, and may have its job before this one has looked again.
            this.#awaited ??= (start?.number ?? 0) + 1;
        }
    }

    /** Whoever names a job knows what became of a start without an answer. */
    async settleUnanswered(): Promise<void> {
        const start = await this.#runtime.journal.lastStart(this.#task.key);
        if (start?.isOpen) {
            await start.settle();
        }
    }

    /** The last start, once no other run is about to make it. */
    async #endedStart(): Promise<JournalStart | undefined> {
        const { journal, clock, print } = this.#runtime;
        const { key, subject, title, noun, deadlineMs } = this.#task;
        for (;;) {
            const start = await journal.lastStart(key);
            if (!start?.isUnderWay) {
                return start;
            }
            if (clock.now() >= deadlineMs) {
                throw new Error(`${title}: another run was starting its job for as long as this one could wait.`);
            }
            if (!this.#hasSaidThatItWaits) {
                this.#hasSaidThatItWaits = true;
                print(`${subject}: another run is starting an ${noun} of the same inputs: waiting for its job`);
            }
            this.#awaited ??= start.number;
            await clock.sleep(lookAgainMs);
        }
    }

    /** Removes the entry of a run that has ended and left nothing to adopt. */
    async #isWorthAdopting(job: JournalJob): Promise<boolean> {
        // The result is in the hands of a Pulumi that goes on: it is that run's, and this one wants a new export.
        if (job.isRunning && job.deliveredAt !== undefined) {
            return false;
        }
        const isUsable = await this.#isUsable(job.jobId, job.startedAt);
        if (!isUsable && !job.isRunning) {
            await job.remove();
        }
        return isUsable;
    }

    /** The process ended between the entry of the job and the note that the start was answered. */
    async #settle(start: JournalStart | undefined, job: JournalJob): Promise<void> {
        if (start?.isOpen && start.startedAt === job.startedAt) {
            await start.settle();
        }
    }

    /** The start, when its request can be sent again without starting a second job. */
    async #repeatable(start: JournalStart): Promise<JournalStart | undefined> {
        if (!start.isOpen || start.startedAt === undefined || start.idempotencyKey === undefined) {
            return undefined;
        }
        const { client, deadlineMs } = this.#task;
        const keptMs = await client.idempotencyKeyMaxAgeMs({ deadlineMs });
        const ageMs = this.#ageOf(start.startedAt);
        return ageMs >= -clockToleranceMs && ageMs < keptMs - keyMarginMs ? start : undefined;
    }

    #report(start: JournalStart | undefined, repeated: JournalStart | undefined): void {
        const { subject, unanswered } = this.#task;
        const startedAt = start?.startedAt ?? "a time that is not known";
        if (repeated) {
            this.#runtime.print(
                `${subject}: an earlier run, at ${startedAt}, got no answer to its start. It is repeated with the same ` +
                    "Idempotency-Key, which the platform honours: it finds the job, or starts it.",
            );
        } else if (start?.isOpen) {
            this.#runtime.print(`${subject}: an earlier run, at ${startedAt}, never learned whether ${unanswered}`);
        }
    }

    async #isUsable(jobId: string, startedAt: string): Promise<boolean> {
        if (this.#refused.has(jobId)) {
            return false;
        }
        const { print, clock } = this.#runtime;
        const job = await this.#get(jobId, startedAt);
        const refusal = this.#refusalOf(job, startedAt);
        const log = new JobLog(this.#task.subject, jobId, print, () => clock.now());
        log.say(
            refusal === undefined
                ? `adopted: another run started it for the same inputs ${this.#describeAge(startedAt)}`
                : `another run started this job for the same inputs ${this.#describeAge(startedAt)}, but ${refusal}`,
        );
        if (refusal !== undefined) {
            this.#refused.add(jobId);
        }
        return refusal === undefined;
    }

    #refusalOf(job: JobStatus | undefined, startedAt: string): string | undefined {
        const { noun, freshForMs, acceptsFailed } = this.#task;
        if (job === undefined) {
            return "the platform no longer has it";
        }
        if (job.status === "failed" && !acceptsFailed) {
            return `it failed: ${job.error ?? "the platform gives no reason"}`;
        }
        if (job.status !== "completed" || freshForMs === Infinity) {
            return undefined;
        }
        const startAgeMs = this.#ageOf(startedAt);
        if (startAgeMs < -clockToleranceMs) {
            return "this machine's clock was set back since, so that nobody knows how old its export is";
        }
        // By the platform's clock, which counts for nothing when it is ahead of ours.
        const doneAgeMs = job.updatedAt === undefined ? startAgeMs : this.#ageOf(job.updatedAt);
        const ageMs = doneAgeMs < -clockToleranceMs ? startAgeMs : Math.min(startAgeMs, doneAgeMs);
        return ageMs > freshForMs ? `its ${noun} was completed more than an hour ago` : undefined;
    }

    async #get(jobId: string, startedAt: string): Promise<JobStatus | undefined> {
        try {
            return await this.#task.look(jobId);
        } catch (error) {
            if (isGone(error)) {
                return undefined;
            }
            // Of an old job nobody knows whether its result is fresh, so that it is not kept unseen.
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
