import { type Answer, type Request, RestServer } from "./rest-server.js";

const notFound = { status: 404, body: { message: "Not Found", documentation_url: "https://docs.github.com/rest" } };

/** GitHub's REST API for issue comments, according to its reference for version 2022-11-28. */
export class GithubServer extends RestServer {
    /** A workflow's token has no user: GET /user is refused, and a bot is the author of its comments. */
    isWorkflowToken = true;

    protected handle(request: Request): Answer {
        const { method, path, headers } = request;
        if (headers.authorization !== `Bearer ${this.token}`) {
            return { status: 401, body: { message: "Bad credentials" } };
        }
        if (path === "/user") {
            return this.isWorkflowToken
                ? { status: 403, body: { message: "Resource not accessible by integration" } }
                : { status: 200, body: { id: this.me } };
        }
        if (path === "/repos/octo/docs/pulls") {
            const isFork = request.query.get("head") === "fork:topic" && request.query.get("state") === "open";
            const pulls = [
                { number: 3, head: { sha: "older" } },
                { number: 5, head: { sha: "abc" } },
                { number: 7, head: { sha: "shared" } },
                { number: 9, head: { sha: "shared" } },
            ];
            return { status: 200, body: isFork ? pulls : [] };
        }
        if (path === "/repos/octo/docs/issues/5/comments") {
            return method === "POST"
                ? this.write(request, undefined, 201)
                : this.page(request, (each) => this.#show(each));
        }
        const [, id] = /^\/repos\/octo\/docs\/issues\/comments\/(\d+)$/.exec(path) ?? [];
        if (id !== undefined && method === "DELETE") {
            return this.remove(Number(id));
        }
        return id !== undefined && method === "PATCH" ? this.write(request, Number(id), 200) : notFound;
    }

    #show({ id, body, author }: { id: number; body: string; author: number }): object {
        const isBot = this.isWorkflowToken && author === this.me;
        return { id, body, user: { id: author, type: isBot ? "Bot" : "User" } };
    }
}
