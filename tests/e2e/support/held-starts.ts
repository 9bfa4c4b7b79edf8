import { once } from "node:events";
import { createServer, request as send, type Server } from "node:http";
import { type AddressInfo } from "node:net";

/** A proxy in front of a service; it holds back requests that start jobs until a spec releases them. */
export class HeldStarts {
    /** Releases all waiting and future starts. */
    release = (): void => undefined;
    readonly #server: Server;

    private constructor(serviceUrl: string) {
        const released = new Promise<void>((resolve) => (this.release = resolve));
        this.#server = createServer((request, response) => {
            const { method = "GET", url = "", headers } = request;
            const pass = (): void => {
                const passed = send(new URL(url, serviceUrl), { method, headers }, (answer) => {
                    answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers));
                });
                request.pipe(passed.on("error", () => response.destroy()));
            };
            void (method === "POST" && url === "/v1/static-export/jobs" ? released.then(pass) : pass());
        });
    }

    static async before(serviceUrl: string): Promise<HeldStarts> {
        const held = new HeldStarts(serviceUrl);
        await once(held.#server.listen(0, "127.0.0.1"), "listening");
        return held;
    }

    get url(): string {
        return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    }

    stop(): void {
        this.release();
        this.#server.closeAllConnections();
        this.#server.close();
    }
}
