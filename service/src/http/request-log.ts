import { beginningOf } from "@pulumi-static-export/contract";
import { randomUUID } from "node:crypto";
import { toOneLine } from "@pulumi-static-export/exporter";
import { type FastifyRequest } from "fastify";
import { type Operation } from "./protocol/route-config.js";
import { aboutCaller, type Caller } from "./protocol/caller.js";
import { type App } from "./protocol/typed-app.js";
import { type BrokenRequest } from "./app.js";
import { pathOf } from "./protocol/error-answers.js";

/** One request, logged when its response has ended. */
export interface RequestLogEntry {
    /** Unique to this request; all log lines about the request contain it. */
    id: string;
    /** The operation of the route; absent if no route matched. */
    operation?: Operation;
    method: string;
    /** The path without the query, which may contain a link's signature. */
    path: string;
    /** Absent if the connection ended before the whole response was sent. */
    status?: number;
    /** The client's address; behind trusted proxies, the one that they report. */
    address?: string;
    /** The key that the request used; absent if none was accepted. */
    key?: string;
    /** Absent for the service's own key. */
    keyId?: string;
    /** Why the request was refused or failed, as the answer says. */
    error?: string;
    durationMs: number;
}

const maxReason = 300;

/** The entry of a request that Node.js refused, with a dash in place of what it could not read. */
export function entryOfBroken({ method = "-", url = "-", status, address, error }: BrokenRequest): RequestLogEntry {
    const about = address === undefined ? {} : { address };
    return { id: randomUUID(), method, path: pathOf(url), status, ...about, error, durationMs: 0 };
}

/**
 * Logs requests of clients, but not those with which a page asks the API. Call this function before adding any other
 * hook, so that rejected requests are logged, too.
 */
export function addRequestLog(app: App, onRequest: (entry: RequestLogEntry) => void): void {
    const reasons = new WeakMap<FastifyRequest, string>();
    app.decorateRequest("isOfPage", false);
    app.addHook("preSerialization", (request, reply, payload, done) => {
        const reason = (payload as { error?: unknown } | null)?.error;
        if (reply.statusCode >= 400 && typeof reason === "string") {
            reasons.set(request, beginningOf(toOneLine(reason), maxReason));
        }
        done(null, payload);
    });
    app.addHook("onRequest", (request, reply, done) => {
        const startedAt = performance.now();
        const { config, url = "" } = request.routeOptions;
        const { operation, isSecret = false } = config;
        // A connection that was cut has no address any more.
        const address = request.ip;
        // onResponse is not used, because it is never called for a connection that was cut.
        reply.raw.once("close", () => {
            if (request.isOfPage) {
                return;
            }
            onRequest({
                id: request.id,
                ...(operation === undefined ? {} : { operation }),
                method: request.method,
                path: isSecret ? url : pathOf(request.url),
                address,
                ...(reply.raw.writableFinished ? { status: reply.raw.statusCode } : {}),
                // Undefined for a request that was refused before its key was known.
                ...((request.caller as Caller | undefined) === undefined ? {} : aboutCaller(request.caller)),
                ...(reasons.has(request) ? { error: reasons.get(request)! } : {}),
                durationMs: performance.now() - startedAt,
            });
        });
        done();
    });
}
