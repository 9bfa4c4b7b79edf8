import { inspect } from "node:util";
import { AdminApi } from "./http/admin-api.js";
import { assertAdminApiKey, normalizeBaseUrl, settingsNumber } from "./http/settings.js";
import { type AgentJobs, createAgentJobs } from "./jobs/agent-jobs.js";
import type { CallOptions } from "./http/call-options.js";
import { type Clock, systemClock } from "./time/clock.js";
import type { FetchLike } from "./http/fetch-like.js";
import { createNodeTransport, type Transport } from "./http/node-transport.js";
import { createStaticExports, type StaticExports } from "./jobs/static-exports.js";

/** How often, and how long apart, a call is repeated. */
export interface RetryOptions {
    /**
     * Attempts of one call, the first included.
     * @default 5
     */
    maxAttempts?: number;
    /**
     * Upper bound of the first backoff; it doubles with each attempt.
     * @default 500
     */
    baseMs?: number;
    /**
     * Upper bound of every backoff.
     * @default 20_000
     */
    capMs?: number;
}

/** The options of an {@link AdminClient}. */
export interface AdminClientOptions {
    /** Address of the admin API, such as `https://api.example.com` or `http://127.0.0.1:8080/admin`. */
    baseUrl: string;
    adminApiKey: string;
    /** When given, a key that does not begin with it is refused before any request. */
    adminKeyPrefix?: string | undefined;
    /** Replaces node-fetch, and with it the bounded pool of connections. */
    fetch?: FetchLike | undefined;
    /**
     * For one attempt, answer included.
     * @default 30_000
     */
    requestTimeoutMs?: number | undefined;
    retry?: RetryOptions | undefined;
    clock?: Clock | undefined;
    /** In [0, 1), for jitter. */
    random?: (() => number) | undefined;
    userAgent?: string | undefined;
}

/** Client of the admin API. Makes no request before a method is called; the key appears in no output of it. */
export class AdminClient {
    readonly baseUrl: string;
    readonly agentJobs: AgentJobs;
    readonly staticExports: StaticExports;
    readonly #api: AdminApi;
    readonly #transport: Transport;

    /** @throws InvalidSettingsError when the key or the base address is refused */
    constructor(options: AdminClientOptions) {
        const { adminApiKey, adminKeyPrefix, fetch, retry = {}, random = Math.random } = options;
        this.baseUrl = normalizeBaseUrl(options.baseUrl);
        assertAdminApiKey(adminApiKey, adminKeyPrefix);
        this.#transport =
            fetch === undefined ? createNodeTransport() : { pooled: fetch, fresh: fetch, close: () => undefined };
        this.#api = new AdminApi({
            baseUrl: this.baseUrl,
            adminApiKey,
            transport: this.#transport,
            requestTimeoutMs: settingsNumber("requestTimeoutMs", options.requestTimeoutMs, 30_000, 1),
            maxAttempts: settingsNumber("retry.maxAttempts", retry.maxAttempts, 5, 1),
            backoff: {
                baseMs: settingsNumber("retry.baseMs", retry.baseMs, 500, 0),
                capMs: settingsNumber("retry.capMs", retry.capMs, 20_000, 0),
                random,
            },
            clock: options.clock ?? systemClock,
            userAgent: options.userAgent ?? "pulumi-static-export",
        });
        this.agentJobs = createAgentJobs(this.#api);
        this.staticExports = createStaticExports(this.#api);
    }

    /**
     * For how long the server honours an Idempotency-Key: a start of an earlier process that is younger may be repeated
     * with its key, and finds its job. 0 when the server does not say so, or does not answer. Makes at most one request
     * that succeeds, and none once an answer has told it.
     */
    idempotencyKeyMaxAgeMs(options: CallOptions = {}): Promise<number> {
        return this.#api.idempotencyKeyMaxAgeMs(options);
    }

    /** Closes the client's connections. Idle ones keep no process alive in any case. */
    close(): void {
        this.#transport.close();
    }

    toJSON(): { baseUrl: string } {
        return { baseUrl: this.baseUrl };
    }

    toString(): string {
        return `AdminClient of ${this.baseUrl}`;
    }

    [inspect.custom](): string {
        return `AdminClient ${inspect(this.toJSON())}`;
    }
}
