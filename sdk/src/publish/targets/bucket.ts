import type { S3Client } from "@aws-sdk/client-s3";
import { bucketClientSettings, type ReachedBucket } from "@pulumi-static-export/contract/bucket";
import { PublishError } from "../errors/publish-error.js";

/** A bucket, and how to access it. */
export interface BucketLocation extends ReachedBucket {
    /** Empty, or ending in a slash. */
    readonly prefix: string;
}

export interface BucketCredentials {
    accessKeyId: string;
    secretAccessKey: string;
    sessionToken?: string;
}

export type Sdk = Awaited<ReturnType<typeof loadAwsSdk>>;

/** Makes no request. */
export async function createClient(
    sdk: Sdk,
    location: BucketLocation,
    credentials: BucketCredentials | undefined,
): Promise<S3Client> {
    return new sdk.S3Client({
        ...(await bucketClientSettings(location)),
        ...(credentials === undefined ? {} : { credentials }),
    });
}

/**
 * Imports the SDK on demand, so that other users neither install nor load it.
 * @throws PublishError if it is not installed
 */
export async function loadAwsSdk() {
    try {
        return await import("@aws-sdk/client-s3");
    } catch (error) {
        const { code } = error as { code?: unknown };
        throw code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND"
            ? new PublishError(
                  "A bucket needs the AWS SDK, which is not installed: run npm install @aws-sdk/client-s3.",
              )
            : error;
    }
}
