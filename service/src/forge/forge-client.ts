import { setTimeout as sleep } from "node:timers/promises";
import { trimTrailing } from "@pulumi-static-export/contract";
import { createProxyAgent, ProxySettingError } from "@pulumi-static-export/contract/proxy";
import { toOneLine } from "@pulumi-static-export/exporter/strings";
import fetch, { type Headers } from "node-fetch";
import { ForgeError } from "./forge-error.js";
import { type ForgeKind } from "./forge-kinds.js";
import { Secrets } from "../output/secret-filter.js";
import { isRateLimited, rateLimitMs } from "./rate-limits.js";

/** The clock that retries use to wait. */
export interface ForgeClock {
    /** Milliseconds since the epoch. */
    now(): number;
    /** Rejects as soon as the signal is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

interface ForgeClientOptions {
    kind: ForgeKind;
    apiUrl: string;
    /** Sent to the API's origin only, and replaced by `***` in messages. */
    token: string;
    /** @default "authorization", as a bearer token */
    tokenHeader?: "authorization" | "private-token";
    /** @default the machine's clock */
    clock?: ForgeClock | undefined;
    signal?: AbortSignal | undefined;
    /** Advice about a status, as a sentence. */
    advice?: Readonly<Record<number, string>>;
}

interface ForgeRequest {
    body?: object;
    /** Statuses other than 2xx that are results. */
    accepted?: readonly number[];
    /** Whether a GET follows redirects, within the API's origin. */
    isFollowing?: boolean;
}

interface ForgeResponse {
    status: number;
    headers: Headers;
    /** Undefined if the answer is empty or not JSON. */
    body: unknown;
    isEmpty: boolean;
}

const names: Readonly<Record<ForgeKind, string>> = {
    github: "GitHub",
    gitlab: "GitLab",
    gitea: "Gitea",
    forgejo: "Forgejo",
};
const kindHeaders: Readonly<Record<ForgeKind, Readonly<Record<string, string>>>> = {
    github: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
    gitlab: { accept: "application/json" },
    gitea: { accept: "application/json" },
    forgejo: { accept: "application/json" },
};

export const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];
const maxTries = 5;
const requestTimeoutMs = 30_000;
/** Enough for a page of a hundred comments of maximum length. */
const maxBodyBytes = 16 * 1024 * 1024;
/** The limit for all retries together, because callers that need a comment or a pull request should not wait longer. */
const maxWaitMs = 120_000;
const firstBackoffMs = 1000;
const maxToldCharacters = 200;

const systemClock: ForgeClock = {
    now: () => Date.now(),
    sleep: (ms, signal) => sleep(ms, undefined, { ...(signal === undefined ? {} : { signal }) }),
};

/**
 * A client of a forge's REST API, through the proxy that the environment names. Waits for rate limits as long as the
 * server requires, but for at most two minutes in total. Retries lost connections and 5xx, unless a retry could create
 * something twice.
 */
export class ForgeClient {
    readonly #options: ForgeClientOptions;
    readonly #secrets: Secrets;
    readonly #clock: ForgeClock;
    #waitedMs = 0;

    constructor(options: ForgeClientOptions) {
        this.#options = options;
        this.#secrets = new Secrets([options.token]);
        this.#clock = options.clock ?? systemClock;
    }

