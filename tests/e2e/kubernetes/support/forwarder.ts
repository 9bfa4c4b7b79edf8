import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { pipeline } from "node:stream";

/** A port of loopback that leads elsewhere: clients send no key over plain HTTP to anything but loopback. */
export class Forwarder {
    readonly url: string;

    private constructor(private readonly server: Server) {
        this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }

    /** @param target - asked for each connection */
    static async start(target: () => URL): Promise<Forwarder> {
        const server = createServer((socket) => {
            const { hostname, port } = target();
            // A client that goes away in the middle is no error of the spec.
            pipeline(socket, connect(Number(port || 80), hostname), socket, () => undefined);
        });
        await once(server.listen(0, "127.0.0.1"), "listening");
        return new Forwarder(server);
    }

    stop(): void {
        this.server.close();
    }
}
