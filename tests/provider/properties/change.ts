import assert from "node:assert/strict";

/** The warning of a run that follows a killed run, which may have started a job or sent a message. */
export const warnsOfTwoJobs =
    /an earlier run, at .*, got no response to its request(, so its (.* may be in progress\. (.*set its jobId|Starting another one)|message may have arrived\. Sending it again)|\. Repeating it)/;
/** The error's text if it is unknown whether the request to start the job took effect. */
export const leavesStartOpen = /may or may not have (been started|received the prompt)/;
/** The server stores a key for a day, and must receive a retried request before the day ends. */
const keyIsKnownMs = 86_400_000 - 60_000;

export interface ChangeRules {
    /** Identifies the effect of one start: a different key means a different change. */
    keyOf(program: object): string;
    /** How long a completed job may still be adopted after a kill. */
    freshForMs: number;
    /** Whether the server finds the job when a start is retried. */
    honoursKeys: boolean;
    /** The advice in an error about a start without a response. */
    adviceOnUnanswered: RegExp;
}

/**
 * One change of a job's purpose, across all runs that the change needs. A change may start one job, and one more for
 * each excuse: a job that failed or that the platform lost, a start with an unknown effect, and a killed run whose
 * export has become outdated.
 */
export class Change {
    readonly #rules: ChangeRules;
    readonly #key: string;
    readonly #starts: { jobId: string; atMs: number }[] = [];
    readonly #lost = new Set<string>();
    readonly #excuses: string[] = [];
    #wasKilled = false;
    /** Whether a start's key was derived from a state that another machine may not have. */
    #wasUpdate = false;
    /** The receivers of starts with an unknown effect: a job for a message, or undefined for a new job. */
    readonly #unanswered = new Set<string | undefined>();
    #startedInThisRun = 0;
    /** The time of a start that received no response, if the server can find its job. */
    #repeatableSinceMs: number | undefined;

    constructor(program: object, rules: ChangeRules) {
        this.#rules = rules;
        this.#key = rules.keyOf(program);
    }

    isOf(program: object): boolean {
        return this.#key === this.#rules.keyOf(program);
    }

    /** @param state - the state before the start; undefined if there was no state */
    noteStart(jobId: string, atMs: number, state: { jobId?: string; pendingJobId?: string } | undefined): void {
        this.#wasUpdate ||= state !== undefined;
        const last = this.#starts.at(-1);
        const isRecorded = last && [state?.jobId, state?.pendingJobId].includes(last.jobId);
        if (last && !isRecorded && atMs - last.atMs >= this.#rules.freshForMs) {
            this.#excuses.push("no state holds the job before, whose export is more than an hour old");
        }
        if (this.#repeatableSinceMs !== undefined && atMs - this.#repeatableSinceMs >= keyIsKnownMs) {
            this.#excuses.push("the server no longer knows the key of a start without an answer");
            this.#repeatableSinceMs = undefined;
        }
        this.#starts.push({ jobId, atMs });
        this.#startedInThisRun++;
    }

    noteLoss(jobId: string): void {
        if (this.#starts.some((start) => start.jobId === jobId)) {
            this.#lost.add(jobId);
        }
    }

    /** The platform has responded that it does not have the job, so a new start creates no second job. */
    noteGone(jobId: string): void {
        this.#unanswered.delete(jobId);
        if (this.#starts.at(-1)?.jobId.split(" ")[0] === jobId) {
            this.#unanswered.delete(undefined);
        }
    }

    /** @param sentTo - the job that received the run's last message; undefined if the last start was for a new job */
    noteKill({ wasStarting, atMs, sentTo }: { wasStarting: boolean; atMs: number; sentTo: string | undefined }): void {
        this.#wasKilled = true;
        if (wasStarting) {
            this.#noteUnanswered("killed before the start was answered", atMs, sentTo);
        }
    }

    noteLostMachine({ isCheckpointLost, derivesKeys }: { isCheckpointLost: boolean; derivesKeys: boolean }): void {
        const isRecorded = !isCheckpointLost && !this.#wasKilled && this.#unanswered.size === 0;
        const isFound = derivesKeys && !(isCheckpointLost && this.#wasUpdate);
        if (this.#starts.length > 0 && !isRecorded && !isFound) {
            this.#excuses.push("a machine was lost, and nothing else knew of its job");
        }
        // No process or record of the start remains.
        this.#unanswered.clear();
        this.#wasKilled ||= isCheckpointLost;
    }

    noteFailure(message: string, atMs: number, sentTo: string | undefined): void {
        if (leavesStartOpen.test(message)) {
            assert.match(message, this.#rules.adviceOnUnanswered);
            this.#noteUnanswered("an ambiguous start", atMs, sentTo);
        }
    }

    /** Records that a run adopted the job that the program sets, so that no run waits for another job any more. */
    noteAdoption(): void {
        this.#unanswered.clear();
    }

    /** @param mayStart - how many jobs this run may have started */
    assertStartedOnce(mayStart: number, lines: readonly string[]): void {
        if (lines.some((line) => line.includes("the platform does not say how old"))) {
            this.#excuses.push("the platform did not say how old the export was that it found");
        }
        if (lines.some((line) => /found this job by the Idempotency-Key of this start, but its .* ago$/.test(line))) {
            this.#excuses.push("the job that a key found may belong to a resource that was deleted since");
        }
        const rights = 1 + this.#lost.size + this.#excuses.length;
        const excuses = [...[...this.#lost].map((jobId) => `${jobId} failed or was lost`), ...this.#excuses];
        const starts = this.#starts.map(({ jobId }) => jobId);
        assert.ok(
            starts.length <= rights,
            `${starts.join(", ")} started for one change; excuses: ${excuses.join("; ")}`,
        );
        assert.ok(
            this.#startedInThisRun <= mayStart,
            `started ${this.#startedInThisRun} jobs in one run, where ${mayStart} may be`,
        );
        if (lines.some((line) => warnsOfTwoJobs.test(line))) {
            this.#unanswered.clear();
        }
        assert.ok(
            this.#unanswered.size === 0 || this.#startedInThisRun === 0,
            "nobody was told that there may be two jobs",
        );
        this.#startedInThisRun = 0;
    }

    #noteUnanswered(excuse: string, atMs: number, sentTo: string | undefined): void {
        this.#unanswered.add(sentTo);
        if (this.#rules.honoursKeys) {
            this.#repeatableSinceMs ??= atMs;
        } else {
            this.#excuses.push(excuse);
        }
    }
}
