import { Server } from "proxy-chain";

export const proxyPassword = "pr0xy_5ecret";

/** A real HTTP proxy on loopback that lets nobody through without the password. */
export class PasswordProxy {
    /** `host:port` of what was asked for with the password, in order. */
    readonly seen: string[] = [];
    readonly #server: Server;

    private constructor() {
        this.#server = new Server({
            host: "127.0.0.1",
            port: 0,
            prepareRequestFunction: ({ hostname, port, username, password }) => {
                const isKnown = username === "me" && password === proxyPassword;
                if (isKnown) {
                    this.seen.push(`${hostname}:${port}`);
                }
                return { requestAuthentication: !isKnown };
            },
        });
    }

    static async start(): Promise<PasswordProxy> {
        const proxy = new PasswordProxy();
        await proxy.#server.listen();
        return proxy;
    }

    url(password = proxyPassword): string {
        return `http://me:${password}@127.0.0.1:${this.#server.port}`;
    }

    async stop(): Promise<void> {
        await this.#server.close(true);
    }
}
