import { type TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import {
    type FastifyBaseLogger,
    type FastifyInstance,
    type RawReplyDefaultExpression,
    type RawRequestDefaultExpression,
    type RawServerDefault,
} from "fastify";

/** The HTTP server, with handlers whose types come from their schemas. */
export type App = FastifyInstance<
    RawServerDefault,
    RawRequestDefaultExpression,
    RawReplyDefaultExpression,
    FastifyBaseLogger,
    TypeBoxTypeProvider
>;
