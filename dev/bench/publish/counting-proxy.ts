import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that passes every request on, and counts them. */
export interface CountingProxy {
    readonly endpoint: string;
    requests: number;
    close(): void;
}

/** @param endpoint - the S3 server; signatures stay valid, because the headers are passed on unchanged */
export async function startCountingProxy(endpoint: string): Promise<CountingProxy> {
    const { hostname, port } = new URL(endpoint);
    const server = createServer((received, response) => {
        proxy.requests += 1;
        const { method, url, rawHeaders: headers } = received;
        const passed = request({ hostname, port, method, path: url, headers }, (answer) => {
            response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
            answer.pipe(response);
        });
        passed.on("error", () => response.destroy());
        received.pipe(passed);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const proxy: CountingProxy = {
        endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        requests: 0,
        close: () => {
            server.close();
            server.closeAllConnections();
        },
    };
    return proxy;
}
