import { inspect } from "node:util";
import { AdminApi } from "./http/admin-api.js";
import { assertAdminApiKey, normalizeBaseUrl, settingsNumber } from "./http/settings.js";
import { AdminKeys } from "./operators/admin-keys.js";
import { Sites } from "./operators/sites.js";
import { AgentJobs } from "./jobs/agent-jobs.js";
import { DocumentationUpdates } from "./jobs/documentation-updates.js";
import type { CallOptions } from "./http/call-options.js";
import { type Clock, systemClock } from "./time/clock.js";
import type { FetchLike } from "./http/transport/fetch-like.js";
import { createNodeTransport, type Transport } from "./http/transport/node-transport.js";
import { StaticExports } from "./jobs/static-exports.js";

/** How often a call is attempted, and how long to wait between the attempts. */
export interface RetryOptions {
    /** Maximum number of attempts per call, including the first. @default 5 */
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
    /** Base URL of the admin API, such as `https://api.example.com` or `http://127.0.0.1:8080/admin`. */
    baseUrl: string;
    adminApiKey: string;
    /** If set, a key with another prefix is refused before any request. */
    adminKeyPrefix?: string | undefined;
    /** Replaces node-fetch and its bounded connection pool. */
    fetch?: FetchLike | undefined;
    /**
     * Timeout of one attempt, including reading the response.
     * @default 30_000
     */
    requestTimeoutMs?: number | undefined;
    retry?: RetryOptions | undefined;
    clock?: Clock | undefined;
    /** Returns a number in [0, 1), for jitter. */
    random?: (() => number) | undefined;
    userAgent?: string | undefined;
}

/** Client of the admin API. Makes no request until a method is called, and never outputs the key. */
export class AdminClient {
    readonly baseUrl: string;
    readonly adminKeys: AdminKeys;
    readonly agentJobs: AgentJobs;
    readonly sites: Sites;
    readonly documentationUpdates: DocumentationUpdates;
    readonly staticExports: StaticExports;
    readonly #api: AdminApi;
    readonly #transport: Transport;

    /** @throws InvalidSettingsError when the key or the base URL is invalid */
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
        this.adminKeys = new AdminKeys(this.#api);
        this.agentJobs = new AgentJobs(this.#api);
        this.sites = new Sites(this.#api);
        this.documentationUpdates = new DocumentationUpdates(this.#api);
        this.staticExports = new StaticExports(this.#api);
    }

    /**
     * How long the server honours an Idempotency-Key: repeating a start within this time, even from another process,
     * returns the existing job. 0 if the server does not say. Makes at most one successful request, and none if an
     * earlier response contained this time.
     *
     * @throws StaticExportError when the server does not respond, because it may nevertheless honour keys
     */
    idempotencyKeyMaxAgeMs(options: CallOptions = {}): Promise<number> {
        return this.#api.idempotencyKeyMaxAgeMs(options);
    }

    /** Closes the client's connections. Idle connections do not keep the process alive. */
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
