import { setTimeout as delay } from "node:timers/promises";
import { createRandom } from "../../../../dev/bench/random.js";
import { type Prompt } from "../../../../service/src/agents/next-prompt.js";
import { PromptAttempts } from "../../../../service/src/agents/prompt-attempts.js";
import { takingBack } from "../../../../service/src/agents/taking-back.js";
import { DatabaseUnavailableError, type ServiceDatabase } from "../../../../service/src/database/database.js";
import { SiteJobAttempts } from "../../../../service/src/exports/site-job-attempts.js";
import { type SiteJob } from "../../../../service/src/exports/site-job.js";
import { type Attempt, type RunningAttempt } from "../../../../service/src/jobs/attempts.js";
import {
    type ClaimedJob,
    type JobKind,
    nameOf,
    PostponedRunError,
    type Work,
} from "../../../../service/src/jobs/job-kind.js";
import { type Run } from "../../../../service/src/jobs/run.js";
import { type AnyJobRunner, JobRunner, type JobRunnerTimes } from "../../../../service/src/jobs/runner.js";
import { silentLogger } from "../../../../service/src/shared/logger.js";
import { History } from "./linearizability.js";

/** Dozens of ticks happen within each run, so that ticks meet every other operation. */
const times = { tickMs: 4, pollMs: 3, retryMs: 1 };
/** On a busy machine, nobody can tell within milliseconds that a run is dead. */
export const patientTimes = { ...times, tickMs: 100 };
const sha256 = "a".repeat(64);

export interface Shared {
    history: History;
    random: () => number;
    /** Events that must not happen, beyond the answers that the models exclude. */
    broken: string[];
    /** The prompts whose change is at the remote, and those for which an outcome is stored. */
    pushed: Set<number>;
    ended: Set<number>;
}

export const createShared = (seed: number, history = new History()): Shared => ({
    ...{ history, random: createRandom(seed), broken: [] },
    ...{ pushed: new Set<number>(), ended: new Set<number>() },
});

const operations = ["tick", "putBack", "complete", "fail", "finish", "recordChange", "forgetChange"] as const;

/** Outcomes are lost often, because a client may archive the job before its run stores its outcome again. */
const lossRates: Partial<Record<(typeof operations)[number], number>> = { complete: 0.2, finish: 0.2, fail: 0.2 };

/** Loses the call or the answer of a statement now and then, as an outage of the database does. */
async function unreliable<T>({ random }: Shared, call: () => Promise<T>, lossRate = 0.01): Promise<T> {
    const chance = random();
    if (chance < lossRate) {
        throw new DatabaseUnavailableError("The call is lost.");
    }
    const answer = await call();
    if (chance < 2 * lossRate) {
        throw new DatabaseUnavailableError("The answer is lost.");
    }
    return answer;
}

/** Wraps the operations of runs, so that each is in the history with its answer. */
function recorded<Attempts extends SiteJobAttempts | PromptAttempts>(attempts: Attempts, shared: Shared): Attempts {
    const { history } = shared;
    const wrap = (name: (typeof operations)[number]): void => {
        const all = attempts as unknown as Record<
            string,
            ((attempt: Attempt, ...rest: unknown[]) => Promise<unknown>) | undefined
        >;
        const inner = all[name]?.bind(attempts);
        if (inner !== undefined) {
            all[name] = (attempt, ...rest) =>
                unreliable(
                    shared,
                    () =>
                        history.record(
                            name,
                            () => inner(attempt, ...rest),
                            (result) => ({ object: attempt.jobId, input: attempt.attempt, result }),
                            { object: attempt.jobId, input: attempt.attempt },
                        ),
                    lossRates[name],
                );
        }
    };
    operations.forEach(wrap);
    const takeFrom = attempts.takeFrom.bind(attempts);
    attempts.takeFrom = (run: RunningAttempt) =>
        history.record(
            "take",
            () => takeFrom(run),
            (result) => ({ object: run.jobId, input: run.attempt, result }),
            { object: run.jobId, input: run.attempt },
        );
    return attempts;
}

/** Notes each prompt with a stored outcome, also if its run never gets the answer. */
function noteEnds(attempts: PromptAttempts, { ended }: Shared): void {
    for (const name of ["finish", "fail"] as const) {
        const end = attempts[name].bind(attempts) as (prompt: Prompt, ...rest: unknown[]) => Promise<boolean>;
        attempts[name] = async (prompt: Attempt, ...rest: unknown[]) => {
            const isStored = await end(prompt as Prompt, ...rest);
            if (isStored) {
                ended.add((prompt as Prompt).sequence);
            }
            return isStored;
        };
    }
}

/** A run that takes a while, and may fail; what it does until then is up to `steps`. */
async function workOf(shared: Shared, run: Run, steps: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const { random } = shared;
    await delay(random() * 8, undefined, { signal: run.stopping });
    await steps();
    await delay(random() * 4, undefined, { signal: run.signal });
    const chance = random();
    if (chance < 0.15) {
        throw new Error("guide.md:1: broken");
    }
    if (chance < 0.25) {
        throw new PostponedRunError("The disk is full.");
    }
}

abstract class Kind<Job extends ClaimedJob> implements JobKind<Job, void> {
    readonly name = "Job";
    readonly concurrency = 2;
    abstract readonly attempts: SiteJobAttempts | PromptAttempts;
    abstract readonly graceMs: number;
    protected readonly shared: Shared;
    /** Whether the worker is closing, which interrupts uploads. */
    isClosing = false;

