import { cleanServerText } from "@pulumi-static-export/contract";
import { createNodeTransport } from "../../http/transport/node-transport.js";
import { readBody } from "../../http/transport/read-body.js";
import { everyPath } from "../site/address-of.js";
import { PurgeError } from "./purge-error.js";

/** A zone of Cloudflare. */
export interface CloudflarePurge {
    readonly zoneId: string;
    /** The host name of the site. */
    readonly host: string;
    /** An API token with the permission Cache Purge. */
    readonly token: string;
    /** @default Cloudflare's API */
    readonly baseUrl?: string | undefined;
}

/** Any other cache, which receives the addresses as JSON. */
export interface WebhookPurge {
    readonly url: string;
    /** The bearer token for the request. */
    readonly token: string | undefined;
}

/** Cloudflare's limit for addresses in one call. */
const urlsPerCall = 30;
const timeoutMs = 60_000;
const maxAnswerBytes = 64 * 1024;
const maxReasonCharacters = 200;

/** @throws PurgeError */
export async function purgeCloudflare(
    { zoneId, host, token, baseUrl = "https://api.cloudflare.com/client/v4" }: CloudflarePurge,
    addresses: readonly string[],
    signal: AbortSignal,
): Promise<void> {
    const url = `${baseUrl}/zones/${zoneId}/purge_cache`;
    const what = `Cloudflare zone ${zoneId}`;
    if (addresses.includes(everyPath)) {
        await post(what, url, token, { prefixes: [`${host}/`] }, signal);
        return;
    }
    for (let start = 0; start < addresses.length; start += urlsPerCall) {
        const files = addresses.slice(start, start + urlsPerCall).map((address) => `https://${host}${address}`);
        await post(what, url, token, { files }, signal);
    }
}

/** @throws PurgeError */
export async function purgeWebhook(
    { url, token }: WebhookPurge,
    addresses: readonly string[],
    signal: AbortSignal,
): Promise<void> {
    // The path of a webhook's URL may be a secret.
    await post(`The cache behind the webhook at ${new URL(url).host}`, url, token, { paths: addresses }, signal);
}

async function post(
    what: string,
    url: string,
    token: string | undefined,
    body: unknown,
    signal: AbortSignal,
): Promise<void> {
    const transport = createNodeTransport();
    try {
        const response = await transport.pooled(url, {
            method: "POST",
            headers: {
                "content-type": "application/json",
                ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            },
            body: JSON.stringify(body),
            redirect: "manual",
            signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        });
        const { status } = response;
        const text = (await readBody(response, maxAnswerBytes)) ?? "";
        if (status < 200 || status > 299) {
            throw new PurgeError(
                what,
                [`HTTP ${status}`, ...reasonsIn(text, [token ?? ""])].join(", "),
                advise(status),
            );
        }
    } catch (error) {
        signal.throwIfAborted();
        if (error instanceof PurgeError) {
            throw error;
        }
        // The message of a failed connection contains the URL.
        const { code, name } = error as { code?: unknown; name: string };
        throw new PurgeError(what, cleanServerText(typeof code === "string" ? code : name, [token ?? ""]));
    } finally {
        transport.close();
    }
}

function advise(status: number): string {
    return status === 401 || status === 403
        ? "Check static-export:purgeToken, or the environment variable STATIC_EXPORT_PURGE_TOKEN, and its permissions."
        : "";
}

/** Returns the messages of Cloudflare's errors. */
function reasonsIn(text: string, secrets: readonly string[]): string[] {
    try {
        const { errors } = JSON.parse(text) as { errors?: { message?: unknown }[] };
        const messages = (errors ?? []).map(({ message }) => cleanServerText(String(message), secrets));
        return messages.map((message) => message.slice(0, maxReasonCharacters)).slice(0, 3);
    } catch {
        return [];
    }
}
