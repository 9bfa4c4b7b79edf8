import type { AgentJobs } from "./agent-jobs.js";
import type { Clock } from "./clock.js";
import type { FetchLike } from "./fetch-like.js";
import type { StaticExports } from "./static-exports.js";

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
    readonly agentJobs!: AgentJobs;
    readonly staticExports!: StaticExports;

    constructor(options: AdminClientOptions) {
        void options;
        throw new Error("not implemented yet");
    }

    /** Closes idle connections. They keep no process alive in any case. */
    close(): void {}
}
