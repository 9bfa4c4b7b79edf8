import { type Context } from "@opentelemetry/api";
import { type Caller, type RouteAccess } from "./caller.js";
import { type DueFault } from "../../faults/fault-schedule.js";
import { type Operation } from "../../faults/fault.js";

declare module "fastify" {
    interface FastifyContextConfig extends RouteAccess {
        /** The name of the route in faults and in the request log. */
        operation?: Operation;
        /** Whether the path contains a secret, so that the log names the route instead. */
        isSecret?: boolean;
    }
    interface FastifyRequest {
        /** The fault that applies to this request. */
        fault: DueFault | undefined;
        /** The request's span, within the client's trace. */
        trace: Context;
        /** The owner of the request's key; set before a handler runs. */
        caller: Caller;
    }
}
