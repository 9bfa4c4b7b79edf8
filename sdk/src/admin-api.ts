import type { BackoffOptions } from "./backoff.js";
import type { CallOptions } from "./call-options.js";
import type { Clock } from "./clock.js";
import { classifyConnectionFailure, createShowableCause } from "./connection-failure.js";
import { DecodeProblem } from "./decode.js";
import {
    AmbiguousStartError,
    type CallContext,
    ConnectionError,
    HttpError,
    InvalidResponseError,
    RequestTimeoutError,
    StaticExportError,
} from "./errors/index.js";
import type { FetchLike, FetchResponse } from "./fetch-like.js";
import { createGate } from "./gate.js";
import { maxConnections, type Transport } from "./node-transport.js";
import { parseHttpDate } from "./http-date.js";
import { readBody } from "./read-body.js";
import { withRetries } from "./retry.js";
import { parseRetryAfter } from "./retry-after.js";
import { cleanServerText, parseErrorText } from "./server-text.js";
import { isTransient, mayHaveHadEffect, provablyHadNoEffect, retryDelayMs } from "./transient.js";
import { withTimeout } from "./with-timeout.js";

const longestAnswerBytes = 4 * 1024 * 1024;
const maxRedirects = 5;
/** How long after its deadline a call may still be answered: else the last poll, which is made then, never could be. */
const lastAnswerMs = 5_000;

/** One call of the admin API. */
export interface ApiCall<T> {
    context: Omit<CallContext, "operation" | "url">;
    method: "GET" | "POST";
    /** Below the base address, encoded. */
    path: string;
    body?: unknown;
    /** Throws {@link DecodeProblem}. */
    decode(value: unknown, clean: (text: string) => string, serverTimeMs: number | undefined): T;
}

export interface ApiAnswer<T> {
    value: T;
    /** What the server asked for beside a success, unbounded. */
    retryAfterMs: number | undefined;
}

export interface AdminApiOptions {
    baseUrl: string;
    adminApiKey: string;
    transport: Transport;
    requestTimeoutMs: number;
    maxAttempts: number;
    backoff: BackoffOptions;
    clock: Clock;
    userAgent: string;
}

/** HTTP of the admin API: sends, judges and decodes. Holds the key, privately. */
export class AdminApi {
    readonly #options: AdminApiOptions;
    /** Calls wait here and not for a socket, where the wait would count as the server's. */
    readonly #pooledGate = createGate(maxConnections);
    readonly #freshGate = createGate(maxConnections);

    constructor(options: AdminApiOptions) {
        this.#options = options;
    }

    get clock(): Clock {
        return this.#options.clock;
    }

    get backoff(): BackoffOptions {
        return this.#options.backoff;
    }

    contextOf({ context, method, path }: Pick<ApiCall<unknown>, "context" | "method" | "path">): CallContext {
        return { ...context, operation: `${method} ${path}`, url: `${this.#options.baseUrl}${path}` };
    }

    clean(text: string): string {
        return cleanServerText(text, [this.#options.adminApiKey]);
    }

    /** One attempt of a call that may be repeated. */
    attempt<T>(call: ApiCall<T>, { signal, deadlineMs = Infinity }: CallOptions): Promise<ApiAnswer<T>> {
        const { requestTimeoutMs, transport } = this.#options;
        const askedMs = this.clock.now();
        return this.#pooledGate(signal, () => {
            const remainingMs = Math.max(deadlineMs, askedMs) + lastAnswerMs - this.clock.now();
            if (remainingMs <= 0) {
                // The calls before it had all the time that there was.
                throw new RequestTimeoutError(this.contextOf(call), this.clock.now() - askedMs);
            }
            return this.#send(call, transport.pooled, Math.min(requestTimeoutMs, remainingMs), signal);
        });
    }

