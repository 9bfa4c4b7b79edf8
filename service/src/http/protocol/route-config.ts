import { type Context } from "@opentelemetry/api";
import { type Caller, type RouteAccess } from "./caller.js";
import { type DueFault } from "../../faults/fault-schedule.js";
import { type Operation } from "../../faults/fault.js";

declare module "fastify" {
    interface FastifyContextConfig extends RouteAccess {
        /** The name under which faults and the request log know the route. */
        operation?: Operation;
    }
    interface FastifyRequest {
        /** The fault that hits this request. */
        fault: DueFault | undefined;
        /** Its span, within the trace that the client sent. */
        trace: Context;
        /** The owner of the request's key; set before a handler runs. */
        caller: Caller;
    }
}
