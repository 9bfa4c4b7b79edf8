import { Agent as HttpAgent, type AgentOptions } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { createProxyAgent } from "@pulumi-static-export/contract/proxy";
import type { FetchLike } from "./fetch-like.js";

/** The maximum number of connections from one client to one server. */
export const maxConnections = 32;

/** Sends requests. */
export interface Transport {
    /** Reuses an idle connection if there is one. */
    pooled: FetchLike;
    /**
     * Opens a new connection. The server may close an idle connection just as it is reused; then it is unknown whether
     * the request arrived, which is unacceptable for a request that must not be repeated.
     */
    fresh: FetchLike;
    /** Closes idle connections. */
    close(): void;
}

/**
 * Creates a fetch function: node-fetch with a bounded number of connections, through the proxy that the environment
 * names. Idle connections do not keep the process alive, because Node unrefs them. With `decode: false`, a body is
 * returned as it was stored, even if the storage labels an archive with `Content-Encoding: gzip`.
 */
export function createNodeTransport({ decode = true } = {}): Transport {
    const pool = new Agents(true);
    const single = new Agents(false);
    return {
        pooled: fetchOver(pool, decode),
        fresh: fetchOver(single, decode),
        close: () => [pool, single].forEach((agents) => agents.destroy()),
    };
}

/** Keeps one agent per scheme for direct connections, and one agent per origin behind a proxy. */
class Agents {
    readonly #options: AgentOptions;
    readonly #direct: Readonly<Record<string, HttpAgent>>;
    readonly #proxied = new Map<string, Promise<HttpAgent | undefined>>();

    constructor(keepAlive: boolean) {
        this.#options = { keepAlive, maxSockets: maxConnections };
        this.#direct = { "http:": new HttpAgent(this.#options), "https:": new HttpsAgent(this.#options) };
    }

    async for(url: string): Promise<HttpAgent | undefined> {
        const { origin, protocol } = new URL(url);
        const proxied = this.#proxied.get(origin) ?? createProxyAgent(origin, this.#options);
        this.#proxied.set(origin, proxied);
        return (await proxied) ?? this.#direct[protocol];
    }

    destroy(): void {
        Object.values(this.#direct).forEach((agent) => agent.destroy());
        for (const proxied of this.#proxied.values()) {
            void proxied.then(
                (agent) => agent?.destroy(),
                () => undefined,
            );
        }
    }
}

function fetchOver(agents: Agents, compress: boolean): FetchLike {
    return async (url, request) => {
        // node-fetch 3 is an ES module, which a CommonJS package has to import dynamically.
        const { default: fetch } = await import("node-fetch");
        const agent = await agents.for(url);
        return fetch(url, { ...request, compress, ...(agent === undefined ? {} : { agent }) });
    };
}
