import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { pipeline } from "node:stream";

/** Forwards connections from one address of this machine to a port on loopback. */
export class Forwarder {
    private constructor(
        private readonly server: Server,
        private readonly sockets: Set<Socket>,
    ) {}

    static async listen(address: string, targetPort: number): Promise<Forwarder> {
        const sockets = new Set<Socket>();
        const server = createServer((inbound) => {
            const outbound = connect(targetPort, "127.0.0.1");
            for (const socket of [inbound, outbound]) {
                sockets.add(socket);
                socket.once("close", () => sockets.delete(socket));
            }
            // If one side fails, pipeline closes the other side, so both client and server notice the failure without
            // further code.
            pipeline(inbound, outbound, () => {});
            pipeline(outbound, inbound, () => {});
        }).listen(0, address);
        await once(server, "listening");
        return new Forwarder(server, sockets);
    }

    get address(): string {
        const { address, port } = this.server.address() as AddressInfo;
        return `http://${address}:${port}`;
    }

    async close(): Promise<void> {
        for (const socket of this.sockets) {
            socket.destroy();
        }
        this.server.close();
        await once(this.server, "close");
    }
}
