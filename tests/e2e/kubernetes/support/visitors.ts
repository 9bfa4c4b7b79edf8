import { Agent, get, type RequestOptions } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether a visitor keeps its connection open, or opens a new one for each request. */
type Kind = "kept" | "fresh";

interface VisitorOptions {
    ofEachKind?: number;
    pauseMs?: number;
    /** Of every request. */
    headers?: Readonly<Record<string, string>>;
}

/** The responses that visitors got while they repeatedly requested the same addresses. */
export interface Visits {
    /** The number of responses with each content, by "address content". */
    readonly seen: ReadonlyMap<string, number>;
    /** Descriptions of all responses that are incomplete, have a status other than 200, or have unknown content. */
    readonly failures: readonly string[];
    /** The number of responses, on reused and on new connections. */
    readonly answered: Readonly<Record<Kind, number>>;
}

/** The number of responses on connections of both kinds. */
export function answersOf({ answered }: Pick<Visits, "answered">): number {
    return answered.kept + answered.fresh;
}

/** The permitted responses, by content name, then by address. */
export type Contents = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Visitors of a site: some keep their connections open, as browsers do; others open a new connection for each request.
 */
export class Visitors {
    readonly #seen = new Map<string, number>();
    readonly #failures: string[] = [];
    readonly #answered = { kept: 0, fresh: 0 };
    readonly #leaving = new AbortController();
    readonly #all: Promise<void>[];
    readonly #pauseMs: number;
    readonly #headers: Readonly<Record<string, string>>;

    constructor(
        private readonly url: string,
        private readonly contents: Contents,
        private readonly addresses: readonly string[],
        { ofEachKind = 4, pauseMs = 0, headers = {} }: VisitorOptions = {},
    ) {
        this.#pauseMs = pauseMs;
        this.#headers = headers;
        const all = Array.from({ length: ofEachKind }, (): Kind[] => ["kept", "fresh"]).flat();
        this.#all = all.map((kind) => this.#visit(kind));
    }

    /** The number of responses so far. */
    get answered(): Visits["answered"] {
        return { ...this.#answered };
    }

    /** Lets every visitor finish its current request. */
    async leave(): Promise<Visits> {
        this.#leaving.abort();
        await Promise.all(this.#all);
        return { seen: this.#seen, failures: this.#failures, answered: this.#answered };
    }

    async #visit(kind: Kind): Promise<void> {
        const agent = new Agent(kind === "kept" ? { keepAlive: true, maxSockets: 1 } : { keepAlive: false });
        while (!this.#leaving.signal.aborted) {
            for (const address of this.addresses) {
                await this.#ask(address, agent, kind);
                await sleep(this.#pauseMs);
            }
        }
        agent.destroy();
    }

    async #ask(address: string, agent: Agent, kind: Kind): Promise<void> {
        try {
            const body = await bodyOf(this.url + address, { agent, headers: this.#headers });
            const content = Object.keys(this.contents).find((name) => this.contents[name]?.[address] === body);
            if (content === undefined) {
                throw new Error(`${body.length} characters that are the whole of no version`);
            }
            const key = `${address} ${content}`;
            this.#seen.set(key, (this.#seen.get(key) ?? 0) + 1);
            this.#answered[kind]++;
        } catch (error) {
            this.#failures.push(`${address} (${kind} connection): ${String(error)}`);
        }
    }
}

/** Does not retry when a reused connection ends, although most clients would. */
function bodyOf(address: string, options: RequestOptions): Promise<string> {
    return new Promise((resolve, reject) => {
        const request = get(address, { ...options, timeout: 10_000 }, (response) => {
            let body = "";
            response.setEncoding("utf8").on("data", (text: string) => (body += text));
            response.on("error", reject).on("end", () => {
                if (response.statusCode === 200 && response.complete) {
                    resolve(body);
                } else {
                    reject(new Error(`status ${response.statusCode}, ${response.complete ? "whole" : "broken off"}`));
                }
            });
        });
        request.on("error", reject).on("timeout", () => request.destroy(new Error("no answer within 10 s")));
    });
}
