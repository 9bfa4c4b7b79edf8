import { Server } from "proxy-chain";

const variables = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);

export const proxyPassword = "pr0xy_5ecret";

/** A real HTTP proxy on loopback that requires the password. */
export class PasswordProxy {
    /** The `host:port` of each request with the password, in order. */
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

/** Starts a proxy before each spec of a suite. The environment contains only the spec's own proxy settings. */
export function useProxy(): () => PasswordProxy {
    const saved = new Map(variables.map((name) => [name, process.env[name]]));
    let proxy: PasswordProxy;
    beforeEach(async () => {
        variables.forEach((name) => delete process.env[name]);
        proxy = await PasswordProxy.start();
    });
    afterEach(async () => {
        await proxy.stop();
        saved.forEach((value, name) => {
            delete process.env[name];
            Object.assign(process.env, value === undefined ? {} : { [name]: value });
        });
    });
    return () => proxy;
}
