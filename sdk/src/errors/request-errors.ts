import { describeProxy } from "@pulumi-static-export/contract/proxy";
import { STATUS_CODES } from "node:http";
import { advice, type ConnectionFailure, gatewayAdvice, statusAdvice, storageAdvice } from "./advice.js";
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
                : `The request goes through the proxy ${proxy}: check that the proxy runs and can reach the server, ` +
                  "or name the server's host in NO_PROXY.";
        super(describeFailure(context, summary, next), summary, context, cause);
        this.failure = failure;
        this.code = code;
        this.neverSent = neverSent;
    }
}

/** The server answered with a status other than success. */
export class HttpError extends StaticExportError {
    readonly status: number;
    /** The `error` text of the body: bounded, on one line, without the key. */
    readonly serverMessage: string | undefined;
    /** The server's `Retry-After`, unbounded. */
    readonly retryAfterMs: number | undefined;
    /** Whether the API itself answered, and not a gateway in front of it: only then does a 404 mean absence. */
    readonly isOfApi: boolean;

    constructor(
        context: CallContext,
        answer: {
            status: number;
            serverMessage?: string | undefined;
            retryAfterMs?: number | undefined;
            isOfApi?: boolean;
            /** Whether the response came from the self-hosted service. */
            isSelfHosted?: boolean;
            /** Whether the response came from S3-compatible storage. */
            isStorage?: boolean;
        },
    ) {
        const reason = STATUS_CODES[answer.status];
        const said = answer.serverMessage === undefined ? "" : `: "${answer.serverMessage}"`;
        const summary = `the server answered ${answer.status}${reason ? ` ${reason}` : ""}${said}`;
        super(
            describeFailure(
                context,
                summary,
                answer.isStorage === true
                    ? storageAdvice
                    : answer.status === 404 && answer.isOfApi === false && context.jobId !== undefined
                      ? gatewayAdvice
                      : statusAdvice(context, answer.status, answer.isSelfHosted, answer.serverMessage),
            ),
            summary,
            context,
        );
        this.status = answer.status;
        this.serverMessage = answer.serverMessage;
        this.retryAfterMs = answer.retryAfterMs;
        this.isOfApi = answer.isOfApi === true;
    }
}

/** The response violates the contract: a missing field, a wrong type, an HTML page, truncated JSON. */
export class InvalidResponseError extends StaticExportError {
    readonly status: number;
    /** The problem, such as `jobId must be a non-empty string, got nothing`. */
    readonly problem: string;

    constructor(context: CallContext, status: number, problem: string) {
        const summary = `the server answered ${status}, but ${problem}`;
        super(describeFailure(context, summary, advice.invalidResponse), summary, context);
        this.status = status;
        this.problem = problem;
    }
}

/** One request did not finish in time. The job itself is not affected. */
export class RequestTimeoutError extends StaticExportError {
    readonly timeoutMs: number;

    constructor(context: CallContext, timeoutMs: number) {
        const isDownload = context.subject === "download";
        const summary = `${isDownload ? "nothing arrived for" : "no complete answer within"} ${timeoutMs} ms`;
        const next = isDownload ? advice.idleDownload : advice.requestTimeout;
        super(describeFailure(context, summary, next), summary, context);
        this.timeoutMs = timeoutMs;
    }
}
