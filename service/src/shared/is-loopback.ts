import { isIPv4 } from "node:net";

/** Whether a URL's host is this machine. */
export function isLoopback(hostname: string): boolean {
    return hostname === "localhost" || hostname === "[::1]" || (isIPv4(hostname) && hostname.startsWith("127."));
}