    /** A call that may be repeated, and is when the failure may pass. `alsoRetry` admits further errors. */
    async repeat<T>(
        call: ApiCall<T>,
        options: CallOptions,
        alsoRetry: (error: unknown, elapsedMs: number) => boolean = () => false,
    ): Promise<T> {
        const { value } = await withRetries(() => this.attempt(call, options), {
            ...options,
            clock: this.clock,
            delayMs: (error, attempt, elapsedMs) =>
                (isTransient(error) && attempt < this.#options.maxAttempts) || alsoRetry(error, elapsedMs)
                    ? retryDelayMs(error, attempt, this.backoff)
                    : undefined,
        });
        return value;
    }

    /** A call that starts something: repeated only while it provably had no effect. */
    async start<T>(call: ApiCall<T>, options: CallOptions): Promise<T> {
        const { transport, requestTimeoutMs, maxAttempts } = this.#options;
        const { signal } = options;
        const send = () => this.#freshGate(signal, () => this.#send(call, transport.fresh, requestTimeoutMs, signal));
        try {
            const { value } = await withRetries(send, {
                ...options,
                clock: this.clock,
                delayMs: (error, attempt) =>
                    provablyHadNoEffect(error) && attempt < maxAttempts
                        ? retryDelayMs(error, attempt, this.backoff)
                        : undefined,
            });
            return value;
        } catch (error) {
            if (error instanceof StaticExportError && mayHaveHadEffect(error)) {
                throw new AmbiguousStartError(this.contextOf(call), error);
            }
            throw error;
        }
    }

    #send<T>(
        call: ApiCall<T>,
        fetch: FetchLike,
        timeoutMs: number,
        signal: AbortSignal | undefined,
    ): Promise<ApiAnswer<T>> {
        const context = this.contextOf(call);
        return withTimeout(
            timeoutMs,
            signal,
            () => new RequestTimeoutError(context, timeoutMs),
            async (attemptSignal) => {
                const { response, text } = await this.#exchange(call, context, fetch, attemptSignal);
                const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), this.clock.now());
                if (response.status < 200 || response.status > 299) {
                    const serverMessage = parseErrorText(text ?? "", [this.#options.adminApiKey]);
                    throw new HttpError(context, { status: response.status, serverMessage, retryAfterMs });
                }
                return { value: this.#decode(call, context, response, text), retryAfterMs };
            },
        );
    }

    async #exchange<T>(
        call: ApiCall<T>,
        context: CallContext,
        fetch: FetchLike,
        signal: AbortSignal,
    ): Promise<{ response: FetchResponse; text: string | undefined }> {
        const { adminApiKey, userAgent } = this.#options;
        const body = call.body === undefined ? undefined : JSON.stringify(call.body);
        let url = context.url;
        for (let redirects = 0; ; redirects += 1) {
            try {
                const response = await fetch(url, {
                    method: call.method,
                    headers: {
                        accept: "application/json",
                        authorization: `Bearer ${adminApiKey}`,
                        "user-agent": userAgent,
                        ...(body === undefined ? {} : { "content-type": "application/json" }),
                    },
                    ...(body === undefined ? {} : { body }),
                    redirect: "manual",
                    signal,
                });
                const text = await readBody(response, longestAnswerBytes);
                const next = redirects < maxRedirects ? redirectTarget(call.method, url, response) : undefined;
                if (next === undefined) {
                    return { response, text };
                }
                url = next;
            } catch (error) {
                signal.throwIfAborted();
                const cause = createShowableCause(error, (message) => this.clean(message));
                throw new ConnectionError(context, classifyConnectionFailure(error), cause);
            }
        }
    }

    #decode<T>(call: ApiCall<T>, context: CallContext, response: FetchResponse, text: string | undefined): T {
        const invalid = (problem: string) => new InvalidResponseError(context, response.status, problem);
        if (text === undefined) {
            throw invalid(`the answer is longer than ${longestAnswerBytes} bytes`);
        }
        let json: unknown;
        try {
            json = JSON.parse(text);
        } catch {
            throw invalid(describeNotJson(text, response.headers.get("content-type")));
        }
        try {
            const serverTimeMs = parseHttpDate(response.headers.get("date") ?? "");
            return call.decode(json, (value) => this.clean(value), serverTimeMs);
        } catch (error) {
            throw error instanceof DecodeProblem ? invalid(error.message) : error;
        }
    }
}

/** Where a redirect leads, when following it cannot give the key to another origin or turn a POST into a GET. */
function redirectTarget(method: string, url: string, response: FetchResponse): string | undefined {
    const location = response.headers.get("location");
    const follows =
        [307, 308].includes(response.status) || (method === "GET" && [301, 302, 303].includes(response.status));
    if (!follows || location === null || !URL.canParse(location, url)) {
        return undefined;
    }
    const target = new URL(location, url);
    return target.origin === new URL(url).origin ? target.href : undefined;
}

function describeNotJson(text: string, contentType: string | null): string {
    if (text.trim() === "") {
        return "the answer is empty";
    }
    if (/^\s*</.test(text) || /html/i.test(contentType ?? "")) {
        return "the answer is an HTML page, not JSON";
    }
    return /^\s*[{[]/.test(text) ? "the answer is incomplete or broken JSON" : "the answer is not JSON";
}
