import { setMaxListeners } from "node:events";
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { toOneLine } from "@pulumi-static-export/exporter";
import { type ServiceDatabase } from "../database/database.js";
import { ObservedTime } from "../database/observed-time.js";
import { createPullRequests, type PullRequests } from "../forge/pull-requests.js";
import { type JobKind, nameOf, type Outcome, type OutcomeName, type Work } from "../jobs/job-kind.js";
import { type Run } from "../jobs/run.js";
import { RunProcesses } from "../processes/kill-processes.js";
import { ProcessMark } from "../processes/process-mark.js";
import { describeLimit, RunBounds } from "../processes/run-bounds.js";
import { RunDisks } from "../processes/run-disk.js";
import { dayMs } from "../shared/day-ms.js";
import { type ServiceLogger } from "../shared/logger.js";
import { type AgentLogs } from "../storage/agent-logs.js";
import { assertWritable } from "../storage/storage-folders.js";
import { LogFiles, RunLog } from "./agent-log.js";
import { type ResolvedAgent } from "./agent-options.js";
import { AgentRepositories } from "./agent-repositories.js";
import { type Prompt } from "./next-prompt.js";
import { PodJobs } from "../pods/pod-jobs.js";
import { passwordsIn } from "../pods/pod-settings.js";
import { PromptAttempts } from "./prompt-attempts.js";
import { removeLeftRuns } from "../processes/left-runs.js";
import { ShownChange } from "./shown-change.js";
import { takingBack } from "./taking-back.js";
import { PromptRun, type PromptResult, PullRequestMissingError } from "./run-prompt.js";

interface AgentJobsOptions {
    agent: ResolvedAgent;
    database: ServiceDatabase;
    /** The data folder, which no other process uses to run agents. */
    dataDir: string;
    logger: ServiceLogger;
    /** Runs only the prompts of these projects. @default all projects */
    projects?: readonly string[] | undefined;
    /** Where to store logs. @default the data folder */
    logs?: AgentLogs | undefined;
    /** After this many days, logs and unused mirrors of repositories are removed from the data folder. */
    keepDays: number;
    /** How long git may make no progress. @default that of the flag */
    gitStallSeconds?: number;
    clock: () => number;
    /** The service's address, for links to its dashboard. */
    publicUrl?: string | undefined;
    /** Called when a run has ended and its outcome is stored. */
    onEnd?: (end: { outcome: OutcomeName; durationMs: number }) => void;
}

/** Runs the prompts of agent jobs. A job's prompts run in sequence, and projects take turns. */
export class AgentJobs implements JobKind<Prompt, PromptResult> {
    readonly #options: AgentJobsOptions;
    readonly #podJobs: PodJobs | undefined;
    readonly #bounds: RunBounds;
    readonly #pullRequests: PullRequests;
    readonly #repositories: AgentRepositories;
    readonly #folder: string;
    readonly #logs: LogFiles;
    readonly #closing = new AbortController();
    #storingLogs: Promise<unknown> = Promise.resolve();
    readonly name = "Agent job";
    readonly attempts: PromptAttempts;
    /** How long a push in progress may take after its job was stopped. */
    readonly graceMs = 5000;

