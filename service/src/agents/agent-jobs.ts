import { mkdirSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Attempt } from "../jobs/run.js";
import { RunLoop } from "../jobs/run-loop.js";
import { writeUntilStored } from "../shared/write-until-stored.js";
import { assertWritable } from "../storage/assert-writable.js";
import { type ServiceLogger } from "../shared/logger.js";
import { toOneLine } from "@pulumi-static-export/exporter";
import { AgentRunStore, type PromptRun } from "./prompt-attempts.js";
import { type ServiceDatabase } from "../database/database.js";
import { type ResolvedAgent } from "./agent-options.js";
import { type AgentLogs } from "../storage/agent-logs.js";
import { AgentRepositories } from "./agent-repositories.js";
import { AgentRun, PullRequestMissingError } from "./run-prompt.js";
import { removeLeftovers } from "./remove-leftovers.js";
import { LogFiles } from "./agent-log-files.js";
import { createPullRequests, type OpenPullRequest } from "../forge/pull-requests.js";
import { RunMark } from "../processes/process-mark.js";
import { RunLog } from "./agent-log.js";
import { RunProcesses } from "../processes/kill-processes.js";

export interface AgentRunnerOptions {
    agent: ResolvedAgent;
    database: ServiceDatabase;
    /** No other process that runs agents uses it. */
    dataDir: string;
    logger: ServiceLogger;
    /** Runs only the prompts of these. @default those of all projects */
    projects?: readonly string[];
    /** Where to keep logs. @default the data folder */
    logs?: AgentLogs;
    /** Logs in the data folder that are older, in milliseconds since 1970, are removed at the start. */
    logsKeptSince: () => number;
    /** How often a run reports that it is alive, and checks whether its job is archived. @default 10000 */
    tickMs?: number | undefined;
    /** The first backoff before a failed write is tried again. @default 1000 */
    retryMs?: number;
}

/** How a run ended, and what its log says about it. */
type Outcome = { note: string } & (
    | { kind: "completed"; prLink: string | null; branch: string | undefined }
    /** The branch that holds the work despite the failure, if there is one. */
    | { kind: "failed"; branch: string | undefined }
    | { kind: "stopped" }
    /** Another worker has the prompt. */
    | { kind: "lost" }
);

const lost: Outcome = { kind: "lost", note: "The job was given to another worker: this run has ended." };

/** Ends a run: first the agent alone, then whatever it waits for. */
interface Stops {
    agent: AbortController;
    all: AbortController;
}

/** How long a push that has begun may take after its job was stopped. */
const graceMs = 5000;

/**
 * Runs the prompts of agent jobs: those of one job in sequence, a limited number of jobs at once, and projects in
 * turns.
 */
export class AgentRunner {
    readonly #options: AgentRunnerOptions;
    readonly #runs: AgentRunStore;
    readonly #openPullRequest: OpenPullRequest;
    readonly #repositories: AgentRepositories;
    readonly #stops = new Map<string, Stops>();
    readonly #folder: string;
    readonly #logs: LogFiles;
    readonly #loop: RunLoop<PromptRun>;
    readonly #closing = new AbortController();
    #storingLogs: Promise<unknown> = Promise.resolve();
    #isOpen = false;

