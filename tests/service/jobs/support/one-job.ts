import { type Attempts } from "../../../../service/src/jobs/attempts.js";
import { type ClaimedJob, type JobKind, type Outcome, type Work } from "../../../../service/src/jobs/job-kind.js";
import { JobRunner, type JobRunnerTimes } from "../../../../service/src/jobs/runner.js";
import { type LogFields, type ServiceLogger } from "../../../../service/src/shared/logger.js";

type OneJobKind = JobKind<ClaimedJob, string>;

/** The work of the run, and the answers of the database. */
interface Script extends Partial<Work<string>> {
    /** By default, the database accepts everything, and the job is queued again. */
    attempts?: Partial<Attempts>;
    kind?: Partial<OneJobKind>;
    times?: JobRunnerTimes;
    logger?: ServiceLogger;
}

/** A runner with one job, `Export job se_1`. */
export class OneJob {
    readonly runner: JobRunner<ClaimedJob, string>;
    /** The lines of the log; errors begin with "! ". */
    readonly lines: string[] = [];
    readonly fields: (LogFields | undefined)[] = [];
    /** The requests to store an outcome, in order. */
    readonly stored: string[] = [];
    readonly waiting: ClaimedJob[] = [{ jobId: "se_1", domain: "docs.example.com", attempt: 1, starts: 1 }];
    /** Resolves when the run has ended, to its stored outcome. */
    readonly ended: Promise<Outcome<string>>;

    constructor({ attempts, kind, times, logger, ...work }: Script = {}) {
        const { promise, resolve } = Promise.withResolvers<Outcome<string>>();
        this.ended = promise;
        const storing =
            <Args extends unknown[], T>(what: string, answer: (...args: Args) => Promise<T>) =>
            (...args: Args): Promise<T> => {
                this.stored.push(what);
                return answer(...args);
            };
        const given: Partial<Attempts> = {
            tick: () => Promise.resolve("wanted"),
            takeAll: () => Promise.resolve(),
            running: () => Promise.resolve([]),
            ...attempts,
            giveUp: storing("give up", attempts?.giveUp ?? (() => Promise.resolve(true))),
            putBack: storing("put back", attempts?.putBack ?? (() => Promise.resolve("requeued"))),
        };
        this.runner = new JobRunner<ClaimedJob, string>(
            {
                name: "Export job",
                attempts: given as Attempts,
                concurrency: 1,
                graceMs: 0,
                claim: () => Promise.resolve(this.waiting.pop()),
                describe: ({ jobId }) => `Export job ${jobId}`,
                begin: () => ({
                    do: work.do ?? (() => Promise.resolve("result")),
                    complete: storing("complete", work.complete ?? (() => Promise.resolve(true))),
                    fail: storing("fail", work.fail ?? (() => Promise.resolve(true))),
                    ended: async (outcome, durationMs) => {
                        resolve(outcome);
                        await work.ended?.(outcome, durationMs);
                    },
                    close: () => work.close?.() ?? Promise.resolve(),
                }),
                ...kind,
            },
            logger ?? {
                info: (line, fields) => this.#log(line, fields),
                error: (line, fields) => this.#log(`! ${line}`, fields),
            },
            { retryMs: 1, ...times },
        );
    }

    /** Runs the job. @returns its stored outcome */
    async run(): Promise<Outcome<string>> {
        await this.runner.startAlone();
        const outcome = await this.ended;
        await this.runner.close();
        return outcome;
    }

    #log(line: string, fields: LogFields | undefined): void {
        this.lines.push(line);
        this.fields.push(fields);
    }
}

/** Resolves when the signal is aborted. */
export function abortOf(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
        if (signal.aborted) {
            resolve();
        } else {
            signal.addEventListener("abort", () => resolve());
        }
    });
}
