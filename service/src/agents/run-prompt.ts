import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { GitError } from "../git/git.js";
import { type Run } from "../jobs/run.js";
import { maxStarts } from "../jobs/starts.js";
import { type ServiceLogger } from "../shared/logger.js";
import { assertWritable, reportWait, writeWithSpace } from "../storage/storage-folders.js";
import { AgentFailedError } from "./agent-failed-error.js";
import { type Prompt } from "./next-prompt.js";
import { type PromptAttempts } from "./prompt-attempts.js";
import { type ResolvedAgent } from "./agent-options.js";
import { type PullRequests } from "../forge/pull-requests.js";
import { PushRefusedError, type Repository } from "./repository.js";
import { type RunLog } from "./agent-log.js";
import { type RunBounds } from "../processes/run-bounds.js";
import { type PodJobs } from "../pods/pod-jobs.js";
import { runHere } from "./agent-here.js";
import { runInPod } from "./agent-pod.js";
import { type ShownChange } from "./shown-change.js";
import { describeUnfiltered } from "./unfiltered-files.js";
import { Workspace } from "./workspace.js";

interface PromptContext {
    agent: ResolvedAgent;
    /** Undefined if agents run on this machine. */
    podJobs: PodJobs | undefined;
    /** For agents on this machine. */
    bounds: RunBounds;
    repository: Repository;
    attempts: PromptAttempts;
    run: Run;
    pullRequests: PullRequests;
    /** Learns what others may see of the change. */
    shown: ShownChange;
    /** The job's page in the dashboard, if the service's address is known. */
    pageUrl: string | undefined;
    /** The folder in which the run creates its own folder. */
    workFolder: string;
    log: RunLog;
    logger: ServiceLogger;
    /** Where to write a change that is not pushed, and where operators find it after the run. */
    bundle: { path: string; place: string };
}

const maxBranchNames = 5;

/** A run with its own file system may have this many files. */
const maxFiles = 1_000_000;

/** The change is pushed, and stays pushed, but its pull request could not be opened. */
export class PullRequestMissingError extends Error {
    override readonly name = "PullRequestMissingError";

    constructor(
        readonly branch: string,
        cause: Error,
    ) {
        super(
            `${cause.message} The change is nevertheless on branch ${branch}: open its pull request, or send the job a ` +
                "message to continue there.",
            { cause },
        );
    }
}

export interface PromptResult {
    /** The pull request. */
    prLink: string | null;
    /** The branch with the work of the job. */
    branch: string | undefined;
}

/** The commit of a run, and the branch to push it to. */
interface Change {
    branch: string;
    base: string;
    /** Whether an earlier prompt has pushed the job's branch. */
    isFollowUp: boolean;
    commit: string;
}

/**
 * Runs one prompt to completion: agent, commit, push and pull request. The result of each step is stored before the
 * next one, so that the next run resumes an interrupted one.
 */
export class PromptRun {
    readonly #prompt: Prompt;
    readonly #context: PromptContext;

    constructor(prompt: Prompt, context: PromptContext) {
        this.#prompt = prompt;
        this.#context = context;
    }

