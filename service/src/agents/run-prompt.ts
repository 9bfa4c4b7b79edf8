import { type Attempt } from "../jobs/run.js";
import { type AgentRunStore, type PromptRun } from "./prompt-attempts.js";
import { type ResolvedAgent } from "./agent-options.js";
import { DiskWatch } from "../processes/disk-watch.js";
import { ForgeError } from "../forge/forge-error.js";
import { type OpenPullRequest } from "../forge/pull-requests.js";
import { PushRefusedError, type Repository } from "./repository.js";
import { type RunLog } from "./agent-log.js";
import { runProcess } from "../processes/run-process.js";
import { type RunMark } from "../processes/process-mark.js";
import { RunProcesses } from "../processes/kill-processes.js";
import { Workspace } from "./workspace.js";

export interface AgentRunContext {
    agent: ResolvedAgent;
    repository: Repository;
    runs: AgentRunStore;
    attempt: Attempt;
    openPullRequest: OpenPullRequest;
    /** Gets a folder for this run. */
    workFolder: string;
    /** For every process of the run. */
    mark: RunMark;
    log: RunLog;
    /** Ends the agent. A change that is already committed is still pushed. */
    signal: AbortSignal;
    /** Also ends the push and the requests to the forge. */
    cut: AbortSignal;
}

/** A run that was interrupted twice is not started a third time. */
const maxStarts = 2;
const maxBranchNames = 5;

/** The change is pushed, but its pull request could not be opened for now. */
export class PullRequestMissingError extends Error {
    override readonly name = "PullRequestMissingError";

