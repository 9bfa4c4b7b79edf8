import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { createServer as createTlsServer } from "node:tls";
import { urlToHttpOptions } from "node:url";

interface ForwarderOptions {
    /** @default loopback, because clients send no key to other addresses over plain HTTP */
    host?: string;
    /** If set, the forwarder terminates TLS, like the proxy in front of a service. */
    certificate?: { key: string; cert: string };
}

/** A port of this machine that forwards connections to another address. */
export class Forwarder {
    readonly url: string;

    private constructor(
        private readonly server: Server,
        scheme: string,
    ) {
        const { address, port } = server.address() as AddressInfo;
        this.url = `${scheme}://${address}:${port}`;
    }

    /** @param target - returns the address for each connection */
    static async start(target: () => URL | Promise<URL>, options: ForwarderOptions = {}): Promise<Forwarder> {
        const { host = "127.0.0.1", certificate } = options;
        const forward = async (socket: Socket): Promise<void> => {
            const { hostname, port } = urlToHttpOptions(await target());
            // A client that disconnects early must not fail the spec.
            pipeline(socket, connect(Number(port || 80), hostname ?? ""), socket, () => undefined);
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
