import { randomUUID } from "node:crypto";
import { describeStorageFailure, secretsOfClient } from "@pulumi-static-export/contract";
import { createProxyAgent } from "@pulumi-static-export/contract/proxy";
import { PublishError } from "../errors/publish-error.js";
import type { BucketCredentials } from "../targets/bucket.js";
import { everyPath } from "../site/address-of.js";
import { nextRunPurges, PurgeError } from "./purge-error.js";

/** A CloudFront distribution, and how to access it. */
export interface CloudFrontPurge {
    readonly distributionId: string;
    readonly credentials?: BucketCredentials | undefined;
    /** A URL to use instead of the AWS endpoint. */
    readonly endpoint?: string | undefined;
    /** Waits until all locations of the distribution have the new files. */
    readonly wait: boolean;
}

const maxWaitSeconds = 1800;

/** @throws PurgeError */
export async function purgeCloudFront(
    { distributionId, credentials, endpoint, wait }: CloudFrontPurge,
    addresses: readonly string[],
    abortSignal: AbortSignal,
): Promise<void> {
    const sdk = await loadSdk();
    const agent = await createProxyAgent(endpoint ?? "https://cloudfront.amazonaws.com");
    const client = new sdk.CloudFrontClient({
        region: "us-east-1",
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(credentials === undefined ? {} : { credentials }),
        ...(agent === undefined ? {} : { requestHandler: { httpAgent: agent, httpsAgent: agent } }),
    });
    try {
        const Paths = { Quantity: addresses.length, Items: addresses.map(encodeUnsafe) };
        const InvalidationBatch = { CallerReference: randomUUID(), Paths };
        const command = new sdk.CreateInvalidationCommand({ DistributionId: distributionId, InvalidationBatch });
        const { Invalidation } = await client.send(command, { abortSignal });
        if (wait && Invalidation?.Status !== "Completed") {
            const waiting = { client, maxWaitTime: maxWaitSeconds, abortSignal };
            const created = { DistributionId: distributionId, Id: Invalidation?.Id };
            await sdk.waitUntilInvalidationCompleted(waiting, created);
        }
    } catch (error) {
        abortSignal.throwIfAborted();
        const { code, reason } = describeStorageFailure(error, await secretsOfClient(client, error));
        throw new PurgeError(`CloudFront distribution ${distributionId}`, reason, adviceByCode[code]);
    } finally {
        client.destroy();
    }
}

/**
 * CloudFront refuses a batch with a character that RFC 1738 calls unsafe, and reads an asterisk as a pattern.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/invalidation-specifying-objects.html
 */
function encodeUnsafe(address: string): string {
    return address === everyPath ? address : address.replaceAll("~", "%7E").replaceAll("*", "%2A");
}

const adviceByCode: Readonly<Record<string, string>> = {
    NoSuchDistribution: "Check the distribution's id, and that these credentials belong to its account.",
    AccessDenied: "Allow these credentials cloudfront:CreateInvalidation and cloudfront:GetInvalidation.",
    CredentialsProviderError: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role.",
    TooManyInvalidationsInProgress: "Wait until earlier invalidations have ended.",
};

/** Imports the SDK on demand, so that other users neither install nor load it. */
async function loadSdk() {
    try {
        return await import("@aws-sdk/client-cloudfront");
    } catch (error) {
        const { code } = error as { code?: unknown };
        throw code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND"
            ? new PublishError(
                  "Purging CloudFront needs its client, which is not installed: run npm install " +
                      `@aws-sdk/client-cloudfront. ${nextRunPurges}`,
              )
            : error;
    }
}
