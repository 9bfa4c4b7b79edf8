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
        /** Its span, and what is of the client's trace. */
        trace: Context;
        /** Whose key the request carries; set before a handler runs. */
        caller: Caller;
    }
}
