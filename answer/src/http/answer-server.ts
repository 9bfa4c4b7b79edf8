import { type TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import { Type } from "typebox";
import { lenientMessage } from "../mcp/lenient-messages.js";
import { createMcpServer } from "../mcp/mcp-server.js";
import { type Reader } from "../site/readers-rules.js";
import { questionBody } from "../assistant/question.js";
import { ClosedSiteError, closedSiteAdvice } from "../site/closed-site-error.js";
import { type ExportedSite } from "../site/exported-site.js";
import { NoSearchError, UnknownDivisionError } from "../site/search-site.js";
import { type AssistantSettings } from "../assistant/assistant.js";
import { AssistantRoute } from "./assistant-route.js";
import { isForeign, isLoopback, type ServedHosts } from "./foreign-requests.js";
import { type ReaderHeaders, readerOf } from "./reader-headers.js";

/** The size limit of a request's body: questions are short, but code selections in an MCP request need room. */
const bodyLimitBytes = 256 * 1024;

/** The size limit of a conversation, which clients send as a whole, with the parts of all answers. */
const conversationLimitBytes = 8 * 1024 * 1024;

export interface AnswerServerSettings {
    readonly site: ExportedSite;
    /** The version of the package that serves the site. */
    readonly version: string;
    /** Requests for other domains get 404; if undefined, all domains are accepted. */
    readonly domain?: string | undefined;
    /** If undefined, nobody is signed in, and only public pages are found. */
    readonly readerHeaders?: ReaderHeaders | undefined;
    /** The number of trusted proxies that add their client's address to X-Forwarded-For. @default 0 */
    readonly proxies?: number | undefined;
    /** Undefined: no assistant. */
    readonly assistant?: AssistantSettings | undefined;
    /** Called with errors, which contain neither questions nor pages. */
    readonly onError: (message: string) => void;
}

export interface AnswerServer {
    /** @returns the address */
    listen(options: { port: number; host: string }): Promise<string>;
    close(): Promise<void>;
}

const domainParams = Type.Object({ domain: Type.String({ minLength: 1, maxLength: 300 }) });
const searchBody = Type.Object({
    query: Type.String({ minLength: 1, maxLength: 500 }),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
    filter: Type.Optional(
        Type.Object({ language: Type.Optional(Type.String()), version: Type.Optional(Type.String()) }),
    ),
});
const pageBody = Type.Object({ path: Type.String({ minLength: 1, maxLength: 1000 }) });

/**
 * Answers searches, page requests and MCP clients from one exported site. Stores nothing, so several replicas may serve
 * the same site.
 */
export function createAnswerServer(settings: AnswerServerSettings): AnswerServer {
    const { domain, readerHeaders, proxies = 0, onError } = settings;
    const app = createApp();
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
        const { message } = error;
        const isRefused = error instanceof UnknownDivisionError || error instanceof NoSearchError;
        const { statusCode = isRefused ? 400 : 500 } = error;
        if (statusCode >= 500) {
            onError(message);
        }
        if (error instanceof ClosedSiteError) {
            void reply.code(statusCode).header("retry-after", 2).send({ error: closedSiteAdvice });
        } else {
            void reply.code(statusCode).send({ error: statusCode >= 500 ? "The site could not be read." : message });
        }
    });
    app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: "There is nothing at this address." }));
    const hasProxy = proxies > 0 || readerHeaders !== undefined;
    const hosts: ServedHosts = { domain, isKnown: domain !== undefined && !hasProxy };
    app.addHook("onRequest", async (request, reply) =>
        isForeign(request.headers, hosts) ? reply.code(403).send(foreign) : undefined,
    );
    app.setReplySerializer(writeJson);
    app.get("/livez", () => ({ status: "ok" }));
    addSiteRoutes(app, settings);
    const mcp = addMcpRoutes(app, settings);
    return {
        listen: (options) => {
            hosts.isKnown ||= !hasProxy && isLoopback(options.host);
            return app.listen(options);
        },
        close: async () => {
            await mcp.close();
            await app.close();
        },
    };
}

type App = ReturnType<typeof createApp>;

function createApp() {
    return Fastify({
        bodyLimit: bodyLimitBytes,
        forceCloseConnections: "idle",
        requestTimeout: 30_000,
        routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
        ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
    }).withTypeProvider<TypeBoxTypeProvider>();
}