    /** @throws ForgeError for every status that is neither 2xx nor in `accepted` */
    async request(
        method: string,
        path: string,
        { body, accepted = [], isFollowing = false }: ForgeRequest = {},
    ): Promise<ForgeResponse> {
        let url = this.#urlOf(path);
        const what = `${method} ${url.pathname}`;
        for (let tries = 1; ; tries += 1) {
            const response = await this.#send(method, url, body).catch((error: unknown) =>
                this.#explain(method, what, error),
            );
            const isLast = tries === maxTries;
            if (response instanceof ForgeError) {
                if (isLast || method === "POST" || !response.isTransient) {
                    throw response;
                }
                await this.#wait(backoffMs(tries), response);
                continue;
            }
            if ((response.status >= 200 && response.status < 300) || accepted.includes(response.status)) {
                return this.#expectJson(response, what);
            }
            const newUrl = isFollowing && method === "GET" ? this.#sameOrigin(url, response) : undefined;
            if (newUrl !== undefined && !isLast) {
                url = newUrl;
                continue;
            }
            const error = this.#refusal(method, what, response);
            const waitMs = this.#retryInMs(response, tries, method);
            if (isLast || waitMs === undefined) {
                throw error;
            }
            await this.#wait(waitMs, error);
        }
    }

    /**
     * Runs `create` until its requests get an answer. `create` must first look for a result of an earlier attempt.
     *
     * @throws ForgeError
     */
    async createOnce<T>(create: () => Promise<T>): Promise<T> {
        for (let tries = 1; ; tries += 1) {
            try {
                return await create();
            } catch (error) {
                if (!(error instanceof ForgeError) || !error.isAmbiguous || tries === maxTries) {
                    throw error;
                }
                await this.#wait(backoffMs(tries), error);
            }
        }
    }

    /**
     * Yields the entries of all pages of a list. Pages must be on the same host, because the token is sent there.
     *
     * @throws ForgeError if a page names an earlier page as the next one
     */
    async *list<T extends object>(path: string): AsyncGenerator<T> {
        const seen = new Set<string>();
        for (let page: string | undefined = path; page !== undefined;) {
            const { href } = this.#urlOf(page);
            if (seen.has(href)) {
                throw new ForgeError(
                    `${this.#name} names a page of its list as its own next page: the list never ends.`,
                );
            }
            seen.add(href);
            const { body, headers }: ForgeResponse = await this.request("GET", page);
            yield* (body as (T | null)[]).filter((entry) => entry !== null);
            const [, next] = /<([^<>]+)>;\s*rel="next"/.exec(headers.get("link") ?? "") ?? [];
            page = next === undefined || !URL.canParse(next, this.#options.apiUrl) ? undefined : next;
        }
    }

    get #name(): string {
        return names[this.#options.kind];
    }

    #urlOf(path: string): URL {
        const base = trimTrailing(this.#options.apiUrl, "/");
        const url = new URL(/^https?:/.test(path) ? path : `${base}${path}`);
        if (url.origin !== new URL(base).origin) {
            throw new ForgeError(`${this.#name} refers to another host, ${url.host}: no request was sent to it.`);
        }
        return url;
    }

    async #send(method: string, url: URL, body: object | undefined): Promise<ForgeResponse> {
        const { kind, token, tokenHeader = "authorization", signal } = this.#options;
        const timeout = AbortSignal.timeout(requestTimeoutMs);
        const agent = await createProxyAgent(url.href);
        const response = await fetch(url, {
            method,
            ...(agent === undefined ? {} : { agent }),
            headers: {
                ...kindHeaders[kind],
                [tokenHeader]: tokenHeader === "authorization" ? `Bearer ${token}` : token,
                "user-agent": "static-export",
                ...(body === undefined ? {} : { "content-type": "application/json" }),
            },
            // A redirect must not carry the token to another host.
            redirect: "manual",
            signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await readText(response.body, maxBodyBytes);
        return { status: response.status, headers: response.headers, body: parse(text), isEmpty: text === "" };
    }

    /** A proxy, or a wrong address, may answer every request with a page, such as a form to sign in. */
    #expectJson(response: ForgeResponse, what: string): ForgeResponse {
        if (response.body === undefined && !response.isEmpty) {
            throw new ForgeError(
                `${this.#name} answered ${response.status} with a page instead of JSON (${what}): check the address of ` +
                    "the API, and that no sign-in page is in front of it.",
                { status: response.status },
            );
        }
        return response;
    }

    #sameOrigin(url: URL, { status, headers }: ForgeResponse): URL | undefined {
        const location = headers.get("location") ?? "";
        if (!redirectStatuses.includes(status) || !URL.canParse(location, url)) {
            return undefined;
        }
        const next = new URL(location, url);
        return next.origin === url.origin ? next : undefined;
    }

    #explain(method: string, what: string, error: unknown): ForgeError {
        this.#options.signal?.throwIfAborted();
        const { message, cause } = error as Error;
        const reason = this.#clean(cause instanceof Error ? cause.message : message);
        const text = `${this.#name} could not be reached (${what}): ${reason}.`;
        const wasSent = !(error instanceof ProxySettingError);
        return new ForgeError(text, { isAmbiguous: wasSent && method === "POST", isTransient: wasSent });
    }

    #refusal(method: string, what: string, response: ForgeResponse): ForgeError {
        const { advice = {} } = this.#options;
        const { status, body } = response;
        const told = this.#clean(messageOf(body));
        const isLimited = isRateLimited(response);
        const isUsedUp = Number(response.headers.get("x-ratelimit-remaining") ?? 0) === 0;
        const limit = isUsedUp ? "The rate limit of the token is used up" : "Too many requests at one time";
        const limited = isLimited ? ` ${limit}: try again later.` : "";
        const text = `${this.#name} answered ${status}${told === "" ? "" : ` "${told}"`} (${what}).`;
        return new ForgeError(`${text}${limited || prefixed(advice[status])}`, {
            isAmbiguous: method === "POST" && status >= 500,
            isTransient: isLimited || status >= 500 || status === 408,
            status,
        });
    }

    #retryInMs(response: ForgeResponse, tries: number, method: string): number | undefined {
        if (isRateLimited(response)) {
            const asked = rateLimitMs(response.headers, this.#clock.now());
            return asked === undefined ? backoffMs(tries) : asked;
        }
        // A POST that failed inside the server may still have created something.
        return response.status >= 500 && method !== "POST" ? backoffMs(tries) : undefined;
    }

    async #wait(ms: number, error: ForgeError): Promise<void> {
        this.#waitedMs += ms;
        if (this.#waitedMs > maxWaitMs) {
            throw error;
        }
        await this.#clock.sleep(ms, this.#options.signal);
    }

    #clean(text: string): string {
        return toOneLine(this.#secrets.remove(text), maxToldCharacters);
    }
}

function backoffMs(tries: number): number {
    return firstBackoffMs * 2 ** (tries - 1);
}

/** Returns a forge's message as text; GitLab's `message` may be a list or an object of reasons. */
function messageOf(body: unknown): string {
    const { message, error } = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
    const told = message ?? error ?? "";
    return typeof told === "string" ? told : JSON.stringify(told);
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

/** @throws as soon as the body is longer than `maxBytes`, without reading the rest */
async function readText(body: AsyncIterable<Uint8Array | string> | null, maxBytes: number): Promise<string> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body ?? []) {
        const buffer = Buffer.from(chunk as Uint8Array);
        bytes += buffer.length;
        if (bytes > maxBytes) {
            throw new Error(`the answer is longer than ${maxBytes} bytes`);
        }
        chunks.push(buffer);
    }
    return Buffer.concat(chunks).toString("utf8");
}
