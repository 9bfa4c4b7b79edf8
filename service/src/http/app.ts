import { type TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { randomUUID } from "node:crypto";
import Fastify, { errorCodes, type FastifyReply } from "fastify";
import { type ServiceLogger } from "../shared/logger.js";
import { asUnit } from "../shared/unit-of-work.js";
import { addErrorAnswers, addressErrorMessage, describeSchemaErrors } from "./protocol/error-answers.js";
import { sharedSchemas } from "./protocol/schemas.js";
import { type App } from "./protocol/typed-app.js";
import { maxHeaderSize, STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import { isIP, type Socket } from "node:net";

/**
 * Large enough for the longest prompt, even if JSON escapes each of its 100,000 characters as two UTF-16 code units, in
 * twelve bytes.
 */
const bodyLimitBytes = 2 * 1024 * 1024;

/** Timeouts for connections, so that idle clients cannot exhaust them. */
interface ConnectionTimeouts {
    /** Limit until the headers of a request have arrived. */
    headersMs: number;
    /** Limit until the whole request has arrived. */
    requestMs: number;
    /** Limit for a connection that transfers no byte in either direction, including during a download. */
    idleMs: number;
    /** Between two requests. */
    keepAliveMs: number;
    /** How often the request timeouts are checked. */
    checkMs: number;
}

const defaultTimeouts: ConnectionTimeouts = {
    headersMs: 15_000,
    requestMs: 30_000,
    idleMs: 120_000,
    keepAliveMs: 30_000,
    checkMs: 5000,
};

/** A request that Node.js refuses before it has a route. */
export interface BrokenRequest {
    /** Absent if the request has no readable first line. */
    method?: string | undefined;
    url?: string | undefined;
    status: number;
    /** Of the connection: headers of such a request are not read. */
    address: string | undefined;
    error: string;
}

interface AppOptions {
    timeouts?: ConnectionTimeouts;
    /** The proxies that report the client's address. @default those of this machine */
    trustedProxies?: readonly string[] | undefined;
    /**
     * Called with requests that have no route and no reply object, because Node.js cannot read them. Nobody can tell
     * one whose connection was reset within its headers from an idle connection.
     */
    onBroken?: (broken: BrokenRequest) => void;
    /** Called with the address of a request that names another client, if this address is not trusted. */
    onUntrusted?: (address: string) => void;
}

/** The HTTP server without its routes: strict validation, and the contract's `Error` body for every error. */
export function createApp(
    logger: ServiceLogger,
    { timeouts = defaultTimeouts, trustedProxies = [], onBroken = () => undefined, onUntrusted }: AppOptions = {},
): App {
    const reported: ReportedRequests = new WeakMap();
    const app: App = Fastify({
        bodyLimit: bodyLimitBytes,
        trustProxy: trustedProxies.length === 0 ? ["loopback"] : [...trustedProxies],
        genReqId: () => randomUUID(),
        forceCloseConnections: "idle",
        connectionTimeout: timeouts.idleMs,
        requestTimeout: timeouts.requestMs,
        keepAliveTimeout: timeouts.keepAliveMs,
        http: { headersTimeout: timeouts.headersMs, connectionsCheckingInterval: timeouts.checkMs },
        routerOptions: { maxParamLength: 300 },
        ajv: { customOptions: { removeAdditional: false, coerceTypes: false, verbose: true } },
        schemaErrorFormatter: describeSchemaErrors,
        frameworkErrors: (error, request, reply: FastifyReply) => {
            void reply.code(error.statusCode ?? 400).send({ error: addressErrorMessage(error, request.url) });
        },
        clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, reported, onBroken),
    }).withTypeProvider<TypeBoxTypeProvider>();

    for (const [name, schema] of Object.entries(sharedSchemas)) {
        app.addSchema({ ...schema, $id: name });
    }
    app.removeContentTypeParser("text/plain");
    // Where the contract says "Request body: none", many clients declare JSON but send no body.
    app.addHook("onRequest", (request, reply, done) => {
        reported.set(request.raw.socket, request.raw);
        const { headers } = request;
        headers["x-forwarded-for"] = forwardedAddresses(headers["x-forwarded-for"]);
        if (headers["x-forwarded-for"] !== undefined && request.ips?.length === 1) {
            onUntrusted?.(request.ip);
        }
        if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0) {
            delete headers["content-type"];
        }
        const fail = (): void => void (reply.raw.writableEnded || request.raw.destroy());
        asUnit(fail, done);
    });
    const parseJson = app.getDefaultJsonParser("error", "error");
    app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
        if (body === "") {
            done(null, undefined);
        } else {
            void parseJson(request, body as string, done);
        }
    });
    app.addContentTypeParser("*", { parseAs: "string" }, (request, body, done) => {
        if (body === "") {
            done(null, undefined);
        } else {
            done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(request.headers["content-type"] ?? ""));
        }
    });
    app.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
        reported.set(request.socket, request);
        answerUnknownExpectation(request, response, onBroken);
    });
    addErrorAnswers(app, logger);
    return app;
}

