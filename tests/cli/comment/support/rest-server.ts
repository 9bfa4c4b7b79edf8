import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo } from "node:net";

export interface Request {
    method: string;
    path: string;
    query: URLSearchParams;
    headers: IncomingMessage["headers"];
    body: { body?: string };
}

export interface Answer {
    status: number;
    body?: unknown;
    /** The raw text that is sent in place of a JSON body. */
    text?: string;
    headers?: Record<string, string>;
}

/** Replaces the next response; with `done`, the server still carries out the request. */
export interface Fault extends Answer {
    method: string;
    done?: boolean;
    /** Cuts the connection without a response. */
    cut?: boolean;
}

interface StoredComment {
    id: number;
    body: string;
    author: number;
}

/** The part that both platforms share: paginated comments and simulated faults. */
export abstract class RestServer {
    readonly requests: Request[] = [];
    readonly comments: StoredComment[] = [];
    readonly faults: Fault[] = [];
    readonly token = "token_0123456789abcdef";
    /** The token's user. */
    readonly me: number = 7;
    #server!: Server;
    #nextId = 100;

    async start(): Promise<this> {
        this.#server = createServer((incoming, outgoing) => {
            void this.#answer(incoming).then((answer) => {
                if (answer === "cut") {
                    outgoing.destroy();
                    return;
                }
                outgoing.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
                outgoing.end(answer.text ?? JSON.stringify(answer.body ?? {}));
            });
        }).listen(0, "127.0.0.1");
        await once(this.#server, "listening");
        return this;
    }

    get url(): string {
        return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    }

    /** Stores a comment that already exists on the platform. */
    add(body: string, author = this.me): StoredComment {
        const comment = { id: this.#nextId++, body, author };
        this.comments.push(comment);
        return comment;
    }

    count(method: string): number {
        return this.requests.filter((request) => request.method === method).length;
    }

    async stop(): Promise<void> {
        this.#server.closeAllConnections();
        this.#server.close();
        await once(this.#server, "close");
    }

    async #answer(incoming: IncomingMessage): Promise<Answer | "cut"> {
        const { pathname, searchParams } = new URL(incoming.url ?? "/", this.url);
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) {
            chunks.push(chunk as Buffer);
        }
        const body = JSON.parse(Buffer.concat(chunks).toString() || "{}") as Request["body"];
        const { method = "GET", headers } = incoming;
        const request = { method, path: pathname, query: searchParams, headers, body };
        this.requests.push(request);
        const index = this.faults.findIndex((fault) => fault.method === method);
        const [fault] = index === -1 ? [] : this.faults.splice(index, 1);
        if (fault === undefined) {
            return this.handle(request);
        }
        if (fault.done === true) {
            this.handle(request);
        }
        return fault.cut === true ? "cut" : fault;
    }

    protected page(request: Request, show: (comment: StoredComment) => object): Answer {
        const perPage = Math.min(Number(request.query.get("per_page") ?? 30), 100);
        const page = Number(request.query.get("page") ?? 1);
        const isLast = page * perPage >= this.comments.length;
        const next = new URLSearchParams(request.query);
        next.set("page", String(page + 1));
        const link = `<${this.url}${request.path}?${String(next)}>; rel="next", <${this.url}${request.path}?page=1>; rel="first"`;
        return {
            status: 200,
            body: this.comments.slice((page - 1) * perPage, page * perPage).map(show),
            headers: isLast ? {} : { link },
        };
    }

    protected write(request: Request, id: number | undefined, created: number): Answer {
        if (id === undefined) {
            this.add(request.body.body ?? "");
            return { status: created };
        }
        const comment = this.comments.find((each) => each.id === id);
        if (comment === undefined) {
            return { status: 404, body: { message: "Not Found" } };
        }
        comment.body = request.body.body ?? "";
        return { status: 200 };
    }

    protected remove(id: number): Answer {
        const index = this.comments.findIndex((each) => each.id === id);
        if (index === -1) {
            return { status: 404, body: { message: "Not Found" } };
        }
        this.comments.splice(index, 1);
        return { status: 204 };
    }

    protected abstract handle(request: Request): Answer;
}