    constructor(options: AgentJobsOptions) {
        const { agent, logger, database, dataDir, logs } = options;
        this.#options = options;
        this.attempts = new PromptAttempts(database);
        // Each change that is taken back adds a listener.
        setMaxListeners(0, this.#closing.signal);
        this.#podJobs = agent.pods && new PodJobs({ ...agent.pods, env: agent.env, logger });
        this.#bounds = RunBounds.open(new RunDisks(dataDir), agent.env, agent.sandbox !== undefined);
        if (agent.pods === undefined) {
            this.#bounds
                .limits()
                .forEach((limit) => logger.info(toOneLine(`Limit of agents: ${describeLimit(limit)}.`)));
        }
        this.#pullRequests = createPullRequests(agent.pullRequests);
        this.#folder = join(dataDir, "agent");
        mkdirSync(join(this.#folder, "logs"), { recursive: true, mode: 0o700 });
        this.#repositories = new AgentRepositories(this.#folder, agent, options);
        this.#logs = new LogFiles(join(this.#folder, "logs"), logs, logger);
    }

    get concurrency(): number {
        return this.#options.agent.concurrency;
    }

    async claim(running: readonly string[]): Promise<Prompt | undefined> {
        // Fails before the claim if this process cannot run prompts, so that another process runs the prompt.
        await assertWritable([this.#folder]);
        const { agent, projects } = this.#options;
        return this.attempts.claim(running, projects, basename(agent.command[0]));
    }

    describe({ jobId, projectId }: Prompt): string {
        return `Agent job ${jobId} of project ${projectId}`;
    }

    /** Runs a job, and removes nothing from the mirror of its repository meanwhile. */
    around({ repository }: Prompt, run: () => Promise<void>): Promise<void> {
        return this.#repositories.use(repository, run);
    }

    /** Ends the processes that an earlier service with this data folder left running, and its pods. */
    async prepare(): Promise<void> {
        await this.#podJobs?.open().catch((error: unknown) => {
            // The first run tries again.
            this.#options.logger.error(toOneLine(`Agents cannot run in pods at the moment: ${String(error)}`));
        });
        await this.#removeOldWork();
        try {
            await new RunProcesses({ mark: ProcessMark.ofGit(this.#folder) }).awaitEnd();
        } catch (error) {
            this.#options.logger.error(`Processes of an earlier service are still running: ${String(error)}`);
        }
        await this.#repositories.removeStaleLocks();
        const { database, clock, keepDays } = this.#options;
        await this.#logs.removeOlderThan(await new ObservedTime(database, clock).ago(keepDays * dayMs));
        const left = await this.#logs.left();
        this.#storingLogs = Promise.all(left.map((run) => this.#logs.ended(run)));
    }

    begin(prompt: Prompt): Work<PromptResult> {
        const { agent, logger, onEnd, clock, publicUrl } = this.#options;
        const { jobId, projectId } = prompt;
        const page = `/dashboard/agent-jobs/${encodeURIComponent(projectId)}/${jobId}`;
        const repository = this.#repositories.at(prompt.repository);
        const passwords = this.#podJobs === undefined ? [] : passwordsIn(this.#podJobs.settings);
        const secrets = [...Object.values(agent.environment), ...tokenOf(agent), ...passwords];
        const log = new RunLog(this.#logs.pathOf(prompt), { maxBytes: agent.maxLogBytes, secrets });
        const pullRequests = this.#pullRequests;
        const shown = this.#shownBy(prompt, log);
        const work: Work<PromptResult> = {
            do: (run: Run) => {
                const promptRun = new PromptRun(prompt, {
                    agent,
                    podJobs: this.#podJobs,
                    bounds: this.#bounds,
                    log,
                    logger,
                    run,
                    attempts: this.attempts,
                    repository,
                    pullRequests,
                    shown,
                    pageUrl: publicUrl === undefined ? undefined : publicUrl + page,
                    workFolder: join(this.#folder, "work"),
                    bundle: { path: this.#logs.bundlePathOf(prompt), place: this.#logs.bundlePlaceOf(prompt) },
                });
                return promptRun.finish();
            },
            complete: (result) => this.attempts.finish(prompt, result),
            fail: async (error) => {
                // Logs the reason, because it is not stored elsewhere and an ended job does not run again.
                log.note(noteOf({ kind: "failed", error }));
                await log.flush();
                const branch = error instanceof PullRequestMissingError ? error.branch : undefined;
                return this.attempts.fail(prompt, branch);
            },
            ended: async (outcome, durationMs) => {
                onEnd?.({ outcome: nameOf(outcome), durationMs });
                const note = log.withoutSecrets(noteOf(outcome));
                if (outcome.kind !== "failed") {
                    log.note(note);
                }
                if (outcome.kind !== "stopped" || !outcome.isRequeued) {
                    await repository.forget(jobId);
                }
                if (outcome.kind !== "failed") {
                    await this.#logs.removeBundle(prompt);
                }
                const fields = { job: jobId };
                if (outcome.kind === "failed") {
                    const place = ` (its log: ${this.#logs.placeOf(prompt)})`;
                    logger.error(toOneLine(`Agent job ${jobId}: ${note}${place}`), fields);
                } else if (outcome.kind === "completed") {
                    logger.info(toOneLine(`Agent job ${jobId}: ${note}`), fields);
                }
            },
            close: async () => {
                await log.close();
                await this.#logs.ended(prompt);
                await this.#repositories.pruneIfDue(clock());
            },
        };
        const onError = (step: string, error: unknown): void => {
            const line = `${this.describe(prompt)} could not ${step}: ${String(error)}`;
            logger.error(toOneLine(line), { job: jobId });
        };
        return takingBack(work, { prompt, attempts: this.attempts, shown, onError });
    }

    /** The change of earlier runs of the prompt, which may have been killed, until its new run shows another one. */
    #shownBy(prompt: Prompt, log: RunLog): ShownChange {
        const { jobId, repository: url, ref, change } = prompt;
        const repository = this.#repositories.at(url);
        const pullRequests = this.#pullRequests;
        const [what, { logger }] = [this.describe(prompt), this.#options];
        const shown = new ShownChange({
            ...{ jobId, what, repository, pullRequests, log, logger },
            closing: this.#closing.signal,
        });
        if (change !== undefined) {
            shown.pushes({ ...change, base: change.isFollowUp ? change.base : undefined });
        }
        if (change?.isFollowUp === false) {
            shown.opens({ repository: url, branch: change.branch, base: ref ?? "" });
        }
        return shown;
    }

    closing(): void {
        this.#closing.abort();
        this.#repositories.closing();
        this.#logs.closing();
    }

    async close(): Promise<void> {
        await this.#storingLogs;
        await this.#podJobs?.close();
    }

    /**
     * Ends the agents of earlier runs, and removes their folders. A folder that cannot be removed only takes space,
     * because each run has a new folder.
     */
    async #removeOldWork(): Promise<void> {
        for (const reason of await removeLeftRuns(join(this.#folder, "work"), 0)) {
            this.#options.logger.error(toOneLine(`Files that an agent left cannot be removed: ${reason}`));
        }
    }
}

/** The log line about the end of a run. */
function noteOf(outcome: Outcome<PromptResult>): string {
    switch (outcome.kind) {
        case "completed": {
            const { prLink, branch } = outcome.result;
            return `Completed: ${prLink ?? (branch === undefined ? "nothing changed" : `branch ${branch}`)}.`;
        }
        case "failed":
            return `Failed: ${outcome.error instanceof Error ? outcome.error.message : String(outcome.error)}`;
        case "stopped":
            return "The agent was stopped.";
        case "lost":
            return "The job was given to another worker: this run has ended.";
    }
}

function tokenOf({ pullRequests }: ResolvedAgent): string[] {
    return pullRequests === undefined || pullRequests.kind === "link" ? [] : [pullRequests.token];
}
