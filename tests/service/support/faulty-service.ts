import {
    type ExportControl,
    type Exporter,
    type ExportRequest,
    type ExportResult,
    ProcessExporter,
} from "@pulumi-static-export/exporter";
import {
    createService,
    createWorker,
    type Service,
    type ServiceOptions,
    type Worker,
    type WorkerOptions,
} from "@pulumi-static-export/service";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { basename, dirname } from "node:path";
import { Readable } from "node:stream";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { type LimitOptions } from "../../../service/src/options/option-table.js";
import { resolveLimits } from "../../../service/src/roles/service-limits.js";

/**
 * The faults of a service, each as `OPERATION:SETTING[=VALUE],…`. An operation is the name of a route in the request
 * log, `export` or `publish`. Settings are `delay`, at most one effect, and how many requests to hit (`times`) and to
 * let pass (`after`). The first fault that is due hits.
 *
 * Effects: `status` (with `retry-after` or `html`), `reset` and `vanish` replace the work; `ambiguous`, `reset-after`,
 * `truncate`, `unknown-status` and `progress-back` change the answer; `fail` ends a job of `export` or `publish`.
 */
type Faults = readonly string[];

export interface FaultyService extends Service {
    /** Replaces all faults and restarts the counts. */
    setFaults(specs: Faults): void;
}

export interface FaultyWorker extends Worker {
    setFaults(specs: Faults): void;
}

export type FaultyOptions = ServiceOptions & { readonly faults?: Faults };

/** A service whose requests and jobs fail as a spec wants. Its faults are hooks that the product does not have. */
export function createFaultyService({ faults = [], ...options }: FaultyOptions): FaultyService {
    const schedule = new FaultSchedule(faults);
    const closing = new AbortController();
    // Fastify announces the app before the service adds routes.
    const inject = (message: unknown): void =>
        addHooks((message as { fastify: FastifyInstance }).fastify, schedule, closing.signal);
    subscribe("fastify.initialization", inject);
    try {
        const service = createService({ ...options, exporter: new FaultyExporter(options, schedule) });
        const close = async (): Promise<void> => {
            closing.abort();
            await service.close();
        };
        return {
            listen: (where) => service.listen(where),
            get url() {
                return service.url;
            },
            createSignInLink: () => service.createSignInLink(),
            setFaults: (specs) => schedule.set(specs),
            close,
        };
    } finally {
        unsubscribe("fastify.initialization", inject);
    }
}

/** A worker whose jobs fail as a spec wants. */
export function createFaultyWorker(options: WorkerOptions): FaultyWorker {
    const schedule = new FaultSchedule([]);
    const worker = createWorker({ ...options, exporter: new FaultyExporter(options, schedule) });
    return Object.assign(worker, { setFaults: (specs: Faults) => schedule.set(specs) });
}

interface Fault {
    readonly spec: string;
    readonly operation: string;
    readonly settings: ReadonlyMap<string, string>;
    seen: number;
    hit: number;
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

class FaultSchedule {
    #faults: readonly Fault[] = [];

    constructor(specs: Faults) {
        this.set(specs);
    }

    set(specs: Faults): void {
        this.#faults = specs.map((spec) => {
            const [, operation = "", settings = ""] = /^([\w-]+):(.*)$/s.exec(spec) ?? [];
            const pairs = settings.split(",").map((text): [string, string] => {
                const [name = "", ...value] = text.split("=");
                return [name, value.join("=")];
            });
            return { spec, operation, settings: new Map(pairs), seen: 0, hit: 0 };
        });
    }

    take(operation: string): Fault | undefined {
        const concerned = this.#faults.filter((fault) => fault.operation === operation);
        concerned.forEach((fault) => (fault.seen += 1));
        const due = concerned.find(
            ({ settings, seen, hit }) =>
                seen > Number(settings.get("after") ?? 0) && hit < Number(settings.get("times") ?? Infinity),
        );
        if (due !== undefined) {
            due.hit += 1;
        }
        return due;
    }
}

/** @throws the signal's reason if the signal is aborted first */
async function wait({ settings }: Fault, signal: AbortSignal): Promise<void> {
    const [, amount, unit = ""] = /^(\d+)(\w+)$/.exec(settings.get("delay") ?? "") ?? [];
    if (amount !== undefined) {
        await sleep(Number(amount) * unitMs[unit]!, undefined, { signal });
    }
}

