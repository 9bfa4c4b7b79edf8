import { type IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

/** The names under which browsers reach this server. */
export interface ServedHosts {
    readonly domain: string | undefined;
    /**
     * Whether browsers reach this server only by the domain, this machine's names, and IP addresses. If false, a proxy
     * may add other names.
     */
    isKnown: boolean;
}

/**
 * Whether a page of another site sent the request, in a browser that reaches this server. The other site's name may
 * resolve to this server ("DNS rebinding"). Browsers then treat both sites as one, so a request from a name that is not
 * served counts as foreign.
 */
export function isForeign({ origin, host = "localhost" }: IncomingHttpHeaders, hosts: ServedHosts): boolean {
    if (origin === undefined) {
        return false;
    }
    if (!URL.canParse(origin)) {
        return true;
    }
    const { protocol, hostname, host: own } = new URL(origin);
    if (hostname === hosts.domain?.toLowerCase()) {
        // Proxies may replace the Host header. No other site can send this origin.
        return false;
    }
    // The header may contain a port that the origin omits.
    const asked = `${protocol}//${host}`;
    if (!URL.canParse(asked) || new URL(asked).host !== own) {
        return true;
    }
    return hosts.isKnown && !isServed(hostname);
}

/** Whether an address or a name can be reached only from this machine. */
export function isLoopback(host: string): boolean {
    return host === "localhost" || host.endsWith(".localhost") || /^(?:127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

/** Whether this server serves a name. IP addresses are accepted, because DNS rebinding needs a name. */
function isServed(name: string): boolean {
    return isLoopback(name) || isIP(name.replace(/^\[|\]$/g, "")) > 0;
}
