import { type Clock, parseRetryAfter } from "@pulumi-static-export/sdk";
import { PlatformError } from "./platform-error.js";

export interface RestClientOptions {
    /** The platform's name in messages. */
    platform: "GitHub" | "GitLab";
    apiUrl: string;
    headers: Readonly<Record<string, string>>;
    clock: Clock;
    signal?: AbortSignal | undefined;
    /** What to do about a status, as a sentence. */
    advice: Readonly<Record<number, string>>;
}

export interface RestResponse {
    status: number;
    headers: Headers;
    body: unknown;
}

const attempts = 5;
const requestTimeoutMs = 30_000;
/** A comment is not worth a longer wait of the CI job. */
const longestWaitMs = 120_000;
const firstBackoffMs = 1000;

/**
 * A client of one REST API. Waits for rate limits as the server asks, for at most two minutes in total. Retries lost
 * connections and 5xx, unless a retry could create something twice.
 */
export class RestClient {
    readonly #options: RestClientOptions;
    #waitedMs = 0;

    constructor(options: RestClientOptions) {
        this.#options = options;
    }

    get apiUrl(): string {
        return this.#options.apiUrl;
    }

    /** @throws PlatformError for every status that is neither 2xx nor in `accepted` */
    async request(
        method: string,
        path: string,
        { body, accepted = [] }: { body?: object; accepted?: readonly number[] } = {},
    ): Promise<RestResponse> {
        const url = this.#urlOf(path);
        const what = `${method} ${url.pathname}`;
        for (let attempt = 1; ; attempt += 1) {
            const response = await this.#send(method, url, body).catch((error: unknown) =>
                this.#explain(method, what, error),
            );
            const isLast = attempt === attempts;
            if (response instanceof PlatformError) {
                if (isLast || method === "POST") {
                    throw response;
                }
                await this.#wait(backoffMs(attempt), response);
                continue;
            }
            if ((response.status >= 200 && response.status < 300) || accepted.includes(response.status)) {
                return response;
            }
            const error = this.#refusal(method, what, response);
            const waitMs = this.#retryInMs(response, attempt, method);
            if (isLast || waitMs === undefined) {
                throw error;
            }
            await this.#wait(waitMs, error);
        }
    }

    /** The path of the next page. It must be on the same host, because the token is sent there. */
    nextPage({ headers }: RestResponse): string | undefined {
        const [, next] = /<([^>]+)>;\s*rel="next"/.exec(headers.get("link") ?? "") ?? [];
        return next === undefined || !URL.canParse(next, this.apiUrl) ? undefined : next;
    }

    #urlOf(path: string): URL {
        const base = this.apiUrl.replace(/\/*$/, "");
        const url = new URL(/^https?:/.test(path) ? path : `${base}${path}`);
        if (url.origin !== new URL(base).origin) {
            throw new PlatformError(
                `${this.#options.platform} refers to another host, ${url.host}: no request was sent to it.`,
            );
        }
        return url;
    }

    async #send(method: string, url: URL, body: object | undefined): Promise<RestResponse> {
        const { headers, signal } = this.#options;
        const timeout = AbortSignal.timeout(requestTimeoutMs);
        const response = await fetch(url, {
            method,
            headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
            // A redirect must not carry the token to another host.
            redirect: "manual",
            signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        return { status: response.status, headers: response.headers, body: parse(text) };
    }

    #explain(method: string, what: string, error: unknown): PlatformError {
        this.#options.signal?.throwIfAborted();
        const { message, cause } = error as Error;
        const reason = cause instanceof Error ? cause.message : message;
        const text = `${this.#options.platform} could not be reached (${what}): ${reason}.`;
        return new PlatformError(text, method === "POST");
    }

    #refusal(method: string, what: string, response: RestResponse): PlatformError {
        const { platform, advice } = this.#options;
        const { status, body } = response;
        const told = messageOf(body);
        const limited = isRateLimited(response) ? " The rate limit of the token is used up: run this again later." : "";
        const text = `${platform} answered ${status}${told === "" ? "" : ` "${told}"`} (${what}).`;
        const isAmbiguous = method === "POST" && status >= 500;
        return new PlatformError(`${text}${limited || prefixed(advice[status])}`, isAmbiguous);
    }

    #retryInMs(response: RestResponse, attempt: number, method: string): number | undefined {
        if (isRateLimited(response)) {
            return rateLimitMs(response.headers, this.#options.clock.now()) ?? backoffMs(attempt);
        }
        // A POST that failed inside the server may still have created the comment.
        return response.status >= 500 && method !== "POST" ? backoffMs(attempt) : undefined;
    }

    async #wait(ms: number, error: PlatformError): Promise<void> {
        this.#waitedMs += ms;
        if (this.#waitedMs > longestWaitMs) {
            throw error;
        }
        const { clock, signal } = this.#options;
        await clock.sleep(ms, signal);
    }
}

/** GitHub answers 403 both for a missing permission and for a rate limit; the headers and the message tell them apart. */
function isRateLimited({ status, headers, body }: RestResponse): boolean {
    const isUsedUp = headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after");
    return status === 429 || (status === 403 && (isUsedUp || /rate limit/i.test(messageOf(body))));
}

function rateLimitMs(headers: Headers, nowMs: number): number | undefined {
    const asked = parseRetryAfter(headers.get("retry-after"), nowMs);
    const reset = headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset");
    if (asked !== undefined || reset === null || !/^\d{1,11}$/.test(reset)) {
        return asked;
    }
    return Math.max(0, Number(reset) * 1000 - nowMs) + firstBackoffMs;
}

function backoffMs(attempt: number): number {
    return firstBackoffMs * 2 ** (attempt - 1);
}

function messageOf(body: unknown): string {
    const { message, error } = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
    const text = typeof message === "string" ? message : typeof error === "string" ? error : "";
    return text.replace(/[\s\p{C}]+/gu, " ").slice(0, 200);
}

function prefixed(advice: string | undefined): string {
    return advice === undefined ? "" : ` ${advice}`;
}

function parse(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}
