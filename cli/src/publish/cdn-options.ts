import { purgeVariables } from "@pulumi-static-export/contract";
import { type PublishRequest, type PurgeInputs, purgeRules, purgeSite } from "@pulumi-static-export/sdk/publish";
import { Option } from "commander";
import { matching } from "../command-line/options.js";
import { UsageError } from "../command-line/usage-error.js";

/** The CDN in front of a published site. */
export interface CdnOptions {
    purgeCloudfront?: string;
    purgeCloudflare?: string;
    purgeHost?: string;
    purgeWebhook?: string;
    purgeWait: boolean;
}

export type Purge = NonNullable<PublishRequest["purge"]>;

export function cdnOptions(): Option[] {
    return [
        new Option("--purge-cloudfront <id>", "purge the changed paths from this CloudFront distribution").argParser(
            matching(purgeRules.distributionId),
        ),
        new Option("--purge-cloudflare <zone>", "purge them from this Cloudflare zone").argParser(
            matching(purgeRules.zoneId),
        ),
        new Option("--purge-host <name>", "host name of the site at Cloudflare").argParser(matching(purgeRules.host)),
        new Option("--purge-webhook <url>", "send the changed paths to the webhook of another cache").argParser(
            matching({ pattern: /^https?:\/\/[^\s/]+/, description: "a URL that begins with https:// or http://" }),
        ),
        new Option("--purge-wait", "wait until CloudFront has the new files everywhere").default(false),
    ];
}

/** Returns how to purge the CDN, if the options name one. @throws UsageError */
export function readPurge(options: CdnOptions): Purge | undefined {
    const cdn = readCdn(options);
    const token = process.env[purgeVariables.token] || undefined;
    return cdn && ((paths, signal) => purgeSite(cdn, paths, { credentials: undefined, token }, signal));
}

function readCdn(options: CdnOptions): PurgeInputs | undefined {
    const { purgeCloudfront, purgeCloudflare: zoneId, purgeHost: host, purgeWebhook: url, purgeWait: wait } = options;
    if ([purgeCloudfront, zoneId, url].filter((each) => each !== undefined).length > 1) {
        throw new UsageError("Pass one of --purge-cloudfront, --purge-cloudflare and --purge-webhook.");
    }
    if ((zoneId === undefined) !== (host === undefined)) {
        throw new UsageError("--purge-cloudflare and --purge-host (the host name of the site) must be used together.");
    }
    if (purgeCloudfront !== undefined) {
        return { cloudFront: { distributionId: purgeCloudfront }, wait };
    }
    if (zoneId !== undefined && host !== undefined) {
        return { cloudflare: { zoneId, host } };
    }
    return url === undefined ? undefined : { webhook: { url } };
}
