import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { createServer as createTlsServer } from "node:tls";

export interface ForwarderOptions {
    /** @default loopback: clients send no key over plain HTTP to anything else */
    host?: string;
    /** Makes it end TLS, as the proxy in front of a service does. */
    certificate?: { key: string; cert: string };
}

/** A port of this machine that leads elsewhere. */
export class Forwarder {
    readonly url: string;

    private constructor(
        private readonly server: Server,
        scheme: string,
    ) {
        const { address, port } = server.address() as AddressInfo;
        this.url = `${scheme}://${address}:${port}`;
    }

    /** @param target - asked for each connection */
    static async start(target: () => URL | Promise<URL>, options: ForwarderOptions = {}): Promise<Forwarder> {
        const { host = "127.0.0.1", certificate } = options;
        const forward = async (socket: Socket): Promise<void> => {
            const { hostname, port } = await target();
            // A client that goes away in the middle does not fail the spec.
            pipeline(socket, connect(Number(port || 80), hostname), socket, () => undefined);
        };
        const onConnection = (socket: Socket) => void forward(socket).catch(() => socket.destroy());
        const server = certificate ? createTlsServer(certificate, onConnection) : createServer(onConnection);
        await once(server.listen(0, host), "listening");
        return new Forwarder(server, certificate ? "https" : "http");
    }

    stop(): void {
        this.server.close();
    }
}