    /**
     * @throws the error that makes the job fail, whose message says why; RunLostError when another run has the
     * prompt
     */
    async finish(): Promise<PromptResult> {
        const { repository, run, log } = this.#context;
        await run.confirm();
        run.stopping.throwIfAborted();
        log.note("The agent begins.");
        const { jobBranch, earlierPrLink } = this.#prompt;
        const change = (await this.#earlierChange()) ?? (await this.#work());
        if (change !== undefined) {
            const branch = await this.#pushOrKeep(change);
            await run.confirm();
            if (run.isUnwanted) {
                run.stopping.throwIfAborted();
            }
            return this.#openPullRequest(branch);
        }
        // The forge may have refused the pull request of an earlier prompt.
        const lacksPullRequest = earlierPrLink === null && jobBranch !== undefined;
        return lacksPullRequest && (await repository.head(jobBranch)) !== undefined
            ? this.#openPullRequest(jobBranch)
            : { prLink: earlierPrLink, branch: jobBranch };
    }

    /** @throws PullRequestMissingError */
    async #openPullRequest(branch: string): Promise<PromptResult> {
        const { repository, pullRequests, shown, run } = this.#context;
        try {
            const base = this.#prompt.ref ?? (await repository.defaultBranch(run.signal));
            const request = { repository: this.#prompt.repository, branch, base };
            const title = `Documentation change by agent job ${this.#prompt.jobId}`;
            const prLink = await pullRequests.open(
                { ...request, title, body: this.#describeChange(), signal: run.signal },
                () => shown.opens(request),
            );
            return { prLink, branch };
        } catch (error) {
            run.signal.throwIfAborted();
            throw new PullRequestMissingError(branch, error as Error);
        }
    }

    /** The change of an earlier run, if that run pushed it or this machine still has it. */
    async #earlierChange(): Promise<Change | undefined> {
        const { change } = this.#prompt;
        const newest = change?.commits.at(-1);
        if (change === undefined || newest === undefined) {
            return undefined;
        }
        const { repository, run } = this.#context;
        if (await repository.has(newest)) {
            return { ...change, commit: newest };
        }
        await repository.fetch(run.signal);
        const head = await repository.head(change.branch);
        return head !== undefined && change.commits.includes(head) ? { ...change, commit: head } : undefined;
    }

    async #work(): Promise<Change | undefined> {
        const { agent, podJobs, bounds, repository, workFolder, log, run } = this.#context;
        const signal = run.stopping;
        if (this.#prompt.starts > maxStarts) {
            throw new Error(`The service was stopped ${maxStarts} times while the agent worked.`);
        }
        const { signingKeyFile } = agent.commits;
        if (signingKeyFile !== undefined && !existsSync(signingKeyFile)) {
            throw new Error(`The signing key ${signingKeyFile} is gone: restore it before the agent works.`);
        }
        await repository.fetch(signal);
        const start = await this.#start();
        const { base, branch } = start;
        const disks = podJobs === undefined ? bounds.disks : undefined;
        const limits = { bytes: agent.maxDiskBytes, files: maxFiles };
        const workspace = await Workspace.create(workFolder, this.#prompt.jobId, { disks, limits });
        try {
            await repository.checkOut(base, branch, workspace.checkout, signal);
            try {
                await this.#runAgent(workspace);
            } catch (error) {
                throw error instanceof AgentFailedError ? await this.#keepWork(workspace, start, error) : error;
            }
            const commit = await this.#commit(workspace, base);
            if (commit === undefined) {
                return undefined;
            }
            const change = { ...start, commit };
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

    /** Commits what the agent did; waits for space on a full disk, so that no agent's work is lost. */
    async #commit(workspace: Workspace, base: string, maxBytes?: number): Promise<string | undefined> {
        const { agent, podJobs, repository, workFolder, log, run, logger } = this.#context;
        const { jobId, projectId } = this.#prompt;
        const { index } = workspace;
        const signal = run.stopping;
        const message = agent.commits.messageFor({ job: jobId, project: projectId });
        const onLeftOut = (path: string) =>
            log.note(`${path} is another git repository: the commit does not contain it.`);
        const onUnfiltered = (filter: string, files: readonly string[]) => log.note(describeUnfiltered(filter, files));
        const commit = async (): Promise<string | undefined> => {
            try {
                const folder = podJobs === undefined ? await workspace.openCheckout() : workspace.received;
                const made = await repository.commit(folder, {
                    ...{ index, base, message, maxBytes, signal, onLeftOut, onUnfiltered },
                });
                if (made !== undefined) {
                    await repository.keep(made, jobId);
                }
                return made;
            } catch (error) {
                await Promise.all([index, `${index}.lock`].map((file) => rm(file, { force: true })));
                throw error;
            }
        };
        return writeWithSpace(commit, {
            assertWritable: () => assertWritable([workFolder]),
            signal,
            onWait: reportWait(run.what, (line) => log.note(line), logger, { job: jobId }),
        });
    }

    /** Finds the base of the work: the job's branch if there is one that is not merged, otherwise the project's. */
    async #start(): Promise<Omit<Change, "commit">> {
        const { repository, run } = this.#context;
        const { jobId, jobBranch, ref } = this.#prompt;
        const continued = jobBranch === undefined ? undefined : await repository.head(jobBranch);
        const from = ref ?? (await repository.defaultBranch(run.stopping));
        const base = await repository.head(from);
        const isMerged = continued !== undefined && base !== undefined && (await repository.hasMerged(continued, base));
        if (jobBranch !== undefined && continued !== undefined && !isMerged) {
            return { branch: jobBranch, base: continued, isFollowUp: true };
        }
        if (base === undefined) {
            throw new Error(`The repository has no branch ${from}.`);
        }
        // Git cannot have both a branch called `agent` and branches such as `agent/x`.
        const hasAgent = (await repository.head("agent")) !== undefined;
        return { branch: `agent${hasAgent ? "-" : "/"}${jobId}`, base, isFollowUp: false };
    }

    async #runAgent(workspace: Workspace): Promise<void> {
        const { agent, podJobs, bounds, repository, workFolder, log, run } = this.#context;
        const { jobId, prompt } = this.#prompt;
        const agentRun = { jobId, prompt, agent, repository, workspace, log, signal: run.stopping };
        await (podJobs === undefined ? runHere(agentRun, bounds, workFolder) : runInPod(podJobs, agentRun));
    }

