import { propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { tracer } from "../shared/traces.js";
import type {} from "./protocol/route-config.js";
import { type App } from "./protocol/typed-app.js";

/** Creates a span for each request, within the client's trace if the request names one. */
export function addRequestTraces(app: App): void {
    app.addHook("onRequest", (request, reply, done) => {
        const { operation = "none" } = request.routeOptions.config;
        const parent = propagation.extract(ROOT_CONTEXT, request.headers);
        const attributes = { "http.request.method": request.method, "static_export.request": request.id };
        const span = tracer.startSpan(`request ${operation}`, { kind: SpanKind.SERVER, attributes }, parent);
        request.trace = trace.setSpan(parent, span);
        reply.raw.once("close", () => {
            span.setAttribute("http.response.status_code", reply.raw.statusCode);
            if (reply.raw.statusCode >= 500) {
                span.setStatus({ code: SpanStatusCode.ERROR });
            }
            span.end();
        });
        done();
    });
}
