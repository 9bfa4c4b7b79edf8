import { type BundleLink } from "@pulumi-static-export/sdk";
import { mayExpireEarly } from "@pulumi-static-export/sdk/internal";
import { definedOnly } from "../engine/defined-only.js";
import type { Exported } from "./model.js";

type LinkOutputs = Pick<
    Exported,
    "jobId" | "bundleUrl" | "expiresAt" | "linkLifetimeSeconds" | "clockSkewMs" | "sizeBytes"
>;

/** Returns the outputs that a fresh link determines. */
export function linkOutputs(
    bundle: BundleLink,
    nowMs: number,
): LinkOutputs & Required<Pick<LinkOutputs, "jobId" | "bundleUrl">> {
    const { jobId, bundleUrl, sizeBytes, serverTimeAt } = bundle;
    const skewMs = clockSkewMs(serverTimeAt, nowMs);
    const platformNowMs = nowMs + (skewMs ?? 0);
    const expiresAt = trustedUntil(bundle, platformNowMs);
    const lifetimeSeconds = linkLifetimeSeconds(expiresAt, platformNowMs);
    const described = { expiresAt, linkLifetimeSeconds: lifetimeSeconds, clockSkewMs: skewMs, sizeBytes };
    return { jobId, bundleUrl, ...definedOnly(described) };
}

/** Temporary credentials usually expire after an hour, and their links with them, whatever these say. */
const temporaryLinkMs = 3600 * 1000;

function trustedUntil({ bundleUrl, expiresAt }: BundleLink, platformNowMs: number): string | undefined {
    const trustedMs = platformNowMs + temporaryLinkMs;
    return mayExpireEarly(bundleUrl) && !(expiresAt !== undefined && Date.parse(expiresAt) <= trustedMs)
        ? new Date(trustedMs).toISOString()
        : expiresAt;
}

/**
 * Returns undefined for a small difference, because the Date header contains whole seconds, and the response took time
 * to arrive.
 */
function clockSkewMs(serverTimeAt: string | undefined, nowMs: number): number | undefined {
    const skewMs = serverTimeAt === undefined ? 0 : Date.parse(serverTimeAt) - nowMs;
    return Math.abs(skewMs) < 5000 ? undefined : skewMs;
}

/** Returns undefined for a link that has no expiry or has already expired. */
function linkLifetimeSeconds(expiresAt: string | undefined, platformNowMs: number): number | undefined {
    const seconds = expiresAt === undefined ? NaN : Math.round((Date.parse(expiresAt) - platformNowMs) / 1000);
    return seconds > 0 ? seconds : undefined;
}
