import {
    type Attributes,
    type Context,
    context,
    propagation,
    ROOT_CONTEXT,
    SpanStatusCode,
    trace,
} from "@opentelemetry/api";

/** Its spans go nowhere until the process loads an SDK of OpenTelemetry. */
export const tracer = trace.getTracer("static-export");

/** Runs something as a span, which fails if it throws. Records no reason, because the message may quote a page. */
export function traced<T>(
    name: string,
    attributes: Attributes,
    run: () => Promise<T>,
    parent: Context = context.active(),
): Promise<T> {
    return tracer.startActiveSpan(name, { attributes }, parent, async (span) => {
        try {
            return await run();
        } catch (error) {
            span.setStatus({ code: SpanStatusCode.ERROR });
            throw error;
        } finally {
            span.end();
        }
    });
}

/** W3C's `traceparent` of a span, for a process that continues its trace; undefined if there is no SDK. */
export function traceParentOf(spanContext: Context): string | undefined {
    const carrier: { traceparent?: string } = {};
    propagation.inject(spanContext, carrier);
    return carrier.traceparent;
}

/** The context in which a trace continues, or a new one begins. */
export function contextOf(traceParent: string | null): Context {
    return traceParent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent: traceParent });
}
