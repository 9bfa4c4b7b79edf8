import { type Operation } from "../faults/fault.js";
import { type App } from "./typed-app.js";
import { pathOf } from "./error-answers.js";

/** One request, told when its answer has ended. */
export interface RequestLogEntry {
    /** Absent where no route was met. */
    operation?: Operation;
    method: string;
    /** Without the query, where a link's signature stands. */
    path: string;
    /** Absent when the connection ended before the whole answer was sent. */
    status?: number;
    durationMs: number;
}

/** Call it before any other hook is added, so that refused requests are told too. */
export function addRequestLog(app: App, onRequest: (entry: RequestLogEntry) => void): void {
    app.addHook("onRequest", (request, reply, done) => {
        const startedAt = performance.now();
        const { operation } = request.routeOptions.config;
        // Not onResponse, which a connection that is cut on purpose never reaches.
        reply.raw.once("close", () =>
            onRequest({
                ...(operation === undefined ? {} : { operation }),
                method: request.method,
                path: pathOf(request.url),
                ...(reply.raw.writableFinished ? { status: reply.raw.statusCode } : {}),
                durationMs: performance.now() - startedAt,
            }),
        );
        done();
    });
}
