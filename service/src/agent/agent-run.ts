import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type AgentJobStore } from "../store/agent-job-store.js";
import { type AgentRunStore, type PromptRun } from "../store/agent-run-store.js";
import { type ResolvedAgent } from "./agent-options.js";
import { folderSize } from "./folder-size.js";
import { killMarked, runMarker } from "./marked-processes.js";
import { type OpenPullRequest } from "./pull-requests.js";
import { PushRefusedError, type Repository } from "./repository.js";
import { type RunLog } from "./run-log.js";
import { runProcess } from "./run-process.js";

export interface AgentRunContext {
    agent: ResolvedAgent;
    repository: Repository;
    runs: AgentRunStore;
    jobs: AgentJobStore;
    openPullRequest: OpenPullRequest;
    /** A folder for this run only, which does not exist yet. */
    folder: string;
    /** Marks every process of the run. */
    marker: string;
    log: RunLog;
    /** Ends the agent. A change that is already committed is still pushed. */
    signal: AbortSignal;
}

/** A run that was interrupted twice is not started a third time. */
const mostAttempts = 2;
const mostBranchNames = 5;

/** The commit of a run, and the branch to push it to. */
interface Change {
    branch: string;
    base: string;
    /** An earlier prompt has pushed the job's branch. */
    isFollowUp: boolean;
    commit: string;
}

/**
 * Runs one prompt to completion: agent, commit, push and pull request. The result of each step is stored before the next
 * one, so that an interrupted run resumes from there.
 */
export class AgentRun {
    readonly #run: PromptRun;
    readonly #context: AgentRunContext;

    constructor(run: PromptRun, context: AgentRunContext) {
        this.#run = run;
        this.#context = context;
    }

    /** @throws what makes the job fail; the message says why */
    async finish(): Promise<{ prLink: string | null; branch: string | undefined }> {
        const { repository } = this.#context;
        const stored = await this.#storedChange();
        const change = stored ?? (await this.#work());
        if (change === undefined) {
            return { prLink: this.#run.earlierPrLink, branch: this.#run.jobBranch };
        }
        const branch = await this.#push(change);
        try {
            const prLink = await this.#context.openPullRequest({
                repository: this.#run.repository,
                branch,
                base: this.#run.ref ?? (await repository.defaultBranch()),
                title: `Documentation change by agent job ${this.#run.jobId}`,
                body: `Agent job ${this.#run.jobId} of project ${this.#run.projectId} made this change.`,
            });
            return { prLink, branch };
        } catch (error) {
            await this.#takeBack({ ...change, branch });
            throw error;
        }
    }

    async #storedChange(): Promise<Change | undefined> {
        const { commit, branch, base, isFollowUp } = this.#run;
        return commit !== null && branch !== null && base !== null && (await this.#context.repository.has(commit))
            ? { commit, branch, base, isFollowUp }
            : undefined;
    }

    async #work(): Promise<Change | undefined> {
        const { repository, runs, folder, signal } = this.#context;
        if (this.#run.attempts > mostAttempts) {
            throw new Error(`The service was stopped ${mostAttempts} times while the agent worked.`);
        }
        await repository.fetch(signal);
        const { base, branch, isFollowUp } = await this.#start();
        const checkout = join(folder, "checkout");
        try {
            await mkdir(folder, { recursive: true });
            await repository.checkOut(base, branch, checkout, signal);
            await this.#runAgent(checkout);
            const message = `Change the documentation (agent job ${this.#run.jobId})\n`;
            const commit = await repository.commit(checkout, base, message, signal);
            if (commit === undefined) {
                return undefined;
            }
            const change = { commit, branch, base, isFollowUp };
            signal.throwIfAborted();
            await runs.recordChange(this.#run.sequence, change);
            return change;
        } finally {
            await rm(folder, { recursive: true, force: true, maxRetries: 3 });
        }
    }

    /** The base of the work: the job's own branch if there is one, otherwise the project's. */
    async #start(): Promise<Omit<Change, "commit">> {
        const { repository, signal } = this.#context;
        const { jobId, jobBranch, ref } = this.#run;
        const continued = jobBranch === undefined ? undefined : await repository.head(jobBranch);
        if (jobBranch !== undefined && continued !== undefined) {
            return { branch: jobBranch, base: continued, isFollowUp: true };
        }
        const from = ref ?? (await repository.defaultBranch(signal));
        const base = await repository.head(from);
        if (base === undefined) {
            throw new Error(`The repository has no branch ${from}.`);
        }
        return { branch: `agent/${jobId}`, base, isFollowUp: false };
    }

    async #runAgent(checkout: string): Promise<void> {
        const { agent, folder, marker, log, signal } = this.#context;
        const home = join(folder, "home");
        const temporary = join(folder, "tmp");
        await Promise.all([mkdir(home), mkdir(temporary)]);
        try {
            const failure = await runProcess({
                command: agent.command,
                cwd: checkout,
                env: {
                    PATH: agent.env["PATH"] ?? "/usr/bin:/bin",
                    HOME: home,
                    TMPDIR: temporary,
                    LANG: "C.UTF-8",
                    ...agent.environment,
                    [runMarker]: marker,
                },
                stdin: this.#run.prompt,
                timeLimitMs: agent.timeLimitMs,
                signal,
                onOutput: log.addOutput,
                findExcess: async () =>
                    (await folderSize(folder)) > agent.maxDiskBytes
                        ? `took more than ${agent.maxDiskBytes} bytes of disk`
                        : undefined,
            });
            if (failure !== undefined) {
                throw new Error(`The agent ${failure}.`);
            }
        } finally {
            // Also the processes that left the process group.
            await killMarked(marker);
        }
    }

    /** The branch for the change; a different name if the job's branch belongs to somebody else. */
    async #push(change: Change): Promise<string> {
        const { repository, runs, log } = this.#context;
        for (let attempt = 1; ; attempt += 1) {
            const branch = attempt === 1 ? change.branch : `agent/${this.#run.jobId}-${attempt}`;
            await runs.recordChange(this.#run.sequence, { ...change, branch });
            try {
                await repository.push(change.commit, branch, change.isFollowUp ? change.base : undefined);
                log.note(`Pushed ${change.commit} to ${branch}.`);
                return branch;
            } catch (error) {
                const isTaken = !change.isFollowUp && (await this.#isTaken(branch, change.commit));
                if (!(error instanceof PushRefusedError) || !isTaken || attempt === mostBranchNames) {
                    throw error;
                }
                log.note(`Branch ${branch} exists already.`);
            }
        }
    }

    async #takeBack({ commit, branch, base, isFollowUp }: Change): Promise<void> {
        const { repository, log } = this.#context;
        try {
            await repository.takeBack(commit, branch, isFollowUp ? base : undefined);
        } catch (error) {
            log.note(`Branch ${branch} could not be taken back: ${(error as Error).message}`);
        }
    }

    async #isTaken(branch: string, commit: string): Promise<boolean> {
        const head = await this.#context.repository.remoteHead(branch);
        return head !== undefined && head !== commit;
    }
}
