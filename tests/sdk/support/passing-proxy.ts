import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface PassingProxy {
    readonly endpoint: string;
    /** The number of requests that the proxy has received. */
    requests: number;
    close(): void;
}

interface Refusal {
    readonly status: number;
    readonly body: string;
}

/**
 * Starts a server in front of another server. Signatures stay valid, because the headers are passed on unchanged.
 *
 * @param refuse - returns the status or the whole response of a request that is not passed on, given its path, header
 * names and header values
 * @param alter - changes the header names and values of a response
 */
export async function startPassingProxy(
    endpoint: string,
    refuse: (path: string, headers: readonly string[]) => Refusal | number | undefined = () => undefined,
    alter: (headers: string[]) => string[] = (headers) => headers,
): Promise<PassingProxy> {
    const { hostname, port } = new URL(endpoint);
    const server = createServer((received, response) => {
        proxy.requests += 1;
        const { method, url: path = "", rawHeaders: headers } = received;
        const refusal = refuse(path, headers);
        if (refusal !== undefined) {
            const { status, body } = typeof refusal === "number" ? { status: refusal, body: "" } : refusal;
            received.resume().on("end", () => response.writeHead(status).end(body));
            return;
        }
        const passed = request({ hostname, port, method, path, headers }, (answer) => {
            response.writeHead(answer.statusCode ?? 502, alter(answer.rawHeaders));
            answer.pipe(response);
        });
        passed.on("error", () => response.destroy());
        received.pipe(passed);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const proxy: PassingProxy = {
        endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        requests: 0,
        close: () => server.close().closeAllConnections(),
    };
    return proxy;
}
