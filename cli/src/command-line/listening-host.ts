import { Option } from "commander";

export function hostOption(): Option {
    return new Option(
        "--host <address>",
        "address to listen on, such as :: for all of IPv4 and IPv6; the default is reachable from this machine only",
    ).default("127.0.0.1");
}

/** `::` fails in Node.js where the kernel has no IPv6. With an empty host, Node.js then listens on IPv4. */
export function listeningHost(host: string): string {
    return host === "::" ? "" : host;
}
