import {
    type Attributes,
    type Context,
    context,
    propagation,
    ROOT_CONTEXT,
    SpanStatusCode,
    trace,
} from "@opentelemetry/api";

/** Spans are discarded until the process loads an OpenTelemetry SDK. */
export const tracer = trace.getTracer("static-export");

/**
 * Runs a function within a span, which fails if the function throws. Does not record the error, because its message may
 * quote a page.
 */
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

/** A span's W3C `traceparent`, for a process that continues its trace; undefined without an SDK. */
export function traceParentOf(spanContext: Context): string | undefined {
    const carrier: { traceparent?: string } = {};
    propagation.inject(spanContext, carrier);
    return carrier.traceparent;
}

/** The context to continue a trace, or to begin a new one. */
export function contextOf(traceParent: string | null): Context {
    return traceParent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent: traceParent });
}
