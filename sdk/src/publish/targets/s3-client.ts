import type { S3Client } from "@aws-sdk/client-s3";
import { createBucketClient, type ReachedBucket } from "@pulumi-static-export/contract/bucket";
import { installationOf, orMissing } from "@pulumi-static-export/contract/missing-package";
import { PublishError } from "../errors/publish-error.js";
import { checkEndpoint } from "./check-endpoint.js";

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

/** Makes no request. @throws PublishError if the endpoint is not the URL of a storage */
export async function createClient(
    sdk: Sdk,
    location: BucketLocation,
    credentials: BucketCredentials | undefined,
): Promise<S3Client> {
    if (location.endpoint !== undefined) {
        checkEndpoint(location.endpoint, {
            example: "https://storage.example.com",
            keys: "Keys belong in the environment variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
        });
    }
    return createBucketClient(sdk, location, credentials === undefined ? {} : { credentials });
}

/**
 * Imports the SDK on demand, so that other users neither install nor load it.
 * @throws PublishError if it is not installed
 */
export async function loadAwsSdk() {
    return orMissing(
        import("@aws-sdk/client-s3"),
        () =>
            new PublishError(
                `A bucket needs the AWS SDK, which is not installed: run ${installationOf(["@aws-sdk/client-s3"])}.`,
            ),
    );
}