    constructor(options: AgentRunnerOptions) {
        const { agent, logger, database, dataDir, projects, retryMs } = options;
        this.#options = options;
        this.#runs = new AgentRunStore(database);
        this.#openPullRequest = createPullRequests(agent.pullRequests);
        this.#folder = join(dataDir, "agent");
        mkdirSync(join(this.#folder, "logs"), { recursive: true, mode: 0o700 });
        this.#repositories = new AgentRepositories(this.#folder, agent);
        this.#logs = new LogFiles(join(this.#folder, "logs"), options.logs, logger);
        this.#loop = new RunLoop({
            concurrency: agent.concurrency,
            keyOf: ({ jobId }) => jobId,
            runsAlone: ({ starts }) => starts > 1,
            begin: async (otherThan) => {
                // A prompt that this process cannot run is left to the others.
                await assertWritable([this.#folder]);
                return this.#runs.claim({ otherThan, projects });
            },
            execute: (run) => this.#execute(run),
            onError: (error) => logger.error(toOneLine(`An agent's run could not continue: ${String(error)}`)),
            retryMs,
        });
    }

    /** Starts to run prompts, once nothing of an earlier process with this data folder is left. */
    async start(): Promise<void> {
        try {
            const folder = join(await realpath(this.#folder), "work");
            await new RunProcesses({ mark: RunMark.ofRuns(this.#folder), folder }).killAll();
            await new RunProcesses({ mark: RunMark.ofGit(this.#folder) }).awaitEnd();
        } catch (error) {
            this.#options.logger.error(`Processes of an earlier service are still running: ${String(error)}`);
        }
        await this.#removeOldWork();
        await this.#repositories.removeStaleLocks();
        await this.#logs.removeOlderThan(this.#options.logsKeptSince());
        const left = await this.#logs.left();
        this.#storingLogs = Promise.all(left.map((run) => this.#logs.ended(run)));
        this.#isOpen = true;
        this.wake();
    }

    /** Starts, and resumes the prompts of an earlier process; only for a process that has the database to itself. */
    async resume(): Promise<void> {
        await this.#runs.requeueRunning();
        await this.start();
    }

    /** Starts every prompt that may start now; call it after adding a prompt. */
    wake(): void {
        if (this.#isOpen) {
            this.#loop.wake();
        }
    }

    /** Stops the agent of a job, if it runs here; a push that has begun gets a few seconds. */
    async stop(jobId: string): Promise<void> {
        const ended = this.#loop.ended(jobId);
        const stops = this.#stops.get(jobId);
        stops?.agent.abort();
        if (!(await endsWithin(ended, graceMs))) {
            stops?.all.abort();
            await endsWithin(ended, graceMs);
        }
    }

    /** Ends every agent; their prompts are started again by another process, or the next one. */
    async close(): Promise<void> {
        this.#isOpen = false;
        this.#closing.abort();
        await Promise.all([this.#loop.close(), ...[...this.#stops.keys()].map((jobId) => this.stop(jobId))]);
        await this.#storingLogs;
    }

    /** What cannot be removed only takes space: each run has a new folder. */
    async #removeOldWork(): Promise<void> {
        const folder = join(this.#folder, "work");
        for (const name of await readdir(folder).catch((): string[] => [])) {
            const reason = await removeLeftovers(join(folder, name));
            if (reason !== undefined) {
                this.#options.logger.error(toOneLine(`Files that an agent left cannot be removed: ${reason}`));
            }
        }
    }

    async #execute(run: PromptRun): Promise<void> {
        const { agent, logger, retryMs, tickMs } = this.#options;
        const { jobId } = run;
        const what = `Agent job ${jobId}`;
        const secrets = [...Object.values(agent.environment), ...tokenOf(agent)];
        const log = new RunLog(this.#logs.pathOf(run), { maxBytes: agent.maxLogBytes, secrets });
        const stops = { agent: new AbortController(), all: new AbortController() };
        this.#stops.set(jobId, stops);
        if (this.#closing.signal.aborted) {
            stops.agent.abort();
        }
        const attempt = new Attempt({
            what,
            jobId,
            tick: () => this.#tick(run),
            closing: stops.all.signal,
            tickMs,
            retryMs,
            logger,
        });
        logger.info(`${what} of project ${run.projectId} started.`, { job: jobId });
        log.note("The agent begins.");
        try {
            await this.#repositories.at(run.repository).use(async () => {
                let outcome = await this.#finish(run, { log, stops, attempt });
                if (outcome.kind === "failed") {
                    // The reason is nowhere else, and a job that has ended is not run again.
                    log.note(outcome.note);
                    await log.flush();
                }
                const record = async (): Promise<void> => {
                    outcome = (await this.#record(run, outcome)) ? outcome : lost;
                };
                await writeUntilStored(record, {
                    signal: this.#closing.signal,
                    retryMs,
                    onError: (error) =>
                        logger.error(
                            toOneLine(
                                `The end of ${what} could not be stored, and the service tries again; make room on its ` +
                                    `disk if that is full: ${String(error)}`,
                            ),
                        ),
                });
                if (outcome.kind !== "failed") {
                    log.note(outcome.note);
                }
                if (outcome.kind !== "stopped" || !this.#closing.signal.aborted) {
                    await this.#repositories.at(run.repository).forget(jobId);
                }
                if (outcome.kind !== "stopped") {
                    const isError = outcome.kind === "failed";
                    const line = toOneLine(
                        `${what}: ${outcome.note}${isError ? ` (its log: ${this.#logs.placeOf(run)})` : ""}`,
                    );
                    logger[isError ? "error" : "info"](line, { job: jobId });
                }
            });
        } finally {
            attempt.end();
            this.#stops.delete(jobId);
            await log.close();
            await this.#logs.ended(run);
        }
    }

    async #tick(run: PromptRun): Promise<boolean> {
        const state = await this.#runs.tick(run);
        if (state === "unwanted") {
            void this.stop(run.jobId);
        }
        return state !== "lost";
    }

    async #finish(
        run: PromptRun,
        { log, stops, attempt }: { log: RunLog; stops: Stops; attempt: Attempt },
    ): Promise<Outcome> {
        const { agent } = this.#options;
        try {
            const { prLink, branch } = await new AgentRun(run, {
                agent,
                log,
                signal: AbortSignal.any([stops.agent.signal, attempt.lost]),
                cut: attempt.signal,
                runs: this.#runs,
                attempt,
                repository: this.#repositories.at(run.repository),
                openPullRequest: this.#openPullRequest,
                workFolder: join(this.#folder, "work"),
                mark: RunMark.ofRuns(this.#folder).ofRun(run.jobId, run.sequence),
            }).finish();
            const result = prLink ?? (branch === undefined ? "nothing changed" : `branch ${branch}`);
            return { kind: "completed", prLink, branch, note: `Completed: ${result}.` };
        } catch (error) {
            if (attempt.lost.aborted) {
                return lost;
            }
            if (stops.agent.signal.aborted) {
                return { kind: "stopped", note: "The agent was stopped." };
            }
            const reason = error instanceof Error ? error.message : String(error);
            const branch = error instanceof PullRequestMissingError ? error.branch : undefined;
            return { kind: "failed", branch, note: `Failed: ${reason}` };
        }
    }

    /** @returns false if another worker has the prompt */
    async #record(run: PromptRun, outcome: Outcome): Promise<boolean> {
        switch (outcome.kind) {
            case "completed":
                return this.#runs.finish(run, outcome);
            case "failed":
                return this.#runs.fail(run, outcome.branch);
            case "stopped":
                return this.#runs.putBack(run);
            case "lost":
                return false;
        }
    }
}

function tokenOf({ pullRequests }: ResolvedAgent): string[] {
    return pullRequests === undefined || pullRequests.kind === "link" ? [] : [pullRequests.token];
}

async function endsWithin(ended: Promise<void>, ms: number): Promise<boolean> {
    const patience = new AbortController();
    try {
        return await Promise.race([ended.then(() => true), delay(ms, false, { signal: patience.signal })]);
    } finally {
        patience.abort();
    }
}
