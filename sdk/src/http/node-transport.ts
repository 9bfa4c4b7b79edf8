import { Agent as HttpAgent, type AgentOptions } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { FetchLike } from "./fetch-like.js";
import { createProxyAgent } from "./proxy-agent.js";

/** Connections that one client opens to one server at most. */
export const maxConnections = 32;

/** How requests go out. */
export interface Transport {
    /** Over a kept-alive connection when there is one. */
    pooled: FetchLike;
    /**
     * Over a connection of its own. A kept-alive one may be closed by the server at the very moment it is used again,
     * and then nobody knows whether the request arrived: no way to send one that must not be repeated.
     */
    fresh: FetchLike;
    /** Closes idle connections. */
    close(): void;
}

/**
 * node-fetch over bounded agents, through the proxy that the environment names. Idle connections do not keep the process
 * alive: Node unrefs them. Without `decode` a body arrives as it was stored, even when the storage labels an archive with
 * `Content-Encoding: gzip`.
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

/** One agent for each scheme, and one for each origin that a proxy leads to. */
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
        // node-fetch 3 is an ES module: a CommonJS package can only load it like this.
        const { default: fetch } = await import("node-fetch");
        const agent = await agents.for(url);
        return fetch(url, { ...request, compress, ...(agent === undefined ? {} : { agent }) });
    };
}
