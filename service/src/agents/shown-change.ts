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
}

interface Push {
    branch: string;
    /** The branch's commit before the push; undefined for a new branch. */
    base: string | undefined;
    /** The commits that runs of the prompt may have pushed. */
    commits: readonly string[];
}

/** Shorter than the time that a stopped worker has to end. */
const maxUndoMs = 10_000;

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
     */
    async undo(): Promise<void> {
        const { repository, pullRequests, log } = this.#context;
        const [push, pullRequest] = [this.#push, this.#pullRequest];
        const signal = AbortSignal.timeout(maxUndoMs);
        if (push !== undefined) {
            const { branch, base, commits } = push;
            await this.#try(`The push to branch ${branch} could not be undone`, async () => {
                const head = await repository.remoteHead(branch, signal);
                if (head !== undefined && commits.includes(head)) {
                    if (base !== undefined && !(await repository.has(base))) {
                        await repository.fetch(signal);
                    }
                    await repository.takeBack(head, { branch, base, signal });
                    log.note(`Took the push to ${branch} back, because the job was archived.`);
                }
            });
        }
        if (pullRequest !== undefined) {
            await this.#try(`The pull request of branch ${pullRequest.branch} could not be closed`, async () => {
                const link = await pullRequests.close({ ...pullRequest, signal });
                if (link !== undefined) {
                    log.note(`Closed ${link}, because the job was archived.`);
                }
            });
        }
    }

    /** The service's log says what is left: nobody looks at an archived job. */
    async #try(failure: string, undo: () => Promise<void>): Promise<void> {
        const { jobId, what, log, logger } = this.#context;
        try {
            await undo();
        } catch (error) {
            const line = `${failure}, although the job was archived: ${(error as Error).message}`;
            log.note(line);
            logger.error(toOneLine(`${what}: ${line}`), { job: jobId });
        }
    }
}