    constructor(shared: Shared) {
        this.shared = shared;
    }

    abstract claim(running: readonly string[]): Promise<Job | undefined>;
    abstract begin(job: Job): Work<void>;

    describe({ jobId }: Job): string {
        return `Job ${jobId}`;
    }

    /** After an outcome, an upload takes as long as several ticks: nothing may interrupt it. */
    protected async upload(run: Run | undefined, jobId: string): Promise<void> {
        if (this.shared.random() < 0.3) {
            await delay(times.tickMs * 4);
        }
        if (run?.isLost === true && !this.isClosing) {
            this.shared.broken.push(`The upload after the outcome of ${jobId} was interrupted.`);
        }
    }

    protected claimed<C extends ClaimedJob>(claim: () => Promise<C | undefined>): Promise<C | undefined> {
        return this.shared.history.record("claim", claim, (job) => ({
            object: job?.jobId,
            input: job?.attempt,
            result: null,
        }));
    }
}

class SiteKind extends Kind<SiteJob> {
    readonly graceMs = 0;
    readonly attempts: SiteJobAttempts;

    constructor(database: ServiceDatabase, shared: Shared) {
        super(shared);
        this.attempts = recorded(new SiteJobAttempts(database, Date.now), shared);
    }

    claim(running: readonly string[]): Promise<SiteJob | undefined> {
        return this.claimed(() => this.attempts.claim(running));
    }

    begin(job: SiteJob): Work<void> {
        let run: Run | undefined;
        return {
            do: (given) => workOf(this.shared, (run = given)),
            complete: () => this.attempts.complete(job, { pageCount: 1, sizeBytes: 1, sha256 }),
            fail: (error) => this.attempts.fail(job, String(error)),
            ended: async (outcome) => {
                if (nameOf(outcome) === "completed") {
                    await this.upload(run, job.jobId);
                }
            },
        };
    }
}

class AgentKind extends Kind<Prompt> {
    readonly graceMs = 20;
    readonly attempts: PromptAttempts;

    constructor(database: ServiceDatabase, shared: Shared) {
        super(shared);
        const attempts = new PromptAttempts(database);
        noteEnds(attempts, shared);
        this.attempts = recorded(attempts, shared);
    }

    async claim(running: readonly string[]): Promise<Prompt | undefined> {
        // A client may archive a job whose prompt waits for another run.
        await delay(this.shared.random() * 4);
        return this.claimed(() => this.attempts.claim(running));
    }

    begin(prompt: Prompt): Work<void> {
        let run: Run | undefined;
        const change = { branch: "agent/1", base: "b0", commits: ["c1"], isFollowUp: false };
        const { pushed, random } = this.shared;
        const { sequence } = prompt;
        let mayBePushed = prompt.change !== undefined;
        // The remote, as far as a change is seen there.
        const shown = {
            get mayBeSeen() {
                return mayBePushed;
            },
            undo: () => {
                pushed.delete(sequence);
                return Promise.resolve({ isCut: false });
            },
        };
        const work: Work<void> = {
            do: (given) =>
                workOf(this.shared, (run = given), async () => {
                    await given.write("store its change", () => this.attempts.recordChange(prompt, change));
                    mayBePushed = true;
                    // A push may arrive although its run has ended.
                    await delay(random() * 3);
                    pushed.add(sequence);
                }),
            complete: () => this.attempts.finish(prompt, { prLink: `link ${prompt.attempt}`, branch: "agent/1" }),
            fail: () => this.attempts.fail(prompt, undefined),
            ended: async (outcome) => {
                if (nameOf(outcome) === "completed") {
                    await this.upload(run, prompt.jobId);
                }
            },
        };
        return takingBack(work, { prompt, attempts: this.attempts, shown, onError: () => undefined });
    }
}

/** A worker that is replaced now and then, as in a rollout: its runs are put back. */
export class ParallelWorker {
    readonly #create: () => Kind<SiteJob> | Kind<Prompt>;
    #kind: Kind<SiteJob> | Kind<Prompt>;
    #runner: AnyJobRunner;

    constructor(database: ServiceDatabase, shared: Shared, forAgents: boolean) {
        this.#create = () => (forAgents ? new AgentKind(database, shared) : new SiteKind(database, shared));
        this.#kind = this.#create();
        this.#runner = this.#runnerOf(this.#kind);
    }

    #runnerOf(kind: Kind<SiteJob> | Kind<Prompt>, own: JobRunnerTimes = times): AnyJobRunner {
        return new JobRunner<ClaimedJob, unknown>(kind, silentLogger, own);
    }

    start(): Promise<void> {
        return this.#runner.start();
    }

    /** Resumes the jobs of a killed process that did not share its database. */
    startAlone(): Promise<void> {
        return this.#runner.startAlone();
    }

    /** Starts the jobs that wait: without a shared database, nothing else looks for them. */
    wake(): void {
        this.#runner.wake();
    }

    async close(): Promise<void> {
        this.#kind.isClosing = true;
        await this.#runner.close();
    }

    async replace(own?: JobRunnerTimes): Promise<void> {
        await this.close();
        this.#kind = this.#create();
        this.#runner = this.#runnerOf(this.#kind, own);
        await this.start();
    }
}
