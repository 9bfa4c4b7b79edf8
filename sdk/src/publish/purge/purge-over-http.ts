import { beginningOf, cleanServerText } from "@pulumi-static-export/contract";
import { ProxySettingError } from "@pulumi-static-export/contract/proxy";
import { createNodeTransport } from "../../http/transport/node-transport.js";
import { readBody } from "../../http/transport/read-body.js";
import { parseRetryAfter, withRetries } from "../../http/retry.js";
import { type Clock, systemClock } from "../../time/clock.js";
import { everyPath } from "../site/address-of.js";
import { PurgeError } from "./purge-error.js";

/** A zone of Cloudflare. */
interface Zone {
    readonly zoneId: string;
    /** The host name of the site. */
    readonly host: string;
    /** An API token with the permission Cache Purge. */
    readonly token: string;
    /** @default Cloudflare's API */
    readonly baseUrl?: string | undefined;
}

/** Any other cache, which receives the addresses as JSON. */
interface Webhook {
    readonly url: string;
    /** The bearer token for the request. */
    readonly token: string | undefined;
}

/** Cloudflare's limit for addresses in one call. */
const urlsPerCall = 30;
const timeoutMs = 60_000;
const maxTries = 4;
const firstDelayMs = 500;
const maxWaitMs = 60_000;
const maxAnswerBytes = 64 * 1024;
const maxReasonCharacters = 200;

/** @throws PurgeError */
export async function purgeCloudflare(
    { zoneId, host, token, baseUrl = "https://api.cloudflare.com/client/v4" }: Zone,
    addresses: readonly string[],
    signal: AbortSignal,
    clock: Clock = systemClock,
): Promise<void> {
    const url = `${baseUrl}/zones/${zoneId}/purge_cache`;
    const what = `Cloudflare zone ${zoneId}`;
    if (addresses.includes(everyPath)) {
        await post({ what, url, token, body: { prefixes: [`${host}/`] } }, signal, clock);
        return;
    }
    for (let start = 0; start < addresses.length; start += urlsPerCall) {
        const files = addresses.slice(start, start + urlsPerCall).map((address) => `https://${host}${address}`);
        await post({ what, url, token, body: { files } }, signal, clock);
    }
}

/** @throws PurgeError */
export async function purgeWebhook(
    { url, token }: Webhook,
    addresses: readonly string[],
    signal: AbortSignal,
    clock: Clock = systemClock,
): Promise<void> {
    // The path of a webhook's URL may be a secret.
    const what = `The cache behind the webhook at ${new URL(url).host}`;
    await post({ what, url, token, body: { paths: addresses } }, signal, clock);
}

interface PurgeRequest {
    /** Names the cache in errors. */
    readonly what: string;
    readonly url: string;
    readonly token: string | undefined;
    readonly body: unknown;
}

/** A purge has the same effect twice, so it is repeated after a failure that may pass. */
function post(request: PurgeRequest, signal: AbortSignal, clock: Clock): Promise<void> {
    return withRetries(() => postOnce(request, signal, clock), {
        clock,
        signal,
        delayMs: (error, tries) =>
            error instanceof PurgeError && error.retryAfterMs !== undefined && tries < maxTries
                ? Math.min(maxWaitMs, Math.max(error.retryAfterMs, firstDelayMs * 2 ** (tries - 1)))
                : undefined,
    });
}

async function postOnce({ what, url, token, body }: PurgeRequest, signal: AbortSignal, clock: Clock): Promise<void> {
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
        if (status >= 200 && status <= 299) {
            return;
        }
        const reason = [`HTTP ${status}`, ...reasonsIn(text, [token ?? ""])].join(", ");
        const mayPass = status === 429 || status === 408 || status >= 500;
        const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), clock.now()) ?? 0;
        throw new PurgeError(what, reason, advise(status), mayPass ? retryAfterMs : undefined);
    } catch (error) {
        signal.throwIfAborted();
        if (error instanceof PurgeError) {
            throw error;
        }
        // The message of a failed connection contains the URL.
        const { code, name } = error as { code?: unknown; name: string };
        const isProxySetting = error instanceof ProxySettingError;
        const reason = isProxySetting ? error.message : typeof code === "string" ? code : name;
        throw new PurgeError(what, cleanServerText(reason, [token ?? ""]), "", isProxySetting ? undefined : 0);
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
        return messages.map((message) => beginningOf(message, maxReasonCharacters)).slice(0, 3);
    } catch {
        return [];
    }
}