/** Keeps the addresses that proxies have added: the client claims everything before a text that is not an address. */
function forwardedAddresses(header: string | string[] | undefined): string | undefined {
    const addresses: string[] = [];
    for (const text of [header ?? []].flat().join(",").split(",").reverse()) {
        const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(text.trim()) ?? [];
        const address = (bracketed ?? plain ?? text.trim()).replace(/^::ffff:(?=[\d.]+$)/i, "");
        if (isIP(address) === 0) {
            break;
        }
        addresses.unshift(address);
    }
    return addresses.length === 0 ? undefined : addresses.join(", ");
}

/** The newest request of each connection that has a route, or that was reported as broken. */
type ReportedRequests = WeakMap<Socket, IncomingMessage>;

const answers: Readonly<Record<string, readonly [status: number, message: string]>> = {
    HPE_HEADER_OVERFLOW: [431, `The request's headers are larger than ${maxHeaderSize} bytes.`],
    HPE_INVALID_EOF_STATE: [400, "The connection ended before the whole request had arrived."],
    ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive completely in time: send the request again."],
};
const lingerMs = 1000;

const unreadable = [400, "This is not an HTTP request that the service understands."] as const;

/** Responds to incomplete or invalid HTTP requests, which have no route and no reply object. */
function answerBrokenRequest(
    error: Error & { code?: string },
    socket: Socket,
    reported: ReportedRequests,
    onBroken: (broken: BrokenRequest) => void,
): void {
    if (error.code === "ECONNRESET" || !socket.writable) {
        socket.destroy();
        return;
    }
    const [status, message] = answers[error.code ?? ""] ?? unreadable;
    const body = JSON.stringify({ error: message });
    // Browsers open connections that they may not use. If the body of a request is broken, its route reports it.
    if (socket.bytesRead > 0 && reported.get(socket)?.complete !== false) {
        onBroken({ status, address: socket.remoteAddress, error: message });
    }
    // A client that does not read the response, or never closes the connection, must not keep the socket open.
    const freed = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once("close", () => clearTimeout(freed));
    socket.end(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n` +
            "Content-Type: application/json; charset=utf-8\r\n" +
            `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
}

/** Rejects `Expect` headers other than `100-continue`, because Node.js itself would respond without a body. */
function answerUnknownExpectation(
    { method, url, socket }: IncomingMessage,
    response: ServerResponse,
    onBroken: (broken: BrokenRequest) => void,
): void {
    const error = "The service supports no Expect header other than 100-continue.";
    const body = JSON.stringify({ error });
    onBroken({ method, url, status: 417, address: socket.remoteAddress, error });
    response
        .writeHead(417, {
            "content-type": "application/json; charset=utf-8",
            "content-length": Buffer.byteLength(body),
        })
        .end(body);
}
