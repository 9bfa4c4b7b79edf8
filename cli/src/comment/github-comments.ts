import { ForgeClient, type ForgeClock } from "@pulumi-static-export/service/forge";
import { UsageError } from "../command-line/usage-error.js";
import { type GithubContext } from "./github-context.js";
import { type Comment, type CommentStore, updateIfThere } from "./upsert-comment.js";

const rights =
    "The token needs permission to write comments: `permissions: pull-requests: write` in the workflow. The token of a " +
    "pull request from a fork never has this permission: let a second workflow, on workflow_run, write the comment.";

interface GithubComment extends Comment {
    user: { id: number; type: string } | null;
}

/** The comments on a pull request, through GitHub's REST API, version 2022-11-28. */
export class GithubComments implements CommentStore {
    readonly #client: ForgeClient;
    readonly #context: GithubContext;

    constructor(context: GithubContext, { clock, signal }: { clock?: ForgeClock; signal?: AbortSignal } = {}) {
        this.#context = context;
        this.#client = new ForgeClient({
            kind: "github",
            apiUrl: context.apiUrl,
            clock,
            signal,
            token: context.token,
            advice: {
                401: "The token in GITHUB_TOKEN is wrong or has expired.",
                403: rights,
                404: "Check GITHUB_REPOSITORY and --pull-request; for a private repository the token must have access to it.",
            },
        });
    }

    async *listOwn(): AsyncIterable<Comment> {
        const isOwn = await this.#ownership();
        for await (const comment of this.#client.list<GithubComment>(`${await this.#thread()}?per_page=100`)) {
            if (isOwn(comment)) {
                yield { id: comment.id, body: comment.body ?? "" };
            }
        }
    }

    async create(body: string): Promise<void> {
        await this.#client.request("POST", await this.#thread(), { body: { body } });
    }

    async update(id: number, body: string): Promise<boolean> {
        return updateIfThere(this.#client, "PATCH", `${this.#repository()}/issues/comments/${id}`, body);
    }

    async remove(id: number): Promise<void> {
        await this.#client.request("DELETE", `${this.#repository()}/issues/comments/${id}`, { accepted: [404] });
    }

    /**
     * Returns a function that recognises the token's comments: their author is the token's user or, for a workflow's
     * token without a user, a bot.
     */
    async #ownership(): Promise<(comment: GithubComment) => boolean> {
        const { status, body } = await this.#client.request("GET", "/user", { accepted: [403, 404] });
        const { id } = (body ?? {}) as { id?: number };
        return status === 200 ? ({ user }) => user?.id === id : ({ user }) => user?.type === "Bot";
    }

    async #thread(): Promise<string> {
        return `${this.#repository()}/issues/${await this.#pullRequest()}/comments`;
    }

    /** Finds the number of the pull request: for forks, a `workflow_run` event contains only the branch. */
    async #pullRequest(): Promise<number> {
        const { pullRequest, head } = this.#context;
        if (pullRequest !== undefined) {
            return pullRequest;
        }
        if (head !== undefined) {
            const query = new URLSearchParams({ state: "open", head: `${head.owner}:${head.branch}` });
            const { body } = await this.#client.request("GET", `${this.#repository()}/pulls?${String(query)}`);
            const [found, ...others] = (body as { number: number; head: { sha: string } }[]).filter(
                (each) => each.head.sha === head.sha,
            );
            if (others.length > 0) {
                throw new UsageError(
                    `The branch ${head.branch} has several open pull requests: pass --pull-request <number>.`,
                );
            }
            if (found !== undefined) {
                this.#context.pullRequest = found.number;
                return found.number;
            }
        }
        throw new UsageError("This job belongs to no open pull request: pass --pull-request <number>.");
    }

    #repository(): string {
        return `/repos/${this.#context.repository}`;
    }
}
