import assert from "node:assert/strict";
import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { EngineStack } from "./support/engine-stack.js";
import { adminApiKey, domain, Platform } from "./support/platform.js";

const traceId = "0af7651916cd43dd8448eb211c80319c";

/** An SDK with the part of OpenTelemetry's `http` instrumentation that propagates the trace, in each Node process. */
const preload = `
const http = require("node:http");
const { propagation, ROOT_CONTEXT, trace } = require("@opentelemetry/api");
const { W3CTraceContextPropagator } = require("@opentelemetry/core");
const { BasicTracerProvider } = require("@opentelemetry/sdk-trace-base");

trace.setGlobalTracerProvider(new BasicTracerProvider());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
const parent = propagation.extract(ROOT_CONTEXT, { traceparent: "00-${traceId}-b7ad6b7169203331-01" });
const { request } = http;
http.request = (...args) => {
    const span = trace.getTracer("http").startSpan("request", {}, parent);
    const sent = request.apply(http, args);
    const headers = {};
    propagation.inject(trace.setSpan(parent, span), headers);
    Object.entries(headers).forEach(([name, value]) => sent.setHeader(name, value));
    sent.once("close", () => span.end());
    return sent;
};
`;

const program = `
const version = new pulumi.Config().require("version");
export const { jobId } = new StaticExportBundle("docs", { domain: "${domain}", version });
`;

describe("A dynamic resource with an OpenTelemetry SDK preloaded, on the real engine,", () => {
    const exporter = new InMemorySpanExporter();
    let platform: Platform;
    let stack: EngineStack;

    before(async () => {
        trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
        context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
        propagation.setGlobalPropagator(new W3CTraceContextPropagator());
        platform = await Platform.start();
        stack = await EngineStack.create({
            program,
            config: { version: "1", "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
        await stack.writeFiles({ "preload.cjs": preload });
    });
    after(async () => {
        trace.disable();
        context.disable();
        propagation.disable();
        await stack.remove();
        await platform.stop();
    });

    const up = async () => {
        const env = { NODE_OPTIONS: `--require ${stack.folder}/preload.cjs` };
        const { exitCode, output } = await stack.startOther(
            "pulumi",
            ["up", "--yes", "--skip-preview", "--non-interactive"],
            env,
        ).result;
        assert.equal(exitCode, 0, output);
    };

    it("passes the trace on to the service's job, and leaves a state that does not need the SDK", async () => {
        await up();
        const spans = exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
        const job = spans.find(({ name }) => name === "export job");
        assert.equal(job?.attributes["static_export.job"], await stack.output("jobId"));
        const start = spans.find(({ name }) => name === "request start");
        assert.equal(job?.parentSpanContext?.spanId, start?.spanContext().spanId);
        await stack.up("--expect-no-changes");
        await stack.configure({ config: { version: "2" } });
        await stack.up();
        assert.equal(platform.count("start"), 2);
    });
});
