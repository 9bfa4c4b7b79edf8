import { type FastifyReply, type FastifyRequest } from "fastify";
import { once } from "node:events";
import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { type BundleLinks } from "../storage/bundle-links.js";
import { type App } from "./protocol/typed-app.js";
import { type FaultEffect } from "../faults/fault.js";
import { type DueFault, type FaultSchedule } from "../faults/fault-schedule.js";

interface FaultInjectionOptions {
    schedule: FaultSchedule;
    links: BundleLinks;
    publicUrl: () => string;
    clock: () => number;
    /** Aborted when the service closes, so that no delay keeps it from closing. */
    closing: AbortSignal;
}

/** Adds the only hooks that inject faults into requests. Call this function before adding routes. */
export function addFaultInjection(app: App, options: FaultInjectionOptions): void {
    const { schedule, closing, clock } = options;
    app.decorateRequest("fault", undefined);

    app.addHook("preHandler", async (request, reply) => {
        const { operation } = request.routeOptions.config;
        request.fault = operation === undefined ? undefined : schedule.take(operation);
        if (request.fault === undefined) {
            return;
        }
        try {
            await request.fault.wait(closing);
        } catch {
            disconnect(request, reply);
            return reply;
        }
        return answerInstead(request, reply, request.fault, clock);
    });
    app.addHook("preSerialization", (request, reply, payload, done) => {
        const { effect } = request.fault ?? {};
        done(null, effect !== undefined && reply.statusCode < 300 ? alterBody(payload, effect, options) : payload);
    });
    app.addHook("onSend", (request, reply, payload, done) => {
        const { effect } = request.fault ?? {};
        done(null, effect === undefined ? payload : cutAnswer(reply, payload, effect));
    });
}

/** Effects that replace the operation. Returning the reply ends the handling of the request. */
function answerInstead(request: FastifyRequest, reply: FastifyReply, fault: DueFault, clock: () => number) {
    const { effect, spec } = fault;
    if (effect?.kind === "status") {
        if (effect.retryAfter !== undefined) {
            const { seconds, asDate } = effect.retryAfter;
            void reply.header("retry-after", asDate ? new Date(clock() + seconds * 1000).toUTCString() : seconds);
        }
        void reply.code(effect.status);
        return effect.html
            ? reply.type("text/html").send(`<!doctype html><title>${effect.status}</title><h1>Rehearsed fault</h1>`)
            : reply.send({ error: `Rehearsed fault (${spec}).` });
    }
    if (effect?.kind === "vanish") {
        return reply.code(404).send({ error: `There is no such job. Rehearsed fault (${spec}).` });
    }
    if (effect?.kind === "reset") {
        disconnect(request, reply);
        return reply;
    }
    return undefined;
}

/** Effects on the JSON of a successful response. */
function alterBody(payload: unknown, effect: FaultEffect, { links, publicUrl, clock }: FaultInjectionOptions): unknown {
    const body = payload as Record<string, unknown>;
    if (effect.kind === "unknown-status") {
        return { ...body, status: "rehearsing" };
    }
    if (effect.kind === "progress-back") {
        return {
            ...body,
            status: "running",
            progress: Math.floor(Number(body["progress"]) / 2),
            pageCount: Math.floor(Number(body["pageCount"]) / 2),
        };
    }
    if (effect.kind === "expired-link") {
        const expiresAt = new Date(Math.floor(clock() / 1000) * 1000 - 60_000);
        return {
            ...body,
            bundleUrl: publicUrl() + links.create(String(body["jobId"]), expiresAt),
            expiresAt: expiresAt.toISOString(),
        };
    }
    return payload;
}

/** Effects on the bytes of a response. */
function cutAnswer(reply: FastifyReply, payload: unknown, effect: FaultEffect): unknown {
    if (effect.kind !== "truncate" && effect.kind !== "reset-after" && effect.kind !== "ambiguous") {
        return payload;
    }
    const content = typeof payload === "string" ? Readable.from([Buffer.from(payload)]) : payload;
    if (!(content instanceof Readable)) {
        return payload;
    }
    const length = typeof payload === "string" ? Buffer.byteLength(payload) : Number(reply.getHeader("content-length"));
    if (effect.kind === "truncate") {
        const half = Math.floor(length / 2);
        void reply.header("content-length", half);
        return Readable.from(firstBytes(content, half));
    }
    void reply.header("content-length", length);
    // Without a byte of the body, Node.js would not send the headers either.
    const count = effect.kind === "ambiguous" ? 0 : Math.min(effect.bytes, length - 1);
    return Readable.from(bytesThenReset(content, count, reply));
}

async function* firstBytes(content: Readable, count: number): AsyncGenerator<Buffer> {
    let left = count;
    for await (const chunk of content as AsyncIterable<Buffer>) {
        if (left > 0) {
            yield chunk.subarray(0, left);
            left -= chunk.length;
        }
        if (left <= 0) {
            return;
        }
    }
}

async function* bytesThenReset(content: Readable, count: number, { raw }: FastifyReply): AsyncGenerator<Buffer> {
    yield* firstBytes(content, count);
    // The client should receive these bytes: wait until they have left this process.
    await turn();
    const { socket } = raw;
    await new Promise((resolve) => (socket === null ? resolve(undefined) : socket.write("", resolve)));
    // If the stream ended before the response is closed, the response would count as sent.
    const closed = once(raw, "close");
    socket?.resetAndDestroy();
    await closed;
}

function disconnect(request: FastifyRequest, reply: FastifyReply): void {
    reply.hijack();
    request.raw.socket.resetAndDestroy();
}
