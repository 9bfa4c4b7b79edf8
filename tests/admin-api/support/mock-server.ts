import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { once } from "node:events";
import { type AddressInfo } from "node:net";
import { json as readJson } from "node:stream/consumers";
import { Check } from "typebox/schema";
import { parse } from "yaml";

interface Schema {
    type?: string | string[];
    enum?: readonly string[];
    example?: unknown;
    items?: Schema;
    properties?: Record<string, Schema>;
    required?: readonly string[];
}

type Content = Record<string, { schema: Schema }>;

interface Operation {
    requestBody?: { content: Content };
    responses: Record<string, { content: Content }>;
}

/** Whether responses have every documented field, only the required fields, or null wherever the document allows it. */
export type Fields = "every" | "required" | "null";

/** A server based on an OpenAPI document: it checks each request, and responds with the document's examples. */
export class MockServer {
    /** Requests that the document does not allow. */
    readonly problems: string[] = [];
    fields: Fields = "every";
    /** The values of an enumerated field in successive responses; the last value repeats. */
    readonly values = new Map<string, readonly string[]>();
    readonly #server: Server;
    readonly #paths: Record<string, Record<string, Operation>>;
    readonly #adminApiKey: string;
    readonly #answers = new Map<string, number>();

    private constructor(paths: Record<string, Record<string, Operation>>, adminApiKey: string) {
        this.#paths = paths;
        this.#adminApiKey = adminApiKey;
        this.#server = createServer((request, response) => {
            void this.#answer(request).then(({ status, body }) => {
                response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
            });
        });
    }

    static async start(document: URL, adminApiKey: string): Promise<MockServer> {
        const { paths } = parse(await readFile(document, "utf8")) as {
            paths: Record<string, Record<string, Operation>>;
        };
        const mock = new MockServer(paths, adminApiKey);
        await once(mock.#server.listen(0, "127.0.0.1"), "listening");
        return mock;
    }

    get url(): string {
        return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    }

    stop(): void {
        this.#server.closeAllConnections();
        this.#server.close();
    }

    async #answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
        const { method = "", url = "", headers } = request;
        const name = `${method} ${url}`;
        const refuse = (status: number, error: string) => {
            this.problems.push(`${name}: ${error}`);
            return { status, body: { error } };
        };
        const found = Object.entries(this.#paths).find(([path]) =>
            new RegExp(`^${path.replace(/\{\w+\}/g, "[^/?]+")}$`).test(url),
        );
        const operation = found?.[1][method.toLowerCase()];
        if (operation === undefined) {
            return refuse(404, "the document has no such operation");
        }
        if (headers.authorization !== `Bearer ${this.#adminApiKey}`) {
            return refuse(401, "no admin API key");
        }
        const schema = operation.requestBody?.content["application/json"]?.schema;
        const body = schema === undefined ? undefined : await readJson(request).catch(() => undefined);
        if (schema !== undefined && !Check(schema, body)) {
            return refuse(400, "the body is not as documented");
        }
        const [[status, { content }]] = Object.entries(operation.responses) as [[string, { content: Content }]];
        return { status: Number(status), body: this.#example("", content["application/json"]!.schema) };
    }

    #example(name: string, schema: Schema): unknown {
        const types = [schema.type].flat();
        if (this.fields === "null" && types.includes("null")) {
            return null;
        }
        if (schema.enum !== undefined) {
            const values = this.values.get(name) ?? schema.enum;
            const count = this.#answers.get(name) ?? 0;
            this.#answers.set(name, count + 1);
            return values[Math.min(count, values.length - 1)];
        }
        if (types.includes("array")) {
            return [this.#example(name, schema.items ?? {})];
        }
        if (types.includes("object")) {
            const { properties = {}, required = [] } = schema;
            const shown = Object.entries(properties).filter(
                ([key]) => this.fields !== "required" || required.includes(key),
            );
            return Object.fromEntries(shown.map(([key, property]) => [key, this.#example(key, property)]));
        }
        return schema.example;
    }
}
