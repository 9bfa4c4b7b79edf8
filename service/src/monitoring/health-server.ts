import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { ServiceOptionsError } from "../shared/service-options-error.js";

/** The address for a process's health checks. */
export interface HealthAddress {
    host: string;
    /** With 0, the system picks a free port. */
    port: number;
    /** The release that the metrics name. @default "unknown" */
    version?: string | undefined;
}

interface HealthServerOptions {
    /** Lists the reasons why this process should get no work now; empty if it may get work. */
    findProblems: () => Promise<string[]>;
    metrics: () => Promise<string>;
}

/** Answers `/livez`, `/readyz` and `/metrics` without a key: use an address that only operators can reach. */
export class HealthServer {
    readonly #options: HealthServerOptions;
    readonly #server: Server;

    constructor(options: HealthServerOptions) {
        this.#options = options;
        this.#server = createServer((request, response) => {
            this.#answer(request.url ?? "", response).catch((error: unknown) => send(response, 503, String(error)));
        });
    }

    /** @returns the address that it listens on @throws ServiceOptionsError when it cannot, for example on a taken port */
    async listen({ host, port }: Pick<HealthAddress, "host" | "port">): Promise<string> {
        this.#server.listen(port, host);
        try {
            await once(this.#server, "listening");
        } catch (error) {
            const { code = "" } = error as NodeJS.ErrnoException;
            const reason = code === "EADDRINUSE" ? "another program uses the port" : (error as Error).message;
            throw new ServiceOptionsError(
                `The address for health and metrics, ${host}:${port}, cannot be used (${reason}): choose another ` +
                    "--health.",
            );
        }
        const address = this.#server.address() as AddressInfo;
        return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
    }

    async close(): Promise<void> {
        if (this.#server.listening) {
            const closed = once(this.#server, "close");
            this.#server.close();
            this.#server.closeAllConnections();
            await closed;
        }
    }

    async #answer(url: string, response: ServerResponse): Promise<void> {
        switch (url.split("?", 1)[0]) {
            case "/livez":
                send(response, 200, "alive");
                return;
            case "/readyz": {
                const problems = await this.#options.findProblems();
                send(response, problems.length === 0 ? 200 : 503, problems.join("\n") || "ready");
                return;
            }
            case "/metrics":
                response.setHeader("content-type", "text/plain; version=0.0.4; charset=utf-8");
                send(response, 200, await this.#options.metrics());
                return;
            default:
                send(response, 404, "Request /livez, /readyz or /metrics.");
        }
    }
}

function send(response: ServerResponse, status: number, text: string): void {
    if (!response.hasHeader("content-type")) {
        response.setHeader("content-type", "text/plain; charset=utf-8");
    }
    response.writeHead(status).end(text.endsWith("\n") ? text : `${text}\n`);
}
