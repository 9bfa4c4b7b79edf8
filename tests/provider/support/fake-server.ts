import type { FetchLike, FetchResponse } from "@pulumi-static-export/sdk";
import type { FakeClock } from "../../fake-clock.js";

/**
 * A fault in place of a normal response. If the request has no effect, the fault is a status, a connection that is
 * `refused`, cut (`reset`) or fails with a `code`, or no response (`hang`). If the request takes effect, the response
 * is `lost`, `truncated`, replaced by an HTML page, late, or has `altered` fields.
 */
export type Fault =
    | { status: number; error?: string; body?: string; retryAfter?: string; html?: true }
    | { altered: Readonly<Record<string, unknown>> }
    | { delayMs: number }
    | { code: string }
    | "refused"
    | "reset"
    | "hang"
    | "lost"
    | "truncated"
    | "html";

/** How long a client waits for a response. */
const hangMs = 30_000;

/** A request as the server sees it. */
export interface Call<Operation extends string> {
    operation: Operation;
    jobId?: string;
    body: Record<string, unknown>;
    /** The Idempotency-Key. */
    key?: string | undefined;
}

export interface Answer {
    status: number;
    json: object;
}

/**
 * A part of the admin API in memory, with the spec's clock, whose requests fail according to `faults`. The real service
 * runs in tests/e2e and in the contract specs; here, the schedule of faults must be exact.
 */
export abstract class FakeServer<Operation extends string> {
    readonly requests: { operation: Operation; jobId?: string }[] = [];
    /** The faults of the next requests of an operation, in order; undefined means no fault. */
    readonly faults: Record<Operation, (Fault | undefined)[]>;
    /** The effects in order: the job of each start and of each message. */
    readonly effects: string[] = [];
    /** How far the server's clock is ahead. */
    skewMs = 0;
    /** Whether the server returns the same job for the same Idempotency-Key, and announces this in its responses. */
    honoursKeys = false;
    /** Whether responses contain the header of the self-hosted service. */
    isSelfHosted = false;
    /** The job that every key finds, for a server that does not distinguish keys. */
    jobOfEveryKey: string | undefined;
    /** Requests of this operation get no response until `release` is called. */
    hang: Operation | undefined;
    readonly #held: (() => void)[] = [];
    readonly #jobOfKey = new Map<string, string>();
    #onRequest: (operation: Operation) => void = () => {};

    constructor(
        protected readonly clock: FakeClock,
        operations: readonly Operation[],
    ) {
        this.faults = Object.fromEntries(operations.map((operation) => [operation, []])) as unknown as Record<
            Operation,
            Fault[]
        >;
    }

    abstract readonly jobs: Map<string, unknown>;

    /** Returns the operation of a request, and its job if there is one. */
    protected abstract callOf(method: string, path: string): { operation: Operation; jobId?: string };

    /** Executes the request, and stores a start under the key of the call. */
    protected abstract handle(call: Call<Operation>): Answer & { startedJobId?: string };

    /** Returns the response to a start whose key is known. */
    protected abstract repeat(jobId: string): Answer;

    /** Forgets all jobs and Idempotency-Keys. */
    forgetAll(): void {
        this.jobs.clear();
        this.#jobOfKey.clear();
    }

    /** Resolves when the next request of an operation arrives. */
    requested(operation: Operation): Promise<void> {
        return new Promise((resolve) => {
            this.#onRequest = (arrived) => arrived === operation && resolve();
        });
    }

    count(operation: Operation): number {
        return this.requests.filter((request) => request.operation === operation).length;
    }

    readonly fetch: FetchLike = (url, { method, body = "{}", headers, signal }) => {
        const asked = this.callOf(method, new URL(url).pathname);
        this.requests.push(asked);
        this.#onRequest(asked.operation);
        const json = JSON.parse(body) as Record<string, unknown>;
        const call = { ...asked, body: json, key: headers["idempotency-key"] };
        return this.hang === asked.operation
            ? new Promise((resolve) => this.#held.push(() => resolve(this.#answerTo(call, signal))))
            : this.#answerTo(call, signal);
    };

    /** Answers the waiting requests, and holds no further requests. */
    release(): void {
        this.hang = undefined;
        this.#held.splice(0).forEach((answer) => answer());
    }

    #answerTo(call: Call<Operation>, signal: AbortSignal): Promise<FetchResponse> {
        const fault = this.faults[call.operation].shift();
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
            const { status, error = "out of order", body = JSON.stringify({ error }), retryAfter, html } = fault;
            return Promise.resolve(this.#answer(status, html ? htmlPage : body, { retryAfter }));
        }
        if (typeof fault === "object" && "delayMs" in fault) {
            this.clock.pass(fault.delayMs);
        }
        const { status, json, isReplayed } = this.#handleOnce(call);
        if (fault === "lost") {
            return brokenConnection("socket hang up", "ECONNRESET");
        }
        const isAltered = typeof fault === "object" && "altered" in fault && status < 300;
        const text = JSON.stringify(isAltered ? { ...json, ...fault.altered } : json);
        const sent = fault === "html" ? htmlPage : fault === "truncated" ? text.slice(0, text.length / 2) : text;
        return Promise.resolve(this.#answer(status, sent, { isReplayed }));
    }

    #jobOf(key: string): string | undefined {
        return this.jobOfEveryKey ?? this.#jobOfKey.get(key);
    }

    #handleOnce(call: Call<Operation>): Answer & { isReplayed: boolean } {
        const known = this.honoursKeys && call.key !== undefined ? this.#jobOf(call.key) : undefined;
        if (known !== undefined) {
            return { ...this.repeat(known), isReplayed: true };
        }
        const { startedJobId, ...answer } = this.handle(call);
        if (startedJobId !== undefined) {
            this.effects.push(startedJobId);
            if (call.key !== undefined) {
                this.#jobOfKey.set(call.key, startedJobId);
            }
        }
        return { ...answer, isReplayed: false };
    }

    #answer(
        status: number,
        text: string,
        { retryAfter, isReplayed = false }: { retryAfter?: string | undefined; isReplayed?: boolean } = {},
    ): FetchResponse {
        const headers = new Map([
            ["content-type", text === htmlPage ? "text/html" : "application/json"],
            ["date", new Date(this.clock.now() + this.skewMs).toUTCString()],
            ...(this.honoursKeys ? ([["idempotency-key-max-age", "86400"]] as const) : []),
            ...(this.isSelfHosted ? ([["static-export-service", "self-hosted"]] as const) : []),
            ...(isReplayed ? ([["idempotency-replayed", "true"]] as const) : []),
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
