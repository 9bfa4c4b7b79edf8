import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

interface Link {
    near: Socket;
    far: Socket;
    isCut: boolean;
}

/**
 * Forwards connections to a server on loopback, and can drop them without notice to either side, as a network does.
 */
export class TcpProxy {
    readonly #server: Server;
    readonly #links = new Set<Link>();
    #isDead = false;

    private constructor(targetPort: number) {
        this.#server = createServer((near) => {
            const far = connect(targetPort, "127.0.0.1");
            const link: Link = { near, far, isCut: this.#isDead };
            this.#links.add(link);
            forward(link, near, far);
            forward(link, far, near);
        });
    }

    static async start(targetPort: number): Promise<TcpProxy> {
        const proxy = new TcpProxy(targetPort);
        proxy.#server.listen(0, "127.0.0.1");
        await once(proxy.#server, "listening");
        return proxy;
    }

    get port(): number {
        return (this.#server.address() as AddressInfo).port;
    }

    /** Returns the address `url` through this proxy. */
    through(url: string): string {
        const proxied = new URL(url);
        proxied.port = String(this.port);
        return proxied.href;
    }

    /** Stops forwarding on current connections; new connections work. */
    cut(): void {
        this.#links.forEach((link) => (link.isCut = true));
    }

    /** Accepts connections from now on, but forwards no data. */
    die(): void {
        this.#isDead = true;
        this.cut();
    }

    async close(): Promise<void> {
        this.#server.close();
        for (const { near, far } of this.#links) {
            near.destroy();
            far.destroy();
        }
        await once(this.#server, "close");
    }
}

function forward(link: Link, from: Socket, to: Socket): void {
    from.on("data", (data) => void (link.isCut || to.write(data)));
    from.on("close", () => void (link.isCut || to.destroy()));
    // Both ends notice errors by themselves.
    from.on("error", () => undefined);
}
