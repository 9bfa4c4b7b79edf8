import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type ServiceLogger } from "../shared/logger.js";
import { RepeatableTask } from "../shared/repeatable-task.js";
import { type AgentJobStore } from "../store/agent-job-store.js";
import { AgentRunStore, type PromptRun } from "../store/agent-run-store.js";
import { type ServiceDatabase } from "../store/database.js";
import { type ResolvedAgent } from "./agent-options.js";
import { AgentRun } from "./agent-run.js";
import { Git } from "./git.js";
import { awaitMarked, killMarked } from "./marked-processes.js";
import { createPullRequests, type OpenPullRequest } from "./pull-requests.js";
import { Repository } from "./repository.js";
import { RunLog } from "./run-log.js";

export interface AgentRunnerOptions {
    agent: ResolvedAgent;
    jobs: AgentJobStore;
    database: ServiceDatabase;
    dataDir: string;
    logger: ServiceLogger;
}

interface Running {
    stop: AbortController;
    ended: Promise<void>;
}

/** Runs the prompts of agent jobs: those of one job in sequence, and a limited number of jobs at once. */
export class AgentRunner {
    readonly #options: AgentRunnerOptions;
    readonly #runs: AgentRunStore;
    readonly #openPullRequest: OpenPullRequest;
    readonly #repositories = new Map<string, Repository>();
    readonly #running = new Map<string, Running>();
    readonly #folder: string;
    /** Prefix of the mark of every process that this service, or an earlier one with the same data folder, started. */
    readonly #mark: string;
    /** Jobs whose prompts must not be started. */
    readonly #held = new Set<string>();
    readonly #starting = new RepeatableTask(() => this.#startWaiting());
    #isOpen = false;

    constructor(options: AgentRunnerOptions) {
        this.#options = options;
        this.#runs = new AgentRunStore(options.database);
        this.#openPullRequest = createPullRequests(options.agent.pullRequests);
        this.#folder = join(options.dataDir, "agent");
        this.#mark = `${createHash("sha256").update(this.#folder).digest("hex").slice(0, 16)}.`;
        for (const name of ["repositories", "logs"]) {
            mkdirSync(join(this.#folder, name), { recursive: true, mode: 0o700 });
        }
    }

    /** Resumes the jobs of an earlier process, once none of its processes are alive. */
    async resume(): Promise<void> {
        await killMarked(`${this.#mark}aj_`);
        await awaitMarked(`${this.#mark}git`);
        rmSync(join(this.#folder, "work"), { recursive: true, force: true });
        for (const url of await this.#runs.requeueInterrupted()) {
            await this.#repository(url).removeStaleLocks();
        }
        this.#isOpen = true;
        this.wake();
    }

    /** Starts every prompt that may start now; call it after adding a prompt. */
    wake(): void {
        this.#starting.request();
    }

    /** Stops a job's agent, then archives the job; a push in progress is completed first. */
    async archive(jobId: string): Promise<void> {
        this.#held.add(jobId);
        try {
            await this.#starting.settled();
            await this.#stop(jobId);
            await this.#options.jobs.archive(jobId);
        } finally {
            this.#held.delete(jobId);
        }
    }

    /** Ends every agent; the next process starts their prompts again. */
    async close(): Promise<void> {
        this.#isOpen = false;
        await this.#starting.settled();
        await Promise.all([...this.#running.keys()].map((jobId) => this.#stop(jobId)));
    }

    async #startWaiting(): Promise<void> {
        while (this.#isOpen && this.#running.size < this.#options.agent.concurrency) {
            const run = await this.#begin();
            if (run === undefined) {
                return;
            }
            const stop = new AbortController();
            const ended = this.#execute(run, stop.signal)
                .catch(this.#reportUnrecorded)
                .finally(() => {
                    this.#running.delete(run.jobId);
                    this.wake();
                });
            this.#running.set(run.jobId, { stop, ended });
        }
    }

    async #begin(): Promise<PromptRun | undefined> {
        try {
            return await this.#runs.begin([...this.#running.keys(), ...this.#held]);
        } catch (error) {
            this.#options.logger.error(`No prompt could be started: ${String(error)}`);
            return undefined;
        }
    }

    async #stop(jobId: string): Promise<void> {
        const running = this.#running.get(jobId);
        running?.stop.abort();
        await running?.ended;
    }

    /** If the end of a run cannot be stored (a full disk, say), the next start of the service resumes the run. */
    readonly #reportUnrecorded = (error: unknown): void => {
        this.#options.logger.error(`The end of an agent's run could not be stored: ${String(error)}`);
    };

    async #execute(run: PromptRun, signal: AbortSignal): Promise<void> {
        const { agent, jobs, logger } = this.#options;
        const what = `Agent job ${run.jobId} of project ${run.projectId}`;
        const path = join(this.#folder, "logs", `${run.jobId}.log`);
        const secrets = [...Object.values(agent.environment), ...tokenOf(agent)];
        const log = new RunLog(path, { maxBytes: agent.maxLogBytes, secrets });
        logger.info(`${what} started.`);
        log.note("The agent begins.");
        try {
            const { prLink, branch } = await new AgentRun(run, {
                agent,
                jobs,
                log,
                signal,
                runs: this.#runs,
                repository: this.#repository(run.repository),
                openPullRequest: this.#openPullRequest,
                folder: join(this.#folder, "work", run.jobId),
                marker: `${this.#mark}${run.jobId}`,
            }).finish();
            await this.#runs.finish(run.sequence, { prLink, branch });
            const result = prLink ?? (branch === undefined ? "nothing changed" : `branch ${branch}`);
            log.note(`Completed: ${result}.`);
            logger.info(`${what} completed: ${result}.`);
        } catch (error) {
            if (signal.aborted) {
                await this.#runs.release(run.sequence);
                log.note("The agent was stopped.");
                return;
            }
            const reason = error instanceof Error ? error.message : String(error);
            log.note(`Failed: ${reason}`);
            await jobs.fail(run.jobId);
            logger.error(`${what} failed: ${reason.split("\n", 1)[0]} (its log: ${path})`);
        } finally {
            await log.close();
        }
    }

    #repository(url: string): Repository {
        const known = this.#repositories.get(url);
        if (known !== undefined) {
            return known;
        }
        const { protocol } = new URL(url);
        const git = new Git({
            marker: `${this.#mark}git`,
            protocol: protocol.slice(0, -1),
            authorization: authorizationFor(url, this.#options.agent),
            env: this.#options.agent.env,
        });
        const repository = new Repository(url, git, join(this.#folder, "repositories"));
        this.#repositories.set(url, repository);
        return repository;
    }
}

function tokenOf({ pullRequests }: ResolvedAgent): string[] {
    return pullRequests === undefined || pullRequests.kind === "link" ? [] : [pullRequests.token];
}

/** The forge's token also grants access to its repositories over HTTP; it is sent only to the repository's origin. */
function authorizationFor(url: string, agent: ResolvedAgent): { origin: string; header: string } | undefined {
    const [token] = tokenOf(agent);
    const { protocol, origin } = new URL(url);
    if (token === undefined || !protocol.startsWith("http")) {
        return undefined;
    }
    const user = agent.pullRequests?.kind === "gitlab" ? "oauth2" : "x-access-token";
    return { origin, header: `Basic ${Buffer.from(`${user}:${token}`).toString("base64")}` };
}
