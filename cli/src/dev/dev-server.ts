import { failedPage, type LiveCalls, type LiveSiteProcess } from "@pulumi-static-export/exporter";
import { contentTypeOf } from "@pulumi-static-export/sdk/publish";
import { createReadStream } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { UsageError } from "../command-line/usage-error.js";
import { openInEditor } from "./open-in-editor.js";

interface DevServerOptions {
    readonly site: Pick<LiveSiteProcess, "call">;
    /** Tried in order until one is free. */
    readonly ports: readonly number[];
    readonly env: NodeJS.ProcessEnv;
    readonly onError: (message: string) => void;
}

/** A browser that shows a page. */
interface Viewer {
    readonly path: string;
    readonly response: ServerResponse;
}

const own = "/static-export/live";
const maxBodyBytes = 10_000;

/**
 * Serves a live site to browsers on this machine. Other sites in the same browser have no access: a request must name
 * this server as its host, which stops DNS rebinding, and only requests from its own pages can open an editor.
 */
export class DevServer {
    readonly #server: Server;
    readonly #viewers = new Set<Viewer>();
    #hosts: ReadonlySet<string> = new Set();

    constructor(private readonly options: DevServerOptions) {
        this.#server = createServer((request, response) => {
            this.#handle(request, response).catch((error: Error) => {
                if (!response.headersSent) {
                    answer(response, 500, error.message);
                }
                response.end();
                this.options.onError(error.message);
            });
        });
    }

    /** @returns the address @throws UsageError when every port is taken */
    async listen(): Promise<string> {
        const { ports } = this.options;
        for (const [index, port] of ports.entries()) {
            try {
                await this.#listenOn(port);
                break;
            } catch (error) {
                const { code } = error as NodeJS.ErrnoException;
                // Windows reserves ranges of ports for Hyper-V.
                if ((code === "EADDRINUSE" || code === "EACCES") && index + 1 < ports.length) {
                    continue;
                }
                const reason = code === "EADDRINUSE" ? "is taken by another program" : `is not available (${code})`;
                throw new UsageError(`Port ${port} ${reason}: choose another one with --port, or 0 for any.`);
            }
        }
        const { port: actual } = this.#server.address() as AddressInfo;
        this.#hosts = new Set([`127.0.0.1:${actual}`, `localhost:${actual}`]);
        return `http://127.0.0.1:${actual}`;
    }

    #listenOn(port: number): Promise<void> {
        return new Promise((resolve, reject) => {
            this.#server.once("error", reject).listen(port, "127.0.0.1", () => {
                this.#server.off("error", reject);
                resolve();
            });
        });
    }

    async close(): Promise<void> {
        this.#viewers.forEach(({ response }) => response.end());
        this.#server.closeAllConnections();
        await new Promise((resolve) => this.#server.close(resolve));
    }

    /**
     * Sends every browser the state of its page. Browsers that show another state reload the page.
     * @param isOnAll whether all pages must be reloaded, because they show a file that has changed
     */
    async update(isOnAll: boolean): Promise<void> {
        await Promise.all([...this.#viewers].map((viewer) => this.#send(viewer, isOnAll)));
    }

    async #send({ path, response }: Viewer, isOnAll: boolean): Promise<void> {
        const state = await this.options.site
            .call("state", path)
            .catch((error: Error) => ({ warnings: [], problem: error.message }));
        response.write(`data: ${JSON.stringify({ ...state, ...(isOnAll && { reload: true }) })}\n\n`);
    }

    async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
        const host = request.headers.host ?? "";
        if (!this.#hosts.has(host)) {
            return answer(response, 403, `This server answers only requests to ${[...this.#hosts].join(" or ")}.`);
        }
        const { pathname, searchParams } = new URL(request.url ?? "/", `http://${host}`);
        if (pathname === `${own}/open`) {
            return this.#open(request, response, host);
        }
        if (request.method !== "GET" && request.method !== "HEAD") {
            return answer(response, 405, "Only GET is allowed.");
        }
        if (pathname === `${own}/events`) {
            return this.#addViewer(pathOf(searchParams.get("path") ?? "/") ?? "", response);
        }
        const path = pathOf(pathname);
        return path === undefined
            ? answer(response, 400, "The address is not valid.")
            : this.#serve(path, response, await this.#file(path));
    }

    async #file(path: string): Promise<LiveCalls["file"]["result"]> {
        try {
            return await this.options.site.call("file", path);
        } catch (error) {
            const { message } = error as Error;
            this.options.onError(message);
            return failedPage(path, message);
        }
    }

    async #serve(path: string, response: ServerResponse, file: LiveCalls["file"]["result"]): Promise<void> {
        switch (file.kind) {
            case "page":
                response.writeHead(file.status, { ...headers, "Content-Type": contentTypeOf(".html") });
                response.end(file.html);
                return;
            case "text":
                response.writeHead(200, { ...headers, "Content-Type": contentTypeOf(path) });
                response.end(file.text);
                return;
            case "redirect":
                response.writeHead(302, { ...headers, Location: file.to });
                response.end();
                return;
            case "file":
                response.writeHead(200, { ...headers, "Content-Type": contentTypeOf(path) });
                await pipeline(createReadStream(file.path), response).catch(() => response.destroy());
        }
    }

    async #addViewer(path: string, response: ServerResponse): Promise<void> {
        response.writeHead(200, { ...headers, "Content-Type": "text/event-stream" });
        const viewer = { path, response };
        this.#viewers.add(viewer);
        response.on("close", () => this.#viewers.delete(viewer));
        await this.#send(viewer, false);
    }

    async #open(request: IncomingMessage, response: ServerResponse, host: string): Promise<void> {
        const isOwn =
            request.headers.origin === `http://${host}` && request.headers["content-type"] === "application/json";
        if (request.method !== "POST" || !isOwn) {
            return answer(response, 403, "Only pages of this server may open files in the editor.");
        }
        const { file, line } = JSON.parse(await readBody(request)) as { file?: unknown; line?: unknown };
        const place = typeof file === "string" ? await this.options.site.call("place", file) : undefined;
        if (place === undefined) {
            return answer(response, 404, "The site has no such file.");
        }
        const reason = await openInEditor(place, typeof line === "number" ? line : undefined, this.options.env);
        return answer(response, reason === undefined ? 200 : 422, reason ?? "Opened.");
    }
}

const headers = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "frame-ancestors 'self'",
};

function answer(response: ServerResponse, status: number, text: string): void {
    response.writeHead(status, { ...headers, "Content-Type": "text/plain; charset=utf-8" });
    response.end(text);
}

/** The path of an address, decoded, without leading slashes; undefined if it is invalid. */
function pathOf(pathname: string): string | undefined {
    try {
        const path = decodeURIComponent(pathname).replace(/^\/+/, "");
        return path.split(/[\\/]/).includes("..") || path.includes("\0") ? undefined : path;
    } catch {
        return undefined;
    }
}

async function readBody(request: IncomingMessage): Promise<string> {
    let body = "";
    for await (const chunk of request.setEncoding("utf8") as AsyncIterable<string>) {
        body += chunk;
        if (body.length > maxBodyBytes) {
            throw new Error("The request is too large.");
        }
    }
    return body;
}
