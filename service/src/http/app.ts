import { type TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { randomUUID } from "node:crypto";
import Fastify, { errorCodes, type FastifyReply } from "fastify";
import { type ServiceLogger } from "../shared/logger.js";
import { answerBrokenRequest, answerUnknownExpectation } from "./protocol/broken-requests.js";
import { addErrorAnswers, addressErrorMessage, describeSchemaErrors } from "./protocol/error-answers.js";
import { sharedSchemas } from "./protocol/schemas.js";
import { type App } from "./protocol/typed-app.js";

/** The longest prompt fits, also where JSON escapes each of its 100,000 characters as two of UTF-16, in twelve bytes. */
const bodyLimitBytes = 2 * 1024 * 1024;

/** Timeouts for connections, so that idle clients cannot exhaust them. */
export interface ConnectionTimeouts {
    /** Until the headers of a request have arrived. */
    headersMs: number;
    /** Until the whole request has arrived. */
    requestMs: number;
    /** Without a byte in either direction, including during a download. */
    idleMs: number;
    /** Between two requests. */
    keepAliveMs: number;
    /** How often the timeouts of requests are checked. */
    checkMs: number;
}

const defaultTimeouts: ConnectionTimeouts = {
    headersMs: 15_000,
    requestMs: 30_000,
    idleMs: 120_000,
    keepAliveMs: 30_000,
    checkMs: 5000,
};

/** The HTTP server without its routes: strict validation, and the contract's `Error` body for every error. */
export function createApp(logger: ServiceLogger, timeouts: ConnectionTimeouts = defaultTimeouts): App {
    const app: App = Fastify({
        bodyLimit: bodyLimitBytes,
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
        clientErrorHandler: answerBrokenRequest,
    }).withTypeProvider<TypeBoxTypeProvider>();

    for (const [name, schema] of Object.entries(sharedSchemas)) {
        app.addSchema({ ...schema, $id: name });
    }
    app.removeContentTypeParser("text/plain");
    // Where the contract says "Request body: none", many clients declare JSON but send no body.
    app.addHook("onRequest", (request, _reply, done) => {
        const { headers } = request;
        if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0) {
            delete headers["content-type"];
        }
        done();
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
    app.server.on("checkExpectation", answerUnknownExpectation);
    addErrorAnswers(app, logger);
    return app;
}
