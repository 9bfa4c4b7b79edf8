import type { ConnectionFailure } from "../errors/index.js";

interface Classified {
    failure: ConnectionFailure;
    code: string | undefined;
    neverSent: boolean;
}

/** Local failures before there is a connection: a missing module, or unusable proxy settings. */
const stoppedHere = [
    "ERR_PROXY_SETTING",
    "ERR_MODULE_NOT_FOUND",
    "MODULE_NOT_FOUND",
    "ERR_PACKAGE_PATH_NOT_EXPORTED",
    "ERR_REQUIRE_ESM",
];

/** OpenSSL's codes or messages for a server that does not use TLS. */
const noTls = /wrong.version.number|packet.length.too.long|http.request|unknown.protocol/i;

/** Prefixes of OpenSSL's codes for failed certificate checks. */
const beforeHandshakeIsDone = [
    "CERT_",
    "DEPTH_ZERO_",
    "ERR_TLS_CERT_",
    "HOSTNAME_MISMATCH",
    "INVALID_CA",
    "INVALID_PURPOSE",
    "PATH_LENGTH_EXCEEDED",
    "SELF_SIGNED_",
    "UNABLE_TO_",
];

/**
 * Classifies a rejected fetch by its error code. `neverSent` is true only if that is certain: a failed name lookup,
 * connect or TLS handshake and a missing module all precede the first byte of the request.
 */
export function classifyConnectionFailure(error: unknown): Classified {
    const { code, message, duringConnect } = findSystemError(error);
    if (code === undefined) {
        return { failure: "reset", code, neverSent: false };
    }
    if (stoppedHere.includes(code)) {
        return { failure: "local", code, neverSent: true };
    }
    if ((code === "EPROTO" || code.startsWith("ERR_SSL_")) && noTls.test(`${code} ${message}`)) {
        return { failure: "no-tls", code, neverSent: true };
    }
    if (code === "ENOTFOUND" || code.startsWith("EAI_")) {
        return { failure: "dns", code, neverSent: true };
    }
    if (code === "ECONNREFUSED") {
        return { failure: "refused", code, neverSent: true };
    }
    if (beforeHandshakeIsDone.some((prefix) => code.startsWith(prefix))) {
        return { failure: "tls", code, neverSent: true };
    }
    if (code === "EPROTO" || code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_")) {
        return { failure: "tls", code, neverSent: false };
    }
    if (code.startsWith("HPE_")) {
        return { failure: "protocol", code, neverSent: false };
    }
    if (code === "UND_ERR_CONNECT_TIMEOUT") {
        return { failure: "unreachable", code, neverSent: true };
    }
    if (["EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN", "ENETDOWN", "EADDRNOTAVAIL", "ETIMEDOUT"].includes(code)) {
        return { failure: "unreachable", code, neverSent: duringConnect };
    }
    return { failure: "reset", code, neverSent: duringConnect };
}

/** node-fetch copies code and system call onto its own error; Node's fetch nests the system's error as `cause`. */
function findSystemError(error: unknown): {
    code: string | undefined;
    message: string;
    duringConnect: boolean;
} {
    let current = error;
    for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
        const { code, syscall, erroredSysCall } = current as Error & Record<string, unknown>;
        if (typeof code === "string") {
            return {
                code,
                message: current.message,
                duringConnect: syscall === "connect" || erroredSysCall === "connect",
            };
        }
        current = current.cause;
    }
    return { code: undefined, message: "", duringConnect: false };
}

/** Creates a cause that is safe to show: fetch's messages contain the whole URL, including its signature. */
export function createShowableCause(error: unknown, clean: (text: string) => string): Error {
    const message = clean(error instanceof Error ? error.message : String(error));
    const cause = new Error(message);
    cause.name = error instanceof Error ? error.name : "Error";
    cause.stack = `${cause.name}: ${message}`;
    return cause;
}
