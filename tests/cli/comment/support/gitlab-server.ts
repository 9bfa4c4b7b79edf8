import { type Answer, type Request, RestServer } from "./rest-server.js";

/** GitLab's REST API for merge request notes, version 4. */
export class GitlabServer extends RestServer {
    protected handle(request: Request): Answer {
        const { method, path, headers } = request;
        if (headers["private-token"] !== this.token) {
            return { status: 401, body: { message: "401 Unauthorized" } };
        }
        if (path === "/user") {
            return { status: 200, body: { id: this.me } };
        }
        const [, id] = /^\/projects\/42\/merge_requests\/5\/notes(?:\/(\d+))?$/.exec(path) ?? [];
        if (!path.startsWith("/projects/42/merge_requests/5/notes")) {
            return { status: 404, body: { message: "404 Project Not Found" } };
        }
        if (id !== undefined && method === "DELETE") {
            return this.remove(Number(id));
        }
        return method === "GET"
            ? this.page(request, ({ id, body, author }) => ({ id, body, system: false, author: { id: author } }))
            : this.write(request, id === undefined ? undefined : Number(id), 201);
    }
}
