import { type CallContext, ConnectionError, InvalidResponseError } from "../errors/index.js";
import type { ApiCall } from "./api-call.js";
import { classifyConnectionFailure, createShowableCause } from "./connection-failure.js";
import { DecodeProblem } from "@pulumi-static-export/contract/api";
import type { FetchLike, FetchResponse } from "./transport/fetch-like.js";
import { readBody } from "./transport/read-body.js";
import { parseHttpDate } from "./retry.js";

const maxAnswerBytes = 4 * 1024 * 1024;
const maxRedirects = 5;

/** The identity that requests are sent with, and the function that makes server text safe to show. */
export interface ApiSender {
    readonly adminApiKey: string;
    readonly userAgent: string;
    readonly clean: (text: string) => string;
}

interface ServerAnswer {
    readonly response: FetchResponse;
    /** Undefined if the body exceeds the size limit for a response. */
    readonly text: string | undefined;
}

/** Sends one request and returns its response, after redirects within the same origin. */
export async function exchange(
    call: ApiCall<unknown>,
    options: { context: CallContext; sender: ApiSender; fetch: FetchLike; signal: AbortSignal },
): Promise<ServerAnswer> {
    const { context, sender, fetch, signal } = options;
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    let url = context.url;
    for (let redirects = 0; ; redirects += 1) {
        try {
            const response = await fetch(url, {
                method: call.method,
                headers: {
                    accept: "application/json",
                    authorization: `Bearer ${sender.adminApiKey}`,
                    "user-agent": sender.userAgent,
                    ...(body === undefined ? {} : { "content-type": "application/json" }),
                    ...(call.idempotencyKey === undefined ? {} : { "idempotency-key": call.idempotencyKey }),
                },
                ...(body === undefined ? {} : { body }),
                redirect: "manual",
                signal,
            });
            const text = await readBody(response, maxAnswerBytes);
            const next = redirects < maxRedirects ? redirectTarget(call.method, url, response) : undefined;
            if (next === undefined) {
                return { response, text };
            }
            url = next;
        } catch (error) {
            signal.throwIfAborted();
            const cause = createShowableCause(error, sender.clean);
            throw new ConnectionError(context, classifyConnectionFailure(error), cause);
        }
    }
}

/** @throws InvalidResponseError when the response is not the JSON that the call expects */
export function decodeAnswer<T>(
    call: ApiCall<T>,
    context: CallContext,
    { response, text }: ServerAnswer,
    clean: (text: string) => string,
): T {
    const invalid = (problem: string) => new InvalidResponseError(context, response.status, problem);
    if (text === undefined) {
        throw invalid(`the answer is longer than ${maxAnswerBytes} bytes`);
    }
    let json: unknown;
    try {
        json = JSON.parse(text);
    } catch {
        throw invalid(describeNotJson(text, response.headers.get("content-type")));
    }
    try {
        const serverTimeMs = parseHttpDate(response.headers.get("date") ?? "");
        return call.decode(json, clean, serverTimeMs);
    } catch (error) {
        throw error instanceof DecodeProblem ? invalid(error.message) : error;
    }
}

/**
 * Returns the target of a redirect, but only if following it does not send the key to another origin or turn a POST
 * into a GET.
 */
function redirectTarget(method: string, url: string, response: FetchResponse): string | undefined {
    const location = response.headers.get("location");
    const follows =
        [307, 308].includes(response.status) || (method === "GET" && [301, 302, 303].includes(response.status));
    if (!follows || location === null || !URL.canParse(location, url)) {
        return undefined;
    }
    const target = new URL(location, url);
    return target.origin === new URL(url).origin ? target.href : undefined;
}

function describeNotJson(text: string, contentType: string | null): string {
    if (text.trim() === "") {
        return "the answer is empty";
    }
    if (/^\s*</.test(text) || /html/i.test(contentType ?? "")) {
        return "the answer is an HTML page, not JSON";
    }
    return /^\s*[{[]/.test(text) ? "the answer is incomplete or broken JSON" : "the answer is not JSON";
}
