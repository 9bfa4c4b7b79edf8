import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createProxyAgent } from "@pulumi-static-export/contract/proxy";
import { APICallError, extractReasoningMiddleware, type LanguageModel, wrapLanguageModel } from "ai";
import fetch from "node-fetch";
import { Readable } from "node:stream";
import { ClosedSiteError } from "../site/closed-site-error.js";
import { lenientEvents } from "./lenient-events.js";

/** An endpoint with OpenAI's interface: vLLM, Ollama, or a gateway in front of a cloud's models. */
export interface ModelEndpoint {
    /** The address before `/chat/completions`, such as `http://ollama:11434/v1`. */
    readonly address: string;
    readonly model: string;
    readonly apiKey?: string | undefined;
}

/**
 * @param mayCall whether the model may call tools in the request that begins. The request says so, but not the AI SDK,
 * which ends the answer of a model that calls one nevertheless.
 */
export function createModel({ address, model, apiKey }: ModelEndpoint, mayCall: () => boolean): LanguageModel {
    const provider = createOpenAICompatible({
        name: "endpoint",
        baseURL: address,
        includeUsage: true,
        transformRequestBody: (body) =>
            body["tools"] === undefined || mayCall() ? body : { ...body, tool_choice: "none" },
        ...(apiKey !== undefined && { apiKey }),
        fetch: (url, init) => request(String(url instanceof Request ? url.url : url), init),
    });
    // Some models write their reasoning in the text, between tags.
    const middleware = ["think", "mm:think"].map((tagName) => extractReasoningMiddleware({ tagName }));
    return wrapLanguageModel({ model: provider(model), middleware });
}

/**
 * Uses HTTPS_PROXY and related variables. Redirects are refused, because they would send the key and the question to
 * another server.
 */
async function request(url: string, init: RequestInit = {}): Promise<Response> {
    const agent = await createProxyAgent(url);
    const { status, headers, body } = await fetch(url, {
        method: init.method ?? "GET",
        headers: Object.fromEntries(new Headers(init.headers)),
        body: init.body as string,
        ...(init.signal && { signal: init.signal }),
        redirect: "error",
        ...(agent !== undefined && { agent }),
    });
    const limited = body === null ? null : Readable.from(lenientEvents(firstBytesOf(body as Readable)));
    const content = limited === null ? null : (Readable.toWeb(limited) as ReadableStream<Uint8Array>);
    return new Response(content, { status, headers: [...headers] });
}

/** The size limit of a response, far above the size of any answer within the limit for tokens. */
const maxResponseBytes = 8 * 1024 * 1024;

/** @throws Error after the limit */
async function* firstBytesOf(body: Readable): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > maxResponseBytes) {
            throw Object.assign(new Error("The response is too large."), { code: "RESPONSE_TOO_LARGE" });
        }
        yield chunk;
    }
}

/** Describes a failure without the endpoint's message, which might repeat a key or a question. */
export function describeFailure(error: unknown): string {
    if (error instanceof ClosedSiteError) {
        return error.message;
    }
    if (APICallError.isInstance(error) && error.statusCode !== undefined) {
        return `The assistant's endpoint answered with status ${error.statusCode}.`;
    }
    const { name, code, cause, lastError } = error as ErrorFields;
    if (lastError !== undefined) {
        return describeFailure(lastError);
    }
    const reason = code ?? cause?.code ?? name ?? "unknown";
    return `The assistant's endpoint failed: ${reason}.`;
}

interface ErrorFields {
    name?: string;
    code?: string;
    cause?: { code?: string };
    /** The error of the last attempt, if there were several. */
    lastError?: unknown;
}
