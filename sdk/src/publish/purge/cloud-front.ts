import { installationOf, orMissing } from "@pulumi-static-export/contract/missing-package";
import { randomUUID } from "node:crypto";
import { describeStorageFailure, secretsOfClient } from "@pulumi-static-export/contract";
import { createAwsAgents, ProxySettingError } from "@pulumi-static-export/contract/proxy";
import { PublishError } from "../errors/publish-error.js";
import type { BucketCredentials } from "../targets/s3-bucket.js";
import { withRetries } from "../../http/retry.js";
import { type Clock, systemClock } from "../../time/clock.js";
import { nextRunPurges, PurgeError } from "./purge-error.js";

/** A CloudFront distribution, and how to access it. */
interface Distribution {
    readonly distributionId: string;
    readonly credentials?: BucketCredentials | undefined;
    /** A URL to use instead of the AWS endpoint. */
    readonly endpoint?: string | undefined;
    /** Waits until all locations of the distribution have the new files. */
    readonly wait: boolean;
}

const maxWaitSeconds = 1800;
const maxTries = 10;
const betweenTriesMs = 30_000;

/** @throws PurgeError */
export async function purgeCloudFront(
    { distributionId, credentials, endpoint, wait }: Distribution,
    addresses: readonly string[],
    abortSignal: AbortSignal,
    clock: Clock = systemClock,
): Promise<void> {
    const sdk = await loadSdk();
    const what = `CloudFront distribution ${distributionId}`;
    const requestHandler = await createAwsAgents(endpoint ?? "https://cloudfront.amazonaws.com").catch(
        (error: unknown) => {
            throw error instanceof ProxySettingError ? new PurgeError(what, error.message) : error;
        },
    );
    const client = new sdk.CloudFrontClient({
        region: "us-east-1",
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(credentials === undefined ? {} : { credentials }),
        requestHandler,
    });
    try {
        const Items = [...new Set(addresses.map(patternOf))];
        const Paths = { Quantity: Items.length, Items };
        const InvalidationBatch = { CallerReference: randomUUID(), Paths };
        const command = new sdk.CreateInvalidationCommand({ DistributionId: distributionId, InvalidationBatch });
        const { Invalidation } = await withRetries(() => client.send(command, { abortSignal }), {
            clock,
            signal: abortSignal,
            // CloudFront limits the invalidations at one time, and each takes about a minute.
            delayMs: (error, tries) =>
                tries < maxTries && (error as Error).name === "TooManyInvalidationsInProgress"
                    ? betweenTriesMs
                    : undefined,
        });
        if (wait && Invalidation?.Status !== "Completed") {
            const waiting = { client, maxWaitTime: maxWaitSeconds, abortSignal };
            const created = { DistributionId: distributionId, Id: Invalidation?.Id };
            await sdk.waitUntilInvalidationCompleted(waiting, created);
        }
    } catch (error) {
        abortSignal.throwIfAborted();
        const { code, reason } = describeStorageFailure(error, await secretsOfClient(client, error));
        throw new PurgeError(what, reason, adviceByCode[code]);
    } finally {
        client.destroy();
    }
}

/**
 * CloudFront refuses a batch with a tilde, and %7E invalidates nothing, because browsers send the tilde itself. An
 * asterisk is a pattern only at the end. So a pattern ends before the first of these characters.
 * https://github.com/aws/aws-sdk/issues/525
 */
function patternOf(address: string): string {
    const end = address.search(/[~*]/);
    return end === -1 ? address : `${address.slice(0, end)}*`;
}

const adviceByCode: Readonly<Record<string, string>> = {
    NoSuchDistribution: "Check the distribution's id, and that these credentials belong to its account.",
    AccessDenied: "Allow these credentials cloudfront:CreateInvalidation and cloudfront:GetInvalidation.",
    ERR_INVALID_CHAR: "Remove line breaks from the keys (AWS_ACCESS_KEY_ID, AWS_SESSION_TOKEN).",
    CredentialsProviderError: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role.",
    TooManyInvalidationsInProgress: "Wait until earlier invalidations have ended.",
};

/** Imports the SDK on demand, so that other users neither install nor load it. */
async function loadSdk() {
    return orMissing(import("@aws-sdk/client-cloudfront"), () => {
        const install = installationOf(["@aws-sdk/client-cloudfront"]);
        const missing = `Purging CloudFront needs its client, which is not installed: run ${install}.`;
        return new PublishError(`${missing} ${nextRunPurges}`);
    });
}
