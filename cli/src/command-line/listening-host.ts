import { Option } from "commander";
import { describeSystemError } from "./system-error.js";
import { UsageError } from "./usage-error.js";

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

/** Why a server could not start: its address, or a file that it needs, with what to do about it. */
export function describeListenError(
    error: NodeJS.ErrnoException,
    { host, port }: { readonly host: string; readonly port: number },
): UsageError {
    const noAddress = `This machine has no address ${host} to listen on: choose another --host.`;
    const reasons: Readonly<Record<string, string>> = {
        EADDRINUSE: `Port ${port} of ${host} is in use: stop the program that uses it, or choose another --port; 0 picks a free one.`,
        EACCES:
            `Port ${port} of ${host} is reserved: choose another --port; 0 picks a free one. Ports below 1024 ` +
            "need permission, and Windows reserves others for Hyper-V.",
        EADDRNOTAVAIL: noAddress,
        ENOTFOUND: noAddress,
    };
    const ofFile = error.syscall === "listen" ? undefined : describeSystemError(error);
    return new UsageError(ofFile ?? reasons[error.code ?? ""] ?? error.message);
}
