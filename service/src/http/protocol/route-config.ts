import { type Context } from "@opentelemetry/api";
import { type Caller, type RouteAccess } from "./caller.js";

/** The operations of the HTTP API, by their names in routes and the request log. */
export type Operation =
    | "start"
    | "list"
    | "get"
    | "bundle"
    | "download"
    | "agent-start"
    | "agent-get"
    | "agent-message"
    | "agent-archive"
    | "update"
    | "update-get"
    | "update-preview"
    | "update-webhook"
    | "cancel"
    | "details"
    | "changes"
    | "update-list"
    | "sites"
    | "site"
    | "site-remove"
    | "agent-list"
    | "agent-log"
    | "whoami"
    | "key-list"
    | "key-get"
    | "key-created"
    | "key-create"
    | "key-change"
    | "key-rotate"
    | "key-revoke"
    | "link-secret-rotate"
    | "session-list"
    | "session-end"
    | "audit"
    | "workers"
    | "usage"
    | "statistics"
    | "failures"
    | "service";

declare module "fastify" {
    interface FastifyContextConfig extends RouteAccess {
        /** The name of the route in the request log. */
        operation?: Operation;
        /** Whether the path contains a secret, so that the log names the route instead. */
        isSecret?: boolean;
    }
    interface FastifyRequest {
        /** The request's span, within the client's trace. */
        trace: Context;
        /** The owner of the request's key; set before a handler runs. */
        caller: Caller;
        /** Whether a page of this process sent it, for a person whose own request is logged. */
        isOfPage: boolean;
    }
}
