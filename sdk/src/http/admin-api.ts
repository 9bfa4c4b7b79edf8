import { randomUUID } from "node:crypto";
import { cleanServerText } from "@pulumi-static-export/contract";
import {
    type BackoffOptions,
    isTransient,
    mayHaveHadEffect,
    parseRetryAfter,
    provablyHadNoEffect,
    retryDelayMs,
    withRetries,
} from "./retry.js";
import { type ApiAnswer, type ApiCall } from "./api-call.js";
import { type ApiSender, decodeAnswer, exchange } from "./api-exchange.js";
import { type CallOptions, type Replayable, type StartOptions } from "./call-options.js";
import { type Clock } from "../time/clock.js";
import {
    AmbiguousStartError,
    type CallContext,
    ConnectionError,
    HttpError,
    RequestTimeoutError,
    StaticExportError,
} from "../errors/index.js";
import { type FetchLike, type FetchResponse } from "./transport/fetch-like.js";
import { createGate } from "./transport/gate.js";
import { maxConnections, type Transport } from "./transport/node-transport.js";
import { isApiError, isStorageError, parseErrorText } from "./error-body.js";
import { withTimeout } from "../time/with-timeout.js";

/** How long to wait for a response after the deadline, because the last poll is made at the deadline itself. */
const lastAnswerMs = 5_000;
/** The time limit for checking whether the server honours the key of a start whose response was lost. */
const maxProbeMs = 30_000;

interface AdminApiOptions {
    baseUrl: string;
    adminApiKey: string;
    transport: Transport;
    requestTimeoutMs: number;
    maxAttempts: number;
    backoff: BackoffOptions;
    clock: Clock;
    userAgent: string;
}

/**
 * The HTTP layer of the admin API: sends requests, decides on retries and decodes responses. Holds the key privately.
 */
export class AdminApi {
    readonly #options: AdminApiOptions;
    /**
     * Calls wait in this queue, not for a socket, because waiting for a socket would count towards the request timeout.
     */
    readonly #pooledGate = createGate(maxConnections);
    readonly #freshGate = createGate(maxConnections);
    readonly #keySupport = new KeySupport();
    readonly #sender: ApiSender;
    /** Whether the self-hosted service has answered, which names itself in each answer. */
    #isSelfHosted = false;

