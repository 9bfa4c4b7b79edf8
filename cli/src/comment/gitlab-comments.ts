import { ForgeClient, type ForgeClock } from "@pulumi-static-export/service/forge";
import { type GitlabContext } from "./gitlab-context.js";
import { type Comment, type CommentStore, updateIfThere } from "./upsert-comment.js";

interface Note extends Comment {
    author: { id: number } | null;
}

/** The notes on a merge request, through GitLab's REST API, version 4. */
export class GitlabComments implements CommentStore {
    readonly #client: ForgeClient;
    readonly #thread: string;

    constructor(context: GitlabContext, { clock, signal }: { clock?: ForgeClock; signal?: AbortSignal } = {}) {
        const { projectId, mergeRequest, apiUrl, token } = context;
        this.#thread = `/projects/${encodeURIComponent(projectId)}/merge_requests/${mergeRequest}/notes`;
        this.#client = new ForgeClient({
            kind: "gitlab",
            apiUrl,
            clock,
            signal,
            token,
            tokenHeader: "private-token",
            advice: {
                401: "The token in GITLAB_TOKEN is wrong or has expired; CI_JOB_TOKEN cannot write notes.",
                403: "The token needs the scope api and at least the role Reporter: use a project access token.",
                404: "Check CI_MERGE_REQUEST_PROJECT_ID or CI_PROJECT_ID, and --pull-request, and that the token has access to the project.",
            },
        });
    }

    async *listOwn(): AsyncIterable<Comment> {
        const { body: me } = await this.#client.request("GET", "/user");
        const { id } = me as { id: number };
        const path = `${this.#thread}?per_page=100&sort=asc&order_by=created_at`;
        for await (const note of this.#client.list<Note>(path)) {
            if (note.author?.id === id) {
                yield { id: note.id, body: note.body };
            }
        }
    }

    async create(body: string): Promise<void> {
        await this.#client.request("POST", this.#thread, { body: { body } });
    }

    async update(id: number, body: string): Promise<boolean> {
        return updateIfThere(this.#client, "PUT", `${this.#thread}/${id}`, body);
    }

    async remove(id: number): Promise<void> {
        await this.#client.request("DELETE", `${this.#thread}/${id}`, { accepted: [404] });
    }
}
