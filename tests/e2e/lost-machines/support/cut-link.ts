import { once } from "node:events";
import { createServer, type IncomingMessage, request as send, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** The places at which the link between a machine and its platform can be cut. */
export type Cut = "before the answer to a start" | "before a status";

/** The link between a machine and its platform: messages that reach the cut are lost. */
export class CutLink {
    /** The jobs that the platform has started. */
    readonly jobs = new Set<string>();
    readonly #server: Server;
    #cut: { at: Cut; onReached: () => void } | undefined;

    private constructor(
        private readonly serviceUrl: string,
        private readonly passesKeys: boolean,
    ) {
        this.#server = createServer((request, response) => void this.#pass(request, response));
    }

    /** @param options.passesKeys - false makes the service look like a platform that ignores `Idempotency-Key` */
    static async before(serviceUrl: string, { passesKeys }: { passesKeys: boolean }): Promise<CutLink> {
        const link = new CutLink(serviceUrl, passesKeys);
        await once(link.#server.listen(0, "127.0.0.1"), "listening");
        return link;
    }

    get url(): string {
        return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    }

    /** Cuts the link, and resolves when a message has reached the cut. */
    cutAt(at: Cut): Promise<void> {
        return new Promise((resolve) => (this.#cut = { at, onReached: resolve }));
    }

    restore(): void {
        this.#cut = undefined;
    }

    stop(): void {
        this.#server.closeAllConnections();
        this.#server.close();
    }

    async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
        const { method = "GET", url = "" } = request;
        if (method === "GET" && this.#isCut("before a status")) {
            return;
        }
        const passed = send(new URL(url, this.serviceUrl), { method, headers: this.#withoutKeys(request.headers) });
        request.pipe(passed);
        const [answer] = (await once(passed, "response")) as [IncomingMessage];
        const body = await json(answer);
        if (method === "POST" && !url.endsWith("/bundle")) {
            this.jobs.add((body as { jobId: string }).jobId);
            if (this.#isCut("before the answer to a start")) {
                return;
            }
        }
        const { "content-length": _, ...headers } = this.#withoutKeys(answer.headers);
        response.writeHead(answer.statusCode ?? 502, headers).end(JSON.stringify(body));
    }

    #isCut(place: Cut): boolean {
        const isCut = this.#cut?.at === place;
        if (isCut) {
            this.#cut?.onReached();
        }
        return isCut;
    }

    #withoutKeys<Headers extends object>(headers: Headers): Headers {
        const passed = Object.entries(headers).filter(([name]) => this.passesKeys || !name.startsWith("idempotency-"));
        return Object.fromEntries(passed) as Headers;
    }
}