    #describeChange(): string {
        const { jobId, projectId } = this.#prompt;
        const { pageUrl } = this.#context;
        const made = `Agent job ${jobId} of project ${projectId} made this change.`;
        return pageUrl === undefined ? made : `${made}\n\nIts prompts and log: ${pageUrl}`;
    }

    /** Pushes the change. If that fails, writes a file with the change, because another worker has no mirror. */
    async #pushOrKeep(change: Change): Promise<string> {
        const { run } = this.#context;
        try {
            return await this.#push(change);
        } catch (error) {
            run.signal.throwIfAborted();
            if (!(error instanceof GitError || error instanceof PushRefusedError)) {
                throw error;
            }
            throw await this.#bundle(change, error);
        }
    }

    /** Writes the change of a run that fails to a file. @returns the error with the place of the file */
    async #bundle({ commit, base, branch }: Omit<Change, "isFollowUp">, error: Error): Promise<Error> {
        const { repository, run, log, logger, bundle } = this.#context;
        const { jobId } = this.#prompt;
        await writeWithSpace(() => repository.writeBundle(bundle.path, { commit, base, jobId }), {
            assertWritable: () => assertWritable([dirname(bundle.path)]),
            signal: run.stopping,
            onWait: reportWait(run.what, (line) => log.note(line), logger, { job: jobId }),
        });
        return new Error(
            `${error.message}\nThe change is not lost: it is in the git bundle ${bundle.place}. To push it, copy the ` +
                `file to a clone, and run git fetch ${basename(bundle.path)} agent/${jobId} && ` +
                `git push origin FETCH_HEAD:refs/heads/${branch}`,
            { cause: error },
        );
    }

    /** Keeps what a failed agent has changed. @returns the error for the job @throws if the run was stopped or lost */
    async #keepWork(
        workspace: Workspace,
        { base, branch }: Pick<Change, "base" | "branch">,
        failure: AgentFailedError,
    ): Promise<Error> {
        const { agent, log, run } = this.#context;
        await run.confirm();
        run.stopping.throwIfAborted();
        try {
            // The disk limit also counts files that no commit contains, such as ignored ones.
            const commit = await this.#commit(workspace, base, agent.maxDiskBytes);
            return commit === undefined ? failure : await this.#bundle({ commit, base, branch }, failure);
        } catch (error) {
            run.stopping.throwIfAborted();
            log.note(`The changes of the agent could not be kept: ${(error as Error).message}`);
            return failure;
        }
    }

    /**
     * Pushes the change, and returns its branch, which has a different name if the job's branch belongs to somebody
     * else.
     */
    async #push(change: Change): Promise<string> {
        const { repository, shown, log, run } = this.#context;
        for (let name = 1; ; name += 1) {
            const branch = name === 1 ? change.branch : `${change.branch}-${name}`;
            await this.#record({ ...change, branch });
            try {
                const expected = change.isFollowUp ? change.base : undefined;
                shown.pushes({ branch, base: expected, commits: this.#commits(change) });
                await repository.push(change.commit, { branch, expected, signal: run.signal });
                log.note(`Pushed ${change.commit} to ${branch}.`);
                return branch;
            } catch (error) {
                const head =
                    error instanceof PushRefusedError ? await repository.remoteHead(branch, run.signal) : undefined;
                if (head !== undefined && this.#commits(change).includes(head)) {
                    log.note(`${head} was pushed to ${branch} meanwhile, by this run or an earlier one.`);
                    return branch;
                }
                if (head === undefined || change.isFollowUp || name === maxBranchNames) {
                    throw error;
                }
                log.note(`Branch ${branch} already exists.`);
            }
        }
    }

    /**
     * Stores the change before the push, so that a run that has lost its prompt, or whose job is archived, pushes
     * nothing. The commits of all runs are stored, because each may have been pushed.
     */
    #record({ commit, ...change }: Change): Promise<void> {
        const { run, attempts } = this.#context;
        const commits = this.#commits({ commit });
        return run.write("store its change", () => attempts.recordChange(this.#prompt, { ...change, commits }));
    }

    /** The commits of all runs of the prompt, with this run's commit at the end. */
    #commits({ commit }: Pick<Change, "commit">): string[] {
        return [...(this.#prompt.change?.commits ?? []).filter((earlier) => earlier !== commit), commit];
    }
}
