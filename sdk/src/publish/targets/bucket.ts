import type { S3Client } from "@aws-sdk/client-s3";
import { createProxyAgent } from "@pulumi-static-export/contract/proxy";
import { PublishError } from "../errors/publish-error.js";

/** Where a bucket is, and how it is reached. */
export interface BucketLocation {
    readonly bucket: string;
    /** Empty, or ending in a slash. */
    readonly prefix: string;
    readonly endpoint?: string | undefined;
    readonly region?: string | undefined;
    readonly pathStyle?: boolean | undefined;
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
    const { bucket, endpoint, pathStyle = endpoint !== undefined } = location;
    const region = location.region ?? process.env["AWS_REGION"] ?? process.env["AWS_DEFAULT_REGION"] ?? "us-east-1";
    const agent = await createProxyAgent(endpoint ?? `https://${bucket}.s3.${region}.amazonaws.com`);
    return new sdk.S3Client({
        region,
        // Host names per bucket need DNS records that self-hosted storage seldom has.
        forcePathStyle: pathStyle,
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(credentials === undefined ? {} : { credentials }),
        // Some S3-compatible servers reject the SDK's checksums. The signature covers our SHA-256 instead.
        requestChecksumCalculation: "WHEN_REQUIRED",
        responseChecksumValidation: "WHEN_REQUIRED",
        requestHandler: {
            ...(agent === undefined ? {} : { httpAgent: agent, httpsAgent: agent }),
            connectionTimeout: 10_000,
            socketTimeout: 120_000,
            requestTimeout: 600_000,
            throwOnRequestTimeout: true,
        },
    });
}

/** Imported here, so that nobody else installs or loads it. @throws PublishError if it is not installed */
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
