import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo } from "node:net";
import { hostInUrl } from "@pulumi-static-export/toolchain";

/** An object store that sends the spec's responses and records requests. */
export class BundleServer {
    readonly requests: { path: string; headers: IncomingHttpHeaders }[] = [];
    answer: RequestListener = (_request, response) => response.writeHead(404).end();
    readonly #server: Server;
    readonly #scheme: string;

    private constructor(
        private readonly address: string,
        tls: { key: string; cert: string } | undefined,
    ) {
        const listener: RequestListener = (request, response) => {
            this.requests.push({ path: request.url ?? "", headers: request.headers });
            this.answer(request, response);
        };
        this.#server = tls ? createTlsServer(tls, listener) : createServer(listener);
        this.#scheme = tls ? "https" : "http";
    }

    static async start(tls?: { key: string; cert: string }, address = "127.0.0.1"): Promise<BundleServer> {
        const server = new BundleServer(address, tls);
        await new Promise<void>((resolve) => server.#server.listen(0, address, resolve));
        return server;
    }

    /** Returns a link to this server, with a signature that must never be shown. */
    link(path = "/se_42.tar.gz"): string {
        const { port } = this.#server.address() as AddressInfo;
        return `${this.#scheme}://${hostInUrl(this.address)}:${port}${path}?signature=s3cr3t`;
    }

    serve(content: Buffer): void {
        const headers = { "content-length": content.length };
        this.answer = (_request, response) => response.writeHead(200, headers).end(content);
    }

    /** Sends one response per request, and repeats the last response. */
    serveInTurn(...answers: RequestListener[]): void {
        this.answer = (request, response) => {
            (answers.length > 1 ? answers.shift() : answers[0])?.(request, response);
        };
    }

    stop(): void {
        this.#server.closeAllConnections();
        this.#server.close();
    }
}

export const status =
    (code: number): RequestListener =>
    (_request, response) =>
        response.writeHead(code).end("<Error>s3cr3t</Error>");

export const whole =
    (content: Buffer): RequestListener =>
    (_request, response) =>
        response.end(content);

/** Announces the full length, and disconnects in the middle. */
export const brokenOff =
    (content: Buffer): RequestListener =>
    (_request, response) => {
        response.writeHead(200, { "content-length": content.length });
        response.write(content.subarray(0, content.length / 2), () => response.destroy());
    };
