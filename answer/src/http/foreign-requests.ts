import { type IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

/** The names under which browsers reach this server. */
export interface ServedHosts {
    readonly domain: string | undefined;
    /**
     * Whether there are only the domain, this machine's names, and addresses. Otherwise a proxy decides which names
     * there are.
     */
    isKnown: boolean;
}

/**
 * Whether a page of another site sent the request, in a browser that reaches this server. The name of that site may
 * lead to this server ("DNS rebinding"), so that browsers take both for one: then its name is not among the served ones.
 */
export function isForeign({ origin, host = "localhost" }: IncomingHttpHeaders, hosts: ServedHosts): boolean {
    if (origin === undefined) {
        return false;
    }
    if (!URL.canParse(origin) || new URL(origin).host !== host) {
        return true;
    }
    return hosts.isKnown && !isServed(new URL(origin).hostname, hosts.domain);
}

/** Whether only this machine reaches an address or a name. */
export function isLoopback(host: string): boolean {
    return host === "localhost" || host.endsWith(".localhost") || /^(?:127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

/** No name server decides where an address leads. */
function isServed(name: string, domain: string | undefined): boolean {
    return name === domain?.toLowerCase() || isLoopback(name) || isIP(name.replace(/^\[|\]$/g, "")) > 0;
}
