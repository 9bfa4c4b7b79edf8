import type { FetchLike, FetchResponse } from "@pulumi-static-export/sdk";
import type { FakeClock } from "./fake-clock.js";

export type Operation = "start" | "get" | "bundle";
/**
 * What happens to one request instead of its ordinary answer. Without doing the work: a status, a connection that is
 * `refused`, cut (`reset`) or fails with a `code`, or no answer at all (`hang`). After it: an answer that is `lost` on its way, `truncated`
 * or replaced by a page of HTML, one whose fields are `altered`, or one that comes late.
 */
export type Fault =
    | { status: number; error?: string; retryAfter?: string; html?: true }
    | { altered: Readonly<Record<string, unknown>> }
    | { delayMs: number }
    | { code: string }
    | "refused"
    | "reset"
    | "hang"
    | "lost"
    | "truncated"
    | "html";

/** How long a client waits for one answer before it gives up. */
const hangMs = 30_000;

export interface FakeJob {
    domain: string;
    version: string | undefined;
    startedMs: number;
    endsMs: number;
    outcome: "completed" | { failed: string };
}

/** What a start is made with. */
interface Sent {
    body: string | undefined;
    key: string | undefined;
}

/**
 * The admin API in memory, on the clock of the spec: a job takes `jobMs`, and requests fail as `faults` says. The real
 * service stands in tests/e2e and in the contract specs; here a schedule of faults has to be exact.
 */
export class FakePlatform {
    readonly requests: { operation: Operation; jobId?: string }[] = [];
    readonly jobs = new Map<string, FakeJob>();
    /** The faults of the next requests of an operation, in order; undefined lets one pass. */
    readonly faults: Record<Operation, (Fault | undefined)[]> = { start: [], get: [], bundle: [] };
    jobMs = 30_000;
    linkTtlMs = 3600_000;
    nextOutcome: FakeJob["outcome"] = "completed";
    /** How far the platform's clock is ahead. */
    skewMs = 0;
    /** Whether the same Idempotency-Key gives the same job, as the answers say then. */
    honoursKeys = false;
    readonly #startedWith = new Map<string, string>();
    /** Requests of this operation are not answered before `release` is called. */
    hang: Operation | undefined;
    readonly #held: (() => void)[] = [];
    #started = 0;
    #onRequest: (operation: Operation) => void = () => {};

    constructor(private readonly clock: FakeClock) {}

    /** Resolves when the next request of an operation arrives. */
    requested(operation: Operation): Promise<void> {
        return new Promise((resolve) => {
            this.#onRequest = (arrived) => arrived === operation && resolve();
        });
    }

    count(operation: Operation): number {
        return this.requests.filter((request) => request.operation === operation).length;
    }