    constructor(
        readonly branch: string,
        cause: Error,
    ) {
        super(
            `${cause.message} The change is on branch ${branch} all the same: open its pull request, or send the job a ` +
                "message, which continues there.",
            { cause },
        );
    }
}

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

    /**
     * @throws the error that makes the job fail, whose message says why; AttemptLostError when another run has the
     * prompt
     */
    async finish(): Promise<{ prLink: string | null; branch: string | undefined }> {
        const { repository, attempt, signal, cut } = this.#context;
        await attempt.confirm();
        signal.throwIfAborted();
        const change = (await this.#earlierChange()) ?? (await this.#work());
        if (change === undefined) {
            return { prLink: this.#run.earlierPrLink, branch: this.#run.jobBranch };
        }
        const branch = await this.#push(change);
        await attempt.confirm();
        try {
            const prLink = await this.#context.openPullRequest({
                repository: this.#run.repository,
                branch,
                base: this.#run.ref ?? (await repository.defaultBranch(cut)),
                title: `Documentation change by agent job ${this.#run.jobId}`,
                body: `Agent job ${this.#run.jobId} of project ${this.#run.projectId} made this change.`,
                signal: cut,
            });
            return { prLink, branch };
        } catch (error) {
            cut.throwIfAborted();
            if (!(error instanceof ForgeError) || error.isTransient) {
                throw new PullRequestMissingError(branch, error as Error);
            }
            await attempt.confirm();
            await this.#takeBack({ ...change, branch });
            throw error;
        }
    }

    /** The change of an earlier run: one that it has pushed, or that this machine still has. */
    async #earlierChange(): Promise<Change | undefined> {
        const { change } = this.#run;
        const newest = change?.commits.at(-1);
        if (change === undefined || newest === undefined) {
            return undefined;
        }
        const { repository, cut } = this.#context;
        if (await repository.has(newest)) {
            return { ...change, commit: newest };
        }
        await repository.fetch(cut);
        const head = await repository.head(change.branch);
        return head !== undefined && change.commits.includes(head) ? { ...change, commit: head } : undefined;
    }

    async #work(): Promise<Change | undefined> {
        const { repository, workFolder, log, signal } = this.#context;
        if (this.#run.starts > maxStarts) {
            throw new Error(`The service was stopped ${maxStarts} times while the agent worked.`);
        }
        await repository.fetch(signal);
        const { base, branch, isFollowUp } = await this.#start();
        const workspace = await Workspace.create(workFolder, this.#run.jobId);
        try {
            await repository.checkOut(base, branch, workspace.checkout, signal);
            await this.#runAgent(workspace);
            const message = `Change the documentation (agent job ${this.#run.jobId})\n`;
            const { index } = workspace;
            const commit = await repository.commit(await workspace.openCheckout(), { index, base, message, signal });
            if (commit === undefined) {
                return undefined;
            }
            await repository.keep(commit, this.#run.jobId);
            const change = { commit, branch, base, isFollowUp };
            signal.throwIfAborted();
            await this.#record(change);
            return change;
        } finally {
            const reason = await workspace.remove();
            if (reason !== undefined) {
                log.note(`The files of the agent could not be removed, and the next start tries again: ${reason}`);
            }
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
        // Git cannot have both a branch called agent and one below it.
        const hasAgent = (await repository.head("agent")) !== undefined;
        return { branch: `agent${hasAgent ? "-" : "/"}${jobId}`, base, isFollowUp: false };
    }

    async #runAgent({ folder, checkout, home, temporary }: Workspace): Promise<void> {
        const { agent, repository, mark, log, signal } = this.#context;
        const { objects } = repository;
        const command = agent.sandbox?.wrap(agent.command, { checkout, home, temporary, objects }) ?? agent.command;
        const processes = new RunProcesses({ mark, folder });
        const disk = new DiskWatch(folder, agent.maxDiskBytes);
        try {
            const failure = await runProcess({
                command: mark.wrap(command),
                cwd: checkout,
                env: {
                    PATH: agent.env["PATH"] ?? "/usr/bin:/bin",
                    HOME: home,
                    TMPDIR: temporary,
                    LANG: "C.UTF-8",
                    ...agent.environment,
                    ...mark.env,
                },
                stdin: this.#run.prompt,
                timeLimitMs: agent.timeLimitMs,
                signal,
                onOutput: log.addOutput,
                findExcess: async () => {
                    await processes.remember();
                    return disk.findExcess();
                },
            });
            if (failure !== undefined) {
                throw new Error(`The agent ${failure}.`);
            }
        } finally {
            await processes.killAll();
        }
    }

    /** The branch for the change; a different name if the job's branch belongs to somebody else. */
    async #push(change: Change): Promise<string> {
        const { repository, log, cut } = this.#context;
        for (let name = 1; ; name += 1) {
            const branch = name === 1 ? change.branch : `${change.branch}-${name}`;
            await this.#record({ ...change, branch });
            try {
                const expected = change.isFollowUp ? change.base : undefined;
                await repository.push(change.commit, { branch, expected, signal: cut });
                log.note(`Pushed ${change.commit} to ${branch}.`);
                return branch;
            } catch (error) {
                const head = error instanceof PushRefusedError ? await repository.remoteHead(branch, cut) : undefined;
                if (head !== undefined && this.#commits(change).includes(head)) {
                    log.note(`${head} was pushed to ${branch} meanwhile, by this run or an earlier one.`);
                    return branch;
                }
                if (head === undefined || change.isFollowUp || name === maxBranchNames) {
                    throw error;
                }
                log.note(`Branch ${branch} exists already.`);
            }
        }
    }

    /** A run that has lost its prompt pushes nothing. The commits of all runs are kept, because each may have been pushed. */
    #record({ commit, ...change }: Change): Promise<void> {
        const { attempt, runs } = this.#context;
        const commits = this.#commits({ commit });
        return attempt.write("store its change", () => runs.recordChange(this.#run, { ...change, commits }));
    }

    /** The commits of all runs of the prompt, this run's last. */
    #commits({ commit }: Pick<Change, "commit">): string[] {
        return [...(this.#run.change?.commits ?? []).filter((earlier) => earlier !== commit), commit];
    }

    async #takeBack({ commit, branch, base, isFollowUp }: Change): Promise<void> {
        const { repository, log, cut } = this.#context;
        try {
            await repository.takeBack(commit, { branch, base: isFollowUp ? base : undefined, signal: cut });
        } catch (error) {
            log.note(`Branch ${branch} could not be taken back: ${(error as Error).message}`);
        }
    }
}
