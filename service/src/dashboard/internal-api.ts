import { type InjectOptions } from "fastify";
import { type CallerTickets } from "../http/authentication.js";
import { type Caller } from "../http/protocol/caller.js";
import { type App } from "../http/protocol/typed-app.js";

/** A refused request of a page, with the API's status and message. */
export class PageError extends Error {
    override readonly name = "PageError";
    readonly statusCode: number;

    constructor(statusCode: number, message: string) {
        super(message);
        this.statusCode = statusCode;
    }
}

interface CallSettings {
    json?: object;
    /** Lets a repeated click find the first click's job. */
    idempotencyKey?: string;
}

/** The service's own API, as its pages call it: with the rights of the person, and without a connection. */
export class InternalApi {
    readonly #app: App;
    readonly #tickets: CallerTickets;

    constructor(app: App, tickets: CallerTickets) {
        this.#app = app;
        this.#tickets = tickets;
    }

    /** @throws PageError for every status other than 2xx */
    async call<T>(caller: Caller, method: "GET" | "POST" | "DELETE", path: string, settings: CallSettings = {}) {
        const { json, idempotencyKey } = settings;
        const request: InjectOptions = {
            method,
            url: path,
            headers: {
                authorization: `Page ${this.#tickets.issue(caller)}`,
                ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
            },
            ...(json === undefined ? {} : { payload: json }),
        };
        const { statusCode, body } = await this.#app.inject(request);
        const answer = parse(body);
        if (statusCode >= 300) {
            throw new PageError(statusCode, (answer as { error?: string } | undefined)?.error ?? "The service failed.");
        }
        return answer as T;
    }

    async get<T>(caller: Caller, path: string): Promise<T> {
        return this.call<T>(caller, "GET", path);
    }
}

function parse(body: string): unknown {
    try {
        return JSON.parse(body);
    } catch {
        return undefined;
    }
}