    constructor(options: AdminApiOptions) {
        this.#options = options;
        const { adminApiKey, userAgent } = options;
        this.#sender = { adminApiKey, userAgent, clean: (text) => this.clean(text) };
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

    /** Makes one attempt of an idempotent call. */
    attempt<T>(call: ApiCall<T>, { signal, deadlineMs = Infinity }: CallOptions): Promise<ApiAnswer<T>> {
        const { requestTimeoutMs, transport } = this.#options;
        const askedMs = this.clock.now();
        return this.#pooledGate(signal, () => {
            const remainingMs = Math.max(deadlineMs, askedMs) + lastAnswerMs - this.clock.now();
            if (remainingMs <= 0) {
                // Waiting in the queue behind earlier calls used up the time.
                throw new RequestTimeoutError(this.contextOf(call), this.clock.now() - askedMs);
            }
            return this.#send(call, transport.pooled, Math.min(requestTimeoutMs, remainingMs), signal);
        });
    }

    /**
     * Makes an idempotent call and retries it after transient errors and errors that `alsoRetry` accepts, which may
     * throw an error that says more.
     */
    async repeat<T>(
        call: ApiCall<T>,
        options: CallOptions,
        alsoRetry: (error: unknown, elapsedMs: number) => boolean | Promise<boolean> = () => false,
    ): Promise<T> {
        const { value } = await withRetries(() => this.attempt(call, options), {
            ...options,
            clock: this.clock,
            delayMs: async (error, attempt, elapsedMs) =>
                (isTransient(error) && attempt < this.#options.maxAttempts) || (await alsoRetry(error, elapsedMs))
                    ? retryDelayMs(error, attempt, this.backoff)
                    : undefined,
        });
        return value;
    }

    /**
     * Makes a call that starts something. Retries the call if it provably had no effect. Also retries after a lost
     * response if the server is known to honour the Idempotency-Key: the retry then finds the job by its key.
     */
    async start<T extends object>(start: ApiCall<T>, options: StartOptions): Promise<T & Replayable> {
        const { transport, requestTimeoutMs, maxAttempts } = this.#options;
        const { signal, waitSignal, deadlineMs = Infinity } = options;
        const stop = AbortSignal.any([signal ?? [], waitSignal ?? []].flat());
        const call = { ...start, idempotencyKey: options.idempotencyKey ?? randomUUID() };
        let attempts = 0;
        let unanswered: StaticExportError | undefined;
        let isRepeated = false;
        const send = async () => {
            attempts += 1;
            isRepeated = unanswered !== undefined;
            try {
                const answer = await this.#freshGate(signal, () =>
                    this.#send(call, transport.fresh, requestTimeoutMs, signal),
                );
                return { ...answer, isRepeated };
            } catch (error) {
                unanswered = error instanceof StaticExportError && mayHaveHadEffect(error) ? error : unanswered;
                throw error;
            }
        };
        const sendWithRetries = () =>
            withRetries(send, {
                deadlineMs,
                signal: stop,
                clock: this.clock,
                delayMs: (error) =>
                    attempts < maxAttempts &&
                    (provablyHadNoEffect(error) || (this.#keySupport.keptMs > 0 && error === unanswered))
                        ? retryDelayMs(error, attempts, this.backoff)
                        : undefined,
            });
        try {
            const { value, ...answer } = await sendWithRetries().catch(async (error: unknown) => {
                const isUnknown = error === unanswered && this.#keySupport.keptMs === 0;
                const mayRepeat = isUnknown && attempts < maxAttempts && this.clock.now() < deadlineMs;
                if (mayRepeat && (await this.#isKeyHonoured(options))) {
                    return sendWithRetries();
                }
                throw error;
            });
            if (!answer.isReplayed) {
                return value;
            }
            return { ...value, isReplayed: true, ...(answer.isRepeated && { mayBeOwn: true }) };
        } catch (error) {
            if (unanswered === undefined && provablyHadNoEffect(error)) {
                waitSignal?.throwIfAborted();
            }
            if (unanswered !== undefined && error instanceof StaticExportError) {
                throw new AmbiguousStartError(this.contextOf(call), unanswered, isRepeated);
            }
            throw error;
        }
    }

    /**
     * Returns how long the server honours an Idempotency-Key; 0 if the server does not say. Rejects if the server does
     * not respond, because it may nevertheless honour keys.
     */
    async idempotencyKeyMaxAgeMs({ signal, deadlineMs = Infinity }: CallOptions): Promise<number> {
        if (this.#keySupport.keptMs === 0) {
            // Every response contains the maximum age, so this requests a job that cannot exist, which has no effect.
            const probe: ApiCall<unknown> = {
                context: { subject: "export" },
                method: "GET",
                path: `/v1/static-export/jobs/${randomUUID()}`,
                decode: () => undefined,
            };
            const probeDeadlineMs = Math.min(deadlineMs, this.clock.now() + maxProbeMs);
            try {
                await this.repeat(probe, { signal, deadlineMs: probeDeadlineMs });
            } catch (error) {
                if (!(error instanceof StaticExportError) || (isUnanswered(error) && this.#keySupport.keptMs === 0)) {
                    throw error;
                }
            }
        }
        return this.#keySupport.keptMs;
    }

    /** Whether the server is known to honour an Idempotency-Key. Rejects only when the caller has aborted. */
    async #isKeyHonoured(options: CallOptions): Promise<boolean> {
        try {
            return (await this.idempotencyKeyMaxAgeMs(options)) > 0;
        } catch (error) {
            if (error instanceof StaticExportError) {
                return false;
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
                const answer = await exchange(call, { context, sender: this.#sender, fetch, signal: attemptSignal });
                const { response, text } = answer;
                this.#keySupport.note(response);
                const isSelfHosted = response.headers.get("static-export-service") !== null;
                this.#isSelfHosted ||= isSelfHosted;
                const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), this.clock.now());
                if (response.status < 200 || response.status > 299) {
                    const serverMessage = parseErrorText(text ?? "", [this.#options.adminApiKey]);
                    const isOfApi = this.#isSelfHosted ? isSelfHosted : isApiError(text ?? "", response.status);
                    throw new HttpError(context, {
                        status: response.status,
                        serverMessage,
                        retryAfterMs,
                        isSelfHosted,
                        isOfApi,
                        isStorage: isStorageError(text ?? ""),
                    });
                }
                const isReplayed = response.headers.get("idempotency-replayed") === "true";
                return { value: decodeAnswer(call, context, answer, this.#sender.clean), retryAfterMs, isReplayed };
            },
            this.clock,
        );
    }
}

/** The calls of a client that are about one subject. */
export abstract class ApiCalls {
    constructor(protected readonly api: AdminApi) {}
}

/** Whether the server itself did not respond: an error of a gateway does not count as a response of the server. */
function isUnanswered(error: StaticExportError): boolean {
    return error instanceof ConnectionError || isTransient(error);
}

/** A server's support for Idempotency-Key, according to its responses. */
class KeySupport {
    /**
     * How long the server keeps a key, so that a retry returns the existing job; 0 until a response has contained it.
     */
    keptMs = 0;

    note({ headers }: Pick<FetchResponse, "headers">): void {
        const maxAge = headers.get("idempotency-key-max-age") ?? "";
        // A response without the header may come from a proxy, so it does not prove that the server ignores keys.
        if (/^\d{1,9}$/.test(maxAge)) {
            this.keptMs = Number(maxAge) * 1000;
        }
    }
}