    readonly fetch: FetchLike = (url, { method, body, headers, signal }) => {
        const [, jobId, bundle] = /\/jobs(?:\/([^/]+)(\/bundle)?)?$/.exec(url) ?? [];
        const operation = jobId === undefined ? "start" : bundle === undefined ? "get" : "bundle";
        this.requests.push({ operation, ...(jobId === undefined ? {} : { jobId }) });
        this.#onRequest(operation);
        if (this.hang === operation) {
            return new Promise((resolve) =>
                this.#held.push(() =>
                    resolve(
                        this.#answerTo(operation, method, jobId, { body, key: headers["idempotency-key"] }, signal),
                    ),
                ),
            );
        }
        return this.#answerTo(operation, method, jobId, { body, key: headers["idempotency-key"] }, signal);
    };

    /** Answers what hangs, and lets the next requests pass. */
    release(): void {
        this.hang = undefined;
        this.#held.splice(0).forEach((answer) => answer());
    }

    #answerTo(
        operation: Operation,
        method: string,
        jobId: string | undefined,
        start: Sent,
        signal: AbortSignal,
    ): Promise<FetchResponse> {
        const fault = this.faults[operation].shift();
        if (fault === "refused") {
            return brokenConnection("connect ECONNREFUSED", "ECONNREFUSED");
        }
        if (fault === "reset") {
            return brokenConnection("read ECONNRESET", "ECONNRESET");
        }
        if (fault === "hang") {
            this.clock.pass(hangMs);
            return new Promise((_, reject) => {
                signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
            });
        }
        if (typeof fault === "object" && "code" in fault) {
            return brokenConnection(`request failed, reason: ${fault.code}`, fault.code);
        }
        if (typeof fault === "object" && "status" in fault) {
            const { status, error = "out of order", retryAfter, html } = fault;
            return Promise.resolve(this.#answer(status, html ? htmlPage : JSON.stringify({ error }), retryAfter));
        }
        if (typeof fault === "object" && "delayMs" in fault) {
            this.clock.pass(fault.delayMs);
        }
        const { status, json } = this.#handle(operation, jobId, start);
        if (fault === "lost") {
            return brokenConnection("socket hang up", "ECONNRESET");
        }
        const isAltered = typeof fault === "object" && "altered" in fault && status < 300;
        const text = JSON.stringify(isAltered ? { ...json, ...fault.altered } : json);
        const sent = fault === "html" ? htmlPage : fault === "truncated" ? text.slice(0, text.length / 2) : text;
        return Promise.resolve(this.#answer(status, sent));
    }

    #handle(operation: Operation, jobId = "", { body = "{}", key }: Sent): { status: number; json: object } {
        if (operation === "start") {
            const known = this.honoursKeys && key !== undefined ? this.#startedWith.get(key) : undefined;
            if (known !== undefined) {
                return { status: 202, json: { jobId: known, status: "queued" } };
            }
            const { domain, version } = JSON.parse(body) as { domain: string; version?: string };
            const id = `se_${++this.#started}`;
            const startedMs = this.clock.now();
            const endsMs = startedMs + this.jobMs;
            if (key !== undefined) {
                this.#startedWith.set(key, id);
            }
            this.jobs.set(id, { domain, version, startedMs, endsMs, outcome: this.nextOutcome });
            return { status: 202, json: { jobId: id, status: "queued" } };
        }
        const job = this.jobs.get(jobId);
        if (!job) {
            return { status: 404, json: { error: `no such job ${jobId}` } };
        }
        const share = Math.min(1, (this.clock.now() - job.startedMs) / (job.endsMs - job.startedMs));
        const done = share === 1;
        if (operation === "get") {
            const failed = done && job.outcome !== "completed";
            return {
                status: 200,
                json: {
                    jobId,
                    status: failed ? "failed" : done ? "completed" : "running",
                    progress: share * 100,
                    pageCount: Math.floor(share * 12),
                    updatedAt: new Date(Math.min(this.clock.now(), job.endsMs)).toISOString(),
                    ...(failed ? { error: (job.outcome as { failed: string }).failed } : {}),
                },
            };
        }
        if (!done || job.outcome !== "completed") {
            return { status: 409, json: { error: "the job has not finished" } };
        }
        const expiresMs = this.clock.now() + this.skewMs + this.linkTtlMs;
        return {
            status: 200,
            json: {
                jobId,
                bundleUrl: `https://bundles.example.com/${jobId}.tar.gz?signature=sig${this.requests.length}`,
                sizeBytes: 4096,
                expiresAt: new Date(expiresMs).toISOString(),
            },
        };
    }

    #answer(status: number, text: string, retryAfter?: string): FetchResponse {
        const headers = new Map([
            ["content-type", text === htmlPage ? "text/html" : "application/json"],
            ["date", new Date(this.clock.now() + this.skewMs).toUTCString()],
            ...(this.honoursKeys ? ([["idempotency-key-max-age", "86400"]] as const) : []),
            ...(retryAfter === undefined ? [] : ([["retry-after", retryAfter]] as const)),
        ]);
        return {
            status,
            headers: { get: (name) => headers.get(name.toLowerCase()) ?? null },
            // eslint-disable-next-line @typescript-eslint/require-await
            body: (async function* () {
                yield Buffer.from(text);
            })(),
        };
    }
}

const htmlPage = "<!doctype html><title>Sign in</title>";

function brokenConnection(message: string, code: string): Promise<never> {
    return Promise.reject(Object.assign(new Error(message), { code }));
}
