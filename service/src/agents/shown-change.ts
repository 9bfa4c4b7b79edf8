import { toOneLine } from "@pulumi-static-export/exporter";
import { type PullRequest, type PullRequests } from "../forge/pull-requests.js";
import { type ServiceLogger } from "../shared/logger.js";
import { type RunLog } from "./agent-log.js";
import { type Repository } from "./repository.js";

interface ShownChangeContext {
    /** The job and its name in messages. */
    jobId: string;
    what: string;
    repository: Pick<Repository, "fetch" | "has" | "remoteHead" | "takeBack">;
    pullRequests: Pick<PullRequests, "close">;
    log: Pick<RunLog, "note">;
    logger: ServiceLogger;
    /** Aborted when this process stops its runs. */
    closing: AbortSignal;
}

interface Push {
    branch: string;
    /** The branch's commit before the push; undefined for a new branch. */
    base: string | undefined;
    /** The commits that runs of the prompt may have pushed. */
    commits: readonly string[];
}

/** Also a worker without a mirror fetches a repository in this time. */
const maxUndoMs = 5 * 60_000;

/** Shorter than the time that a stopped worker has to end. */
const maxUndoWhileClosingMs = 10_000;

/** The push and the pull request of a run, which others may see. */
export class ShownChange {
    readonly #context: ShownChangeContext;
    #push: Push | undefined;
    #pullRequest: Pick<PullRequest, "repository" | "branch" | "base"> | undefined;

    constructor(context: ShownChangeContext) {
        this.#context = context;
    }

    /** Whether others may see something of the change. */
    get mayBeSeen(): boolean {
        return this.#push !== undefined || this.#pullRequest !== undefined;
    }

    /** Called before a push. */
    pushes(push: Push): void {
        this.#push = push;
    }

    /** Called before a pull request may be opened. */
    opens(pullRequest: Pick<PullRequest, "repository" | "branch" | "base">): void {
        this.#pullRequest = pullRequest;
    }

    /**
     * Takes the change back, because its job was archived. The branch goes first: a forge that opens the pull request
     * late finds no branch for it. Never rejects.
     *
     * @returns whether it should be repeated, because this process closed before the change was taken back; after any
     * other failure, the logs say what is left
     */
    async undo(): Promise<{ isCut: boolean }> {
        const { closing } = this.#context;
        const end = new AbortController();
        const timers = [setTimeout(() => end.abort(), maxUndoMs)];
        const hurry = (): void => void timers.push(setTimeout(() => end.abort(), maxUndoWhileClosingMs));
        closing.addEventListener("abort", hurry);
        if (closing.aborted) {
            hurry();
        }
        try {
            const isUndone = await this.#undo(end.signal);
            return { isCut: !isUndone && closing.aborted };
        } finally {
            closing.removeEventListener("abort", hurry);
            timers.forEach((timer) => clearTimeout(timer));
        }
    }

    async #undo(signal: AbortSignal): Promise<boolean> {
        const { repository, pullRequests, log } = this.#context;
        const [push, pullRequest] = [this.#push, this.#pullRequest];
        let isUndone = true;
        if (push !== undefined) {
            const { branch, base, commits } = push;
            isUndone = await this.#try(`The push to branch ${branch} could not be undone`, async () => {
                const head = await repository.remoteHead(branch, signal);
                if (head !== undefined && commits.includes(head)) {
                    if (base !== undefined && !(await repository.has(base))) {
                        await repository.fetch(signal);
                    }
                    if (await repository.takeBack(head, { branch, base, signal })) {
                        log.note(`Took the push to ${branch} back, because the job was archived.`);
                    }
                }
            });
        }
        if (pullRequest !== undefined) {
            const failure = `The pull request of branch ${pullRequest.branch} could not be closed`;
            const isClosed = await this.#try(failure, async () => {
                const link = await pullRequests.close({ ...pullRequest, signal });
                if (link !== undefined) {
                    log.note(`Closed ${link}, because the job was archived.`);
                }
            });
            isUndone &&= isClosed;
        }
        return isUndone;
    }

    /** The service's log says what is left: nobody looks at an archived job. */
    async #try(failure: string, undo: () => Promise<void>): Promise<boolean> {
        const { jobId, what, log, logger } = this.#context;
        try {
            await undo();
            return true;
        } catch (error) {
            const line = `${failure}, although the job was archived: ${(error as Error).message}`;
            log.note(line);
            logger.error(toOneLine(`${what}: ${line}`), { job: jobId });
            return false;
        }
    }
}
