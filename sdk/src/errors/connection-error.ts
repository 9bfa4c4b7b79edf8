import { describeProxy } from "@pulumi-static-export/contract/proxy";
import { advice, type ConnectionFailure } from "./advice.js";
import { type CallContext, describeFailure, StaticExportError } from "./static-export-error.js";

const whatHappened: Record<ConnectionFailure, string> = {
    local: "this machine could not make the request",
    dns: "the host name could not be resolved",
    tls: "no trusted TLS connection could be made",
    "no-tls": "the server does not speak TLS at this port",
    refused: "the connection was refused",
    unreachable: "the address could not be reached",
    reset: "the connection was lost before the answer was complete",
    protocol: "the server does not speak HTTP",
};

/** The server could not be reached, or the connection broke. */
export class ConnectionError extends StaticExportError {
    readonly failure: ConnectionFailure;
    /** The error code of the operating system, such as `ENOTFOUND`. */
    readonly code: string | undefined;
    /** Whether the request provably never reached the server, so that a retry cannot start anything twice. */
    readonly neverSent: boolean;

    constructor(
        context: CallContext,
        { failure, code, neverSent }: { failure: ConnectionFailure; code: string | undefined; neverSent: boolean },
        cause: unknown,
    ) {
        const summary = `${whatHappened[failure]}${code === undefined ? "" : `, ${code}`}`;
        const proxy = failure === "local" ? undefined : describeProxy(context.url);
        const next =
            proxy === undefined
                ? advice.connection[failure]
                : `The request goes through the proxy ${proxy}: check that it runs and reaches the server, or name the ` +
                  "server's host in NO_PROXY.";
        super(describeFailure(context, summary, next), summary, context, cause);
        this.failure = failure;
        this.code = code;
        this.neverSent = neverSent;
    }
}
