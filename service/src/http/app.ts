import { type TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import Fastify, {
    type FastifyBaseLogger,
    type FastifyInstance,
    type FastifyReply,
    type RawReplyDefaultExpression,
    type RawRequestDefaultExpression,
    type RawServerDefault,
} from "fastify";
import { type ServiceLogger } from "../logger.js";
import { answerBrokenRequest, answerUnknownExpectation } from "./broken-requests.js";
import { addErrorAnswers, addressErrorMessage, describeSchemaErrors } from "./error-answers.js";
import { sharedSchemas } from "./schemas.js";

export type App = FastifyInstance<
    RawServerDefault,
    RawRequestDefaultExpression,
    RawReplyDefaultExpression,
    FastifyBaseLogger,
    TypeBoxTypeProvider
>;

const bodyLimitBytes = 1024 * 1024;

/** The HTTP server without its routes: strict validation, and the contract's `Error` body for whatever goes wrong. */
export function createApp(logger: ServiceLogger): App {
    const app: App = Fastify({
        bodyLimit: bodyLimitBytes,
        forceCloseConnections: "idle",
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
    // Many clients announce JSON and send nothing where the contract says "Request body: none".
    const parseJson = app.getDefaultJsonParser("error", "error");
    app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
        if (body === "") {
            done(null, undefined);
        } else {
            void parseJson(request, body as string, done);
        }
    });
    app.server.on("checkExpectation", answerUnknownExpectation);
    addErrorAnswers(app, logger);
    return app;
}
