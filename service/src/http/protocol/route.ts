import { type TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import {
    type FastifyReply,
    type FastifyRequest,
    type FastifySchema,
    type RawRequestDefaultExpression,
    type RawServerDefault,
    type RouteGenericInterface,
    type RouteHandlerMethod,
} from "fastify";
import { type TSchema } from "typebox";
import { type KeyScope } from "../../keys/admin-keys.js";
import { type Operation } from "./route-config.js";
import { type Answer, type Answers, errorAnswers, type ErrorStatus, Shared } from "./schemas.js";
import { type App } from "./typed-app.js";

type RequestSchemas = Partial<Record<"params" | "querystring" | "headers" | "body", TSchema>>;

type RequestOf<Schema extends FastifySchema> = FastifyRequest<
    RouteGenericInterface,
    RawServerDefault,
    RawRequestDefaultExpression,
    Schema,
    TypeBoxTypeProvider
>;

interface Definition<Context, Request extends RequestSchemas, Name extends keyof Answers> {
    /** The method and the path, such as `GET /v1/keys/:keyId`. */
    at: `${"GET" | "POST" | "PATCH" | "DELETE"} ${string}`;
    /** The name of the route in the request log. */
    operation: Operation;
    /** One of these scopes is sufficient. */
    scopes: readonly KeyScope[];
    /** The name of the route in the OpenAPI document. */
    id: string;
    summary: string;
    request?: Request;
    /** The status, schema, description and headers of the answer. */
    answer: readonly [status: 200 | 201 | 202, name: Name, description: string, headers?: object];
    /** The statuses of errors, in addition to those that follow from the method and from a query. */
    errors?: readonly ErrorStatus[];
    /** Throws errors that come before those in the body. */
    check?: (request: RequestOf<Request>, context: Context) => void;
    handle: (
        request: RequestOf<Request>,
        context: Context,
        reply: FastifyReply,
    ) => Answer<Name> | Promise<Answer<Name>>;
}

/** Adds a route to an app. */
export type Route<Context> = (app: App, context: Context) => void;

/** Returns the function that defines the routes of one tag, whose handlers get the same context. */
export function routesOf<Context>(tag: string) {
    return <const Request extends RequestSchemas, Name extends keyof Answers>(
        definition: Definition<Context, Request, Name>,
    ): Route<Context> => {
        const { at, operation, scopes, id, summary, answer, errors = [], check, handle } = definition;
        const [method = "", url = ""] = at.split(" ");
        const [status, name, description, headers] = answer;
        const hasBody = method === "POST" || method === "PATCH";
        const schema = {
            operationId: id,
            summary,
            tags: [tag],
            security: [{ adminApiKey: [] }],
            ...definition.request,
            response: {
                [status]: Shared(name, description, headers),
                ...errorAnswers(401, 403, 500, 503, ...errors),
                ...(hasBody ? errorAnswers(400, 413, 415) : {}),
                ...(definition.request?.querystring === undefined ? {} : errorAnswers(400)),
            },
        };
        return (app, context) => {
            const handler = async (request: RequestOf<Request>, reply: FastifyReply) => {
                const body = await handle(request, context, reply);
                void reply.code(status);
                return body;
            };
            app.route({
                method,
                url,
                config: { operation, scopes },
                schema,
                ...(check === undefined
                    ? {}
                    : {
                          preValidation: (request, _reply, done) => {
                              check(request as RequestOf<Request>, context);
                              done();
                          },
                      }),
                handler: handler as unknown as RouteHandlerMethod,
            });
        };
    };
}
