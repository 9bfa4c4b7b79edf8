import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface RecordedRequest {
    method: string;
    url: string;
    headers: IncomingMessage["headers"];
    body: string;
    /** The number of the connection, counted from 1. */
    connection: number;
}

export type Reply = (response: ServerResponse, request: RecordedRequest) => void;

export interface TestServer {
    baseUrl: string;
    requests: RecordedRequest[];
    /** Returns the number of connections opened so far. */
    connections: () => number;
}

/**
 * Runs a real server on loopback during `run`. The n-th request gets the n-th reply; further requests get the last
 * reply.
 */
export async function withServer(replies: readonly Reply[], run: (server: TestServer) => Promise<void>): Promise<void> {
    const requests: RecordedRequest[] = [];
    const connectionIds = new Map<unknown, number>();
    const answer: RequestListener = (request, response) => {
        const chunks: Buffer[] = [];
        request.on("data", (chunk: Buffer) => chunks.push(chunk));
        request.on("end", () => {
            const recorded = {
                method: request.method ?? "",
                url: request.url ?? "",
                headers: request.headers,
                body: Buffer.concat(chunks).toString(),
                connection: connectionIds.get(request.socket) ?? 0,
            };
            requests.push(recorded);
            const reply = replies[Math.min(requests.length, replies.length) - 1];
            reply?.(response, recorded);
        });
    };
    const server = createServer(answer);
    server.on("connection", (socket) => connectionIds.set(socket, connectionIds.size + 1));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
        await run({ baseUrl: `http://127.0.0.1:${port}`, requests, connections: () => connectionIds.size });
    } finally {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
    }
}

/** Replies with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
    return (response) => {
        response.writeHead(status, { "content-type": "application/json", ...headers });
        response.end(JSON.stringify(body));
    };
}

/** Replies with this text. */
export function text(status: number, body: string, headers: Record<string, string> = {}): Reply {
    return (response) => {
        response.writeHead(status, headers);
        response.end(body);
    };
}

/** Accepts the request, then cuts the connection. */
export const loseConnection: Reply = (response) => response.destroy();

/** Cuts the connection in the middle of the body. */
export const loseConnectionInBody: Reply = (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"jobId":', () => response.destroy());
};

/** Accepts the request and never responds. */
export const neverAnswer: Reply = () => undefined;
