import type { dynamic } from "@pulumi/pulumi";
import { isRecord, purgeSettings, purgeVariables } from "@pulumi-static-export/contract";
import { purgeRules } from "@pulumi-static-export/sdk/publish";
import { addressRule } from "../bundle-mirror/check.js";
import { checkInputs, matchingRule, type Rule, show, trueOrFalse } from "../engine/check-inputs.js";

/** A distribution of CloudFront. */
export interface CloudFrontPurge {
    /** The id of the distribution. */
    distributionId: string;
}

/** A site in a zone of Cloudflare. */
export interface CloudflarePurge {
    /** The id of the zone. */
    zoneId: string;
    /** The host name of the site. */
    host: string;
}

/** A URL that purges a cache. */
export interface WebhookPurge {
    /** Receives `{"paths": […]}` in a POST request. */
    url: string;
}

/** The CDN in front of a {@link BucketSite}: one of `cloudFront`, `cloudflare` and `webhook`. */
export interface BucketSitePurge {
    /**
     * A distribution of CloudFront. Uses the keys of the bucket. The npm package requires `@aws-sdk/client-cloudfront`.
     */
    cloudFront?: CloudFrontPurge;
    /** A zone of Cloudflare. Requires an API token with the Cache Purge permission in `static-export:purgeToken`. */
    cloudflare?: CloudflarePurge;
    /** Any other cache. Receives `static-export:purgeToken`, if set, as the bearer token. */
    webhook?: WebhookPurge;
    /**
     * Whether an update waits until CloudFront has the new files everywhere.
     * @default false
     */
    wait?: boolean;
}

const kinds: Readonly<Record<string, Rule>> = {
    cloudFront: objectWith({
        distributionId: matchingRule(purgeRules.distributionId),
    }),
    cloudflare: objectWith({
        zoneId: matchingRule(purgeRules.zoneId),
        host: matchingRule(purgeRules.host),
    }),
    webhook: objectWith({ url: addressRule }),
};

/** Checks the input `purge`. Accepts values that are unknown during a preview. */
export function checkPurge(value: unknown): string | undefined {
    if (!isRecord(value)) {
        return `must be an object with cloudFront, cloudflare or webhook, got ${show(value)}`;
    }
    const chosen = Object.keys(kinds).filter((kind) => (value[kind] ?? undefined) !== undefined);
    const failure = describeFirst(checkInputs(value, { ...kinds, wait: trueOrFalse }, {}));
    return failure ?? (chosen.length === 1 ? undefined : `must have one of ${Object.keys(kinds).join(", ")}`);
}

/** Requires an object that contains all of the given properties. */
function objectWith(rules: Readonly<Record<string, Rule>>): Rule {
    const names = Object.keys(rules);
    const required = Object.fromEntries(names.map((name) => [name, "it names what is purged"]));
    return (value) =>
        isRecord(value)
            ? describeFirst(checkInputs(value, rules, required))
            : `must be an object with ${names.join(" and ")}, got ${show(value)}`;
}

function describeFirst([failure]: readonly dynamic.CheckFailure[]): string | undefined {
    return failure && `has a wrong ${failure.property}: it ${failure.reason}`;
}

/** Reads the token for purges. Call this function only when a request is about to be made. */
export function readPurgeToken(config: dynamic.Config, env: NodeJS.ProcessEnv): string | undefined {
    return (config.get(purgeSettings.token) ?? env[purgeVariables.token]) || undefined;
}