function addSiteRoutes(app: App, settings: AnswerServerSettings): void {
    const { site, domain, readerHeaders, proxies = 0, onError } = settings;
    const readerOfRequest = (request: FastifyRequest) => readerOf(request.headers, readerHeaders);
    const isOther = (asked: string) => domain !== undefined && asked.toLowerCase() !== domain.toLowerCase();

    app.post("/v1/search/:domain", { schema: { params: domainParams, body: searchBody } }, async (request, reply) => {
        if (isOther(request.params.domain)) {
            return reply.code(404).send({ error: `This server only serves ${domain}.` });
        }
        const { query, pageSize = 10, filter = {} } = request.body;
        const hits = await site.search({ query, max: pageSize, ...filter }, readerOfRequest(request));
        return hits.map(({ path, title, heading, excerpt, tab }) => ({
            content: excerpt,
            path: path.slice(1),
            metadata: { title, ...(heading !== "" && { heading }), ...(tab !== "" && { tab }) },
        }));
    });

    app.post("/v1/page/:domain", { schema: { params: domainParams, body: pageBody } }, async (request, reply) => {
        const page = isOther(request.params.domain)
            ? undefined
            : await site.page(request.body.path, readerOfRequest(request));
        if (page === undefined) {
            return reply.code(404).send({ error: `There is no page ${request.body.path}.` });
        }
        return { content: page.markdown, path: page.path.slice(1) };
    });

    if (settings.assistant !== undefined) {
        const assistant = new AssistantRoute(site, { ...settings.assistant, proxies }, onError);
        const schema = { params: domainParams, body: questionBody };
        const options = { schema, bodyLimit: conversationLimitBytes };
        app.post("/v2/assistant/:domain/message", options, (request, reply) =>
            isOther(request.params.domain)
                ? reply.code(404).send({ error: `This server only serves ${domain}.` })
                : assistant.answer(request, reply, readerOfRequest(request)),
        );
        app.get("/metrics", (_, reply) => reply.type("text/plain; version=0.0.4").send(assistant.metrics));
    }
}

function addMcpRoutes(app: App, settings: AnswerServerSettings): McpHttpHandler {
    const handler = createMcpHandler(
        ({ authInfo }) => createMcpServer({ ...settings, reader: authInfo && { groups: authInfo.scopes } }),
        { onerror: ({ message }) => settings.onError(message) },
    );
    const mcp = async (request: FastifyRequest, reply: FastifyReply, reader?: Reader): Promise<FastifyReply> => {
        // The list of skills is from the latest version.
        await settings.site.refresh();
        // The host makes no difference, and clients can send any text as one.
        const asked = new Request(new URL(request.url, "http://localhost"), {
            method: request.method,
            headers: headersOf(request),
        });
        const { status, headers, body } = await handler.fetch(asked, {
            ...(request.body !== undefined && { parsedBody: lenientMessage(request.body) }),
            ...(reader !== undefined && { authInfo: { token: "", clientId: "reader", scopes: [...reader.groups] } }),
        });
        void reply.code(status).headers(Object.fromEntries(headers));
        if (body === null) {
            return reply.send("");
        }
        const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
        if (isStream && request.method === "POST" && !acceptsStreams(request)) {
            const events = await new Response(body).text();
            const messages = Array.from(events.matchAll(/^data: (.+)$/gm), ([, data]) => data);
            const json = messages.length === 1 ? messages[0] : `[${messages.join(",")}]`;
            return reply.removeHeader("content-length").type("application/json").serializer(String).send(json);
        }
        return reply.send(Readable.fromWeb(body));
    };
    app.route({ method: ["GET", "POST", "DELETE"], url: "/mcp", handler: (request, reply) => mcp(request, reply) });
    app.route({
        method: ["GET", "POST", "DELETE"],
        url: "/authed/mcp",
        handler: async (request, reply) => {
            const reader = readerOf(request.headers, settings.readerHeaders);
            return reader === undefined
                ? reply.code(401).send({ error: "Sign in first." })
                : mcp(request, reply, reader);
        },
    });
    return handler;
}

const foreign = {
    error: "Requests from pages of other sites are refused. If your own site sends them, name it with --domain.",
};

/** Many programs cannot read half of a surrogate pair, which a client may have sent, or an index may contain. */
function writeJson(payload: unknown): string {
    return JSON.stringify(payload, (_, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value));
}

function headersOf({ headers }: FastifyRequest): Headers {
    const copy = new Headers();
    for (const [name, value] of Object.entries(headers)) {
        copy.set(name, Array.isArray(value) ? value.join(", ") : (value ?? ""));
    }
    // The protocol's library requires both types by name.
    copy.set("accept", "application/json, text/event-stream");
    return copy;
}

function acceptsStreams({ headers: { accept } }: FastifyRequest): boolean {
    return accept === undefined || /text\/event-stream|text\/\*|\*\/\*/.test(accept);
}
