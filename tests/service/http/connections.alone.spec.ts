import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { createApp } from "../../../service/src/http/app.js";
import { silentLogger } from "../../../service/src/shared/logger.js";

/** Short timeouts for real sockets and the real clock of Node's HTTP server. */
const timeouts = { headersMs: 100, requestMs: 200, idleMs: 300, keepAliveMs: 100, checkMs: 20 };

/**
 * Connects to an app with short timeouts, sends the bytes without closing, and resolves when the server has freed every
 * socket.
 */
async function sendAndWait(
    bytes: string,
    onSocket: (socket: Socket) => void = (socket) => socket.resume(),
): Promise<void> {
    const app = createApp(silentLogger, { timeouts });
    app.get("/endless", (_request, reply) =>
        reply.send(
            new Readable({
                read() {
                    this.push(Buffer.alloc(64 * 1024));
                },
            }),
        ),
    );
    app.post("/body", () => ({}));
    let connections = 0;
    let freed = (): void => undefined;
    const allFreed = new Promise<void>((resolve) => (freed = resolve));
    app.server.on("connection", (socket: Socket) => {
        connections += 1;
        socket.once("close", () => {
            connections -= 1;
            if (connections === 0) {
                freed();
            }
        });
    });
    try {
        const { port } = new URL(await app.listen({ port: 0, host: "127.0.0.1" }));
        // The socket may be half open, because this client never closes its side.
        const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
        socket.on("error", () => undefined);
        await once(socket, "connect");
        onSocket(socket);
        socket.write(bytes);
        await allFreed;
        assert.equal(connections, 0);
        socket.destroy();
    } finally {
        await app.close();
    }
}

describe("A connection is freed, even if its client never closes it,", function () {
    this.timeout(120_000);

    it("when no request arrives", async () => sendAndWait(""));

    it("when the headers do not end", async () => sendAndWait("GET / HTTP/1.1\r\nHost: x\r\n"));

    it("when the body does not end", async () =>
        sendAndWait("POST /body HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"));

    it("when no further request arrives", async () => sendAndWait("GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n"));

    it("when the data is not HTTP", async () => sendAndWait("hello\r\n\r\n"));

    it("when its client stops reading during a download", async () =>
        sendAndWait("GET /endless HTTP/1.1\r\nHost: x\r\n\r\n", (socket) => socket.pause()));
});
