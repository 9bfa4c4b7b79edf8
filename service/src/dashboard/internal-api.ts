import { type InjectOptions } from "fastify";
import { type CallerTickets } from "../http/authentication.js";
import { type Caller } from "../http/protocol/caller.js";
import { type Answer, type Answers } from "../http/protocol/schemas.js";
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

    /**
     * @param name - the answer's schema in the OpenAPI document
     * @throws PageError for every status other than 2xx
     */
    async call<Name extends keyof Answers>(
        caller: Caller,
        name: Name,
        request: `${"GET" | "POST" | "PATCH" | "DELETE"} /${string}`,
        { json, idempotencyKey }: CallSettings = {},
    ): Promise<Answer<Name>> {
        const [method = "", path = ""] = request.split(" ");
        const options: InjectOptions = {
            method: method as "GET" | "POST" | "PATCH" | "DELETE",
            url: path,
            headers: {
                authorization: `Page ${this.#tickets.issue(caller)}`,
                ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
            },
            ...(json === undefined ? {} : { payload: json }),
        };
        const { statusCode, body } = await this.#app.inject(options);
        const answer = parse(body);
        if (statusCode >= 300) {
            throw new PageError(statusCode, (answer as { error?: string } | undefined)?.error ?? "The service failed.");
        }
        return answer as Answer<Name>;
    }

    get<Name extends keyof Answers>(caller: Caller, name: Name, path: string): Promise<Answer<Name>> {
        return this.call(caller, name, `GET /${path.replace(/^\//, "")}`);
    }
}

function parse(body: string): unknown {
    try {
        return JSON.parse(body);
    } catch {
        return undefined;
    }
}
