import { purgeSettings, purgeVariables } from "@pulumi-static-export/contract";
import { PublishError } from "../errors/publish-error.js";
import type { BucketCredentials } from "../targets/s3-bucket.js";
import { addressesOf } from "./changed-paths.js";
import { purgeCloudFront } from "./cloud-front.js";
import { nextRunPurges } from "./purge-error.js";
import { purgeCloudflare, purgeWebhook } from "./purge-over-http.js";

/** The CDN in front of a site: exactly one of the first three properties is set. */
export interface PurgeInputs {
    cloudFront?: { distributionId: string };
    cloudflare?: { zoneId: string; host: string };
    webhook?: { url: string };
    wait?: boolean;
}

/** The secrets of a purge. These secrets are never inputs, and never stored in the state. */
interface PurgeSecrets {
    readonly credentials: BucketCredentials | undefined;
    readonly token: string | undefined;
}

/** @throws PublishError if the CDN could not be purged */
export async function purgeSite(
    { cloudFront, cloudflare, webhook, wait = false }: PurgeInputs,
    changedPaths: readonly string[],
    { credentials, token }: PurgeSecrets,
    signal: AbortSignal,
): Promise<void> {
    const addresses = addressesOf(changedPaths);
    if (cloudFront !== undefined) {
        await purgeCloudFront({ ...cloudFront, credentials, wait }, addresses, signal);
    } else if (cloudflare !== undefined) {
        if (token === undefined) {
            throw new PublishError(
                `Purging Cloudflare needs an API token with the permission Cache Purge. Run \`pulumi config set --secret ` +
                    `${purgeSettings.token}\`, or set the environment variable ${purgeVariables.token}. ` +
                    nextRunPurges,
            );
        }
        await purgeCloudflare({ ...cloudflare, token }, addresses, signal);
    } else if (webhook !== undefined) {
        await purgeWebhook({ ...webhook, token }, addresses, signal);
    }
}