/** Fails or delays jobs, before the exporter that the service would have used runs them. */
class FaultyExporter implements Exporter {
    #exporter: Exporter | undefined;

    constructor(
        private readonly options: Pick<ServiceOptions, "exporter"> & LimitOptions,
        private readonly schedule: FaultSchedule,
    ) {}

    async export(request: ExportRequest, control: ExportControl): Promise<ExportResult> {
        // The export's folder is in the job's work folder, whose name begins with the id of the job.
        const isUpdate = basename(dirname(request.workDir)).startsWith("du_");
        const fault = this.schedule.take(isUpdate ? "publish" : "export");
        if (fault !== undefined) {
            await wait(fault, control.signal);
            const reason = fault.settings.get("fail");
            if (reason !== undefined) {
                throw new Error(reason);
            }
        }
        this.#exporter ??= this.options.exporter ?? new ProcessExporter(resolveLimits(this.options).exportLimits);
        return this.#exporter.export(request, control);
    }

    async close(): Promise<void> {
        await (this.#exporter ?? this.options.exporter)?.close?.();
    }
}

function addHooks(app: FastifyInstance, schedule: FaultSchedule, closing: AbortSignal): void {
    const faults = new WeakMap<FastifyRequest, Fault>();
    app.addHook("preHandler", async (request, reply) => {
        const { operation = "" } = request.routeOptions.config as { operation?: string };
        const fault = schedule.take(operation);
        if (fault === undefined) {
            return undefined;
        }
        faults.set(request, fault);
        try {
            await wait(fault, closing);
        } catch {
            return disconnect(request, reply);
        }
        return answerInstead(request, reply, fault);
    });
    app.addHook("preSerialization", (request, reply, payload, done) => {
        const fault = faults.get(request);
        done(null, fault !== undefined && reply.statusCode < 300 ? alterBody(payload, fault) : payload);
    });
    app.addHook("onSend", (request, reply, payload, done) => {
        const fault = faults.get(request);
        done(null, fault === undefined ? payload : cutAnswer(reply, payload, fault));
    });
}

/** Returning the reply ends the handling of the request. */
function answerInstead(request: FastifyRequest, reply: FastifyReply, { spec, settings }: Fault) {
    const status = settings.get("status");
    const retryAfter = settings.get("retry-after");
    if (retryAfter !== undefined) {
        void reply.header("retry-after", retryAfter);
    }
    if (status !== undefined) {
        void reply.code(Number(status));
        return settings.has("html")
            ? reply.type("text/html").send(`<!doctype html><title>${status}</title><h1>Simulated fault</h1>`)
            : reply.send({ error: `Simulated fault (${spec}).` });
    }
    if (settings.has("vanish")) {
        return reply.code(404).send({ error: `There is no such job. Simulated fault (${spec}).` });
    }
    return settings.has("reset") ? disconnect(request, reply) : undefined;
}

function alterBody(payload: unknown, { settings }: Fault): unknown {
    const body = payload as Record<string, unknown>;
    if (settings.has("unknown-status")) {
        return { ...body, status: "rehearsing" };
    }
    if (settings.has("progress-back")) {
        const half = (name: string) => Math.floor(Number(body[name]) / 2);
        return { ...body, status: "running", progress: half("progress"), pageCount: half("pageCount") };
    }
    return payload;
}

/** Effects on the bytes of an answer. */
function cutAnswer(reply: FastifyReply, payload: unknown, { settings }: Fault): unknown {
    const bytes = settings.has("ambiguous") ? "0" : settings.get("reset-after");
    const content = typeof payload === "string" ? Readable.from([Buffer.from(payload)]) : payload;
    if ((bytes === undefined && !settings.has("truncate")) || !(content instanceof Readable)) {
        return payload;
    }
    const length = typeof payload === "string" ? Buffer.byteLength(payload) : Number(reply.getHeader("content-length"));
    if (bytes === undefined) {
        const half = Math.floor(length / 2);
        void reply.header("content-length", half);
        return Readable.from(firstBytes(content, half));
    }
    void reply.header("content-length", length);
    return Readable.from(bytesThenReset(content, Math.min(Number(bytes), length - 1), reply));
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

function disconnect(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    reply.hijack();
    request.raw.socket.resetAndDestroy();
    return reply;
}
