import type { FetchLike } from "../http/transport/fetch-like.js";
import { createNodeTransport } from "../http/transport/node-transport.js";
import { type Clock, systemClock } from "../time/clock.js";
import { withTimeout } from "../time/with-timeout.js";
import { assertBundleUrl } from "./assert-bundle-url.js";

/** S3 answers 400 `ExpiredToken` if the credentials have expired, and 403 if they were revoked. */
const refusals = new Set([400, 401, 403]);
const temporary = ["x-amz-security-token", "skoid", "x-goog-credential"];

/** How a presigned link is tested. */
export interface LinkTestOptions {
    signal?: AbortSignal | undefined;
    /** Replaces node-fetch. */
    fetch?: FetchLike | undefined;
    /** @default 10_000 */
    timeoutMs?: number | undefined;
    clock?: Clock | undefined;
}

/**
 * Whether a presigned link may expire earlier than it says, because the credentials that signed it may be temporary:
 * `X-Amz-Security-Token` (S3), `skoid` (an Azure SAS of a user delegation key) or `X-Goog-Credential` (Google's keys
 * for short-lived signatures look like all others).
 */
export function mayExpireEarly(bundleUrl: string): boolean {
    return (
        URL.canParse(bundleUrl) &&
        [...new URL(bundleUrl).searchParams.keys()].some((name) => temporary.includes(name.toLowerCase()))
    );
}

/**
 * Whether the storage refuses a presigned link. Requests one byte, without the key; follows no redirect. Every failure
 * other than a refusal counts as accepted, because a fresh link would not help.
 */
export async function isLinkRefused(bundleUrl: string, options: LinkTestOptions = {}): Promise<boolean> {
    const { signal, timeoutMs = 10_000, clock = systemClock } = options;
    const transport = createNodeTransport({ decode: false });
    const fetch = options.fetch ?? transport.fresh;
    try {
        assertBundleUrl(bundleUrl);
        return await withTimeout(
            timeoutMs,
            signal,
            () => new Error("the storage did not answer in time"),
            async (attemptSignal) => {
                const { status } = await fetch(bundleUrl, {
                    method: "GET",
                    headers: { accept: "*/*", range: "bytes=0-0", "user-agent": "pulumi-static-export" },
                    redirect: "manual",
                    signal: attemptSignal,
                });
                return refusals.has(status);
            },
            clock,
        );
    } catch {
        signal?.throwIfAborted();
        return false;
    } finally {
        transport.close();
    }
}
