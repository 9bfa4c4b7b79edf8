import assert from "node:assert/strict";
import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
    BasicTracerProvider,
    InMemorySpanExporter,
    type ReadableSpan,
    SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { GitServer } from "../support/git-server.js";
import { domain, withService } from "../support/running-service.js";
import { copyingExporter } from "../support/scripted-exporter.js";

/** Returns the spans of a trace as paths from its first span. */
function pathsOf(spans: readonly ReadableSpan[]): string[] {
    const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
    const pathOf = ({ name, parentSpanContext }: ReadableSpan): string => {
        const parent = byId.get(parentSpanContext?.spanId ?? "");
        return parent === undefined ? name : `${pathOf(parent)} > ${name}`;
    };
    return spans.map(pathOf).sort();
}

describe("Traces of the service", () => {
    const exporter = new InMemorySpanExporter();

    before(() => {
        const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
        trace.setGlobalTracerProvider(provider);
        context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
        propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    });
    beforeEach(() => exporter.reset());
    after(() => {
        trace.disable();
        context.disable();
        propagation.disable();
    });

    it("connect the client's request to each phase of the job that it started", async () => {
        const server = await GitServer.start();
        try {
            await server.commit({ "index.md": "# Home\n" });
            const traceId = "0af7651916cd43dd8448eb211c80319c";
            let jobId = "";
            const sites = { [domain]: `git+${server.url}#main` };
            await withService({ sites, exporter: copyingExporter }, async ({ request, reaches }) => {
                const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
                const { body } = await request("POST", "/v1/static-export/jobs", { json: { domain }, headers });
                jobId = String(body["jobId"]);
                await reaches(jobId, "completed");
            });
            // The service has closed, so all spans have ended.
            const spans = exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
            const job = "request start > export job";
            assert.deepEqual(pathsOf(spans), [
                "request start",
                job,
                `${job} > check out`,
                `${job} > export site`,
                `${job} > store bundle`,
            ]);
            const run = spans.find(({ name }) => name === "export job");
            assert.equal(run?.attributes["static_export.job"], jobId);
        } finally {
            await server.stop();
        }
    });
});
