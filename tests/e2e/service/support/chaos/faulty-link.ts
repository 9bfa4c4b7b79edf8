import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { finished } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";

/** How a link damages its traffic. */
export type LinkFault =
    /** Accepts connections, and forwards nothing on any connection. */
    | { kind: "silence" }
    /** Resets every connection. */
    | { kind: "refusal" }
    /** Answers every connection with 503, as an overloaded storage does. */
    | { kind: "503" }
    | { kind: "latency"; ms: number }
    | { kind: "trickle"; bytes: number };

interface Connection {
    near: Socket;
    far: Socket | undefined;
    isSilent: boolean;
    /** Whether the client has not closed it; its server may notice that only seconds later. */
    isHeld: boolean;
}

const unavailable =
    "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: application/xml\r\nContent-Length: 40\r\n\r\n" +
    "<Error><Code>SlowDown</Code></Error>    ";

/** Forwards connections to a server on loopback, with faults. */
export class FaultyLink {
    readonly #server: Server;
    readonly #findPort: () => number;
    /** The connections that may still get data. */
    readonly #connections = new Set<Connection>();
    /** All connections of clients, also those that were refused or fell silent. */
    readonly #sockets = new Set<Socket>();
    #fault: LinkFault | undefined;

    private constructor(findPort: () => number) {
        this.#findPort = findPort;
        this.#server = createServer({ allowHalfOpen: true }, (near) => this.#accept(near));
    }

    /** @param findPort - called for each connection */
    static async open(findPort: () => number): Promise<FaultyLink> {
        const link = new FaultyLink(findPort);
        await once(link.#server.listen(0, "127.0.0.1"), "listening");
        return link;
    }

    get port(): number {
        return (this.#server.address() as AddressInfo).port;
    }

    /** The number of connections that clients have opened and not closed, also silent ones. */
    get size(): number {
        return [...this.#connections].filter(({ isHeld }) => isHeld).length;
    }

    damage(fault: LinkFault): void {
        this.#fault = fault;
        if (fault.kind === "silence") {
            this.#connections.forEach((connection) => (connection.isSilent = true));
        } else if (fault.kind === "refusal" || fault.kind === "503") {
            this.reset();
        }
    }

    /** Silent connections stay silent, as those of a network that has forgotten them. */
    heal(): void {
        this.#fault = undefined;
    }

    /** Loses all connections. */
    reset(): void {
        for (const { near, far } of this.#connections) {
            near.resetAndDestroy();
            far?.destroy();
        }
        this.#connections.clear();
    }

    async close(): Promise<void> {
        const closed = once(this.#server, "close");
        this.#server.close();
        this.reset();
        this.#sockets.forEach((socket) => socket.destroy());
        await closed;
    }

    #accept(near: Socket): void {
        near.on("error", () => undefined);
        this.#sockets.add(near.on("close", () => this.#sockets.delete(near)));
        if (this.#fault?.kind === "refusal") {
            near.resetAndDestroy();
            return;
        }
        if (this.#fault?.kind === "503") {
            near.once("data", () => near.end(unavailable));
            return;
        }
        const far = connect({ port: this.#findPort(), host: "127.0.0.1", allowHalfOpen: true });
        far.on("error", () => undefined);
        const connection = { near, far, isSilent: this.#fault?.kind === "silence", isHeld: true };
        this.#connections.add(connection);
        void Promise.all([this.#forward(connection, near, far), this.#forward(connection, far, near)]).then(() =>
            this.#connections.delete(connection),
        );
    }

    async #forward(connection: Connection, from: Socket, to: Socket): Promise<void> {
        let delivered = Promise.resolve();
        from.on("data", (data) => {
            delivered = delivered.then(() => this.#deliver(connection, data, to));
        });
        try {
            // Reads ahead of a slow delivery, to notice the end at once.
            await finished(from, { writable: false }).finally(() => (connection.isHeld &&= from !== connection.near));
            await delivered;
            if (!connection.isSilent) {
                to.end();
            }
        } catch {
            // The connection was lost on one side.
            if (!connection.isSilent) {
                to.destroy();
            }
        }
    }

    async #deliver(connection: Connection, data: Buffer, to: Socket): Promise<void> {
        if (this.#fault?.kind === "latency") {
            await delay(this.#fault.ms);
        }
        for (let sent = 0; sent < data.length && !connection.isSilent && !to.destroyed;) {
            const bytes = this.#fault?.kind === "trickle" ? this.#fault.bytes : data.length - sent;
            to.write(data.subarray(sent, sent + bytes));
            sent += bytes;
            if (sent < data.length) {
                await delay(2);
            }
        }
    }
}
