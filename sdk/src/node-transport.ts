import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { FetchLike } from "./fetch-like.js";

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
 * node-fetch over bounded agents. Idle connections do not keep the process alive: Node unrefs them. Without `decode`
 * a body arrives as it was stored, even when the storage labels an archive with `Content-Encoding: gzip`.
 */
export function createNodeTransport({ decode = true } = {}): Transport {
    const pool = createAgents(true);
    const single = createAgents(false);
    return {
        pooled: fetchOver(pool, decode),
        fresh: fetchOver(single, decode),
        close: () => [...pool, ...single].forEach((agent) => agent.destroy()),
    };
}

type Agents = readonly [HttpAgent, HttpsAgent];

function createAgents(keepAlive: boolean): Agents {
    const options = { keepAlive, maxSockets: maxConnections };
    return [new HttpAgent(options), new HttpsAgent(options)];
}

function fetchOver([httpAgent, httpsAgent]: Agents, compress: boolean): FetchLike {
    return async (url, request) => {
        // node-fetch 3 is an ES module: a CommonJS package can only load it like this.
        const { default: fetch } = await import("node-fetch");
        return fetch(url, {
            ...request,
            compress,
            agent: ({ protocol }) => (protocol === "https:" ? httpsAgent : httpAgent),
        });
    };
}
