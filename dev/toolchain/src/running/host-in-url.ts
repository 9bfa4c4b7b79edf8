import { isIPv6 } from "node:net";

/** Returns an address or a name as URLs contain it: an IPv6 address is in brackets. */
export function hostInUrl(host: string): string {
    return isIPv6(host) ? `[${host}]` : host;
}
