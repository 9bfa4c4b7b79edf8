import type { ListObjectsV2Command, ListObjectsV2CommandInput, S3Client, S3ClientConfig } from "@aws-sdk/client-s3";
import { describeStorageFailure } from "@pulumi-static-export/contract";
import { createBucketClient } from "@pulumi-static-export/contract/bucket";
import { addCommand } from "@pulumi-static-export/contract/package-manager";
import { ProxySettingError } from "@pulumi-static-export/contract/proxy";
import { createS3Advice } from "@pulumi-static-export/sdk/publish";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type DoctorOptions } from "./examination.js";
import { error, type Finding, ok, skipped } from "./finding.js";

/**
 * The part of the AWS SDK that this file uses. The SDK is loaded from the project, because this package does not
 * include it.
 */
interface AwsSdk {
    S3Client: new (settings: S3ClientConfig) => S3Client;
    ListObjectsV2Command: new (input: ListObjectsV2CommandInput) => ListObjectsV2Command;
}

/** Sentences for an operator who runs the command. */
const advise = createS3Advice({
    credentials: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role.",
    permissions:
        "Grant these credentials s3:ListBucket on the bucket, and the other permissions in the mirror's reference.",
    again: "Run the command again.",
});

const timeouts = {
    connectionTimeout: 5000,
    socketTimeout: 10_000,
    requestTimeout: 10_000,
    throwOnRequestTimeout: true,
};

/** Checks the bucket of a mirror with one request that writes nothing. */
export async function checkBucket(options: DoctorOptions, env: NodeJS.ProcessEnv): Promise<Finding> {
    const { bucket, endpoint } = options;
    if (bucket === undefined) {
        return skipped("bucket", "pass --bucket to check the bucket of a mirror");
    }
    const sdk = await loadAwsSdk(options.cwd);
    if (sdk === undefined) {
        return error(
            "bucket",
            "the AWS SDK, which a bucket needs, is not installed",
            `Run ${addCommand(options.cwd, ["@aws-sdk/client-s3", "@aws-sdk/s3-request-presigner"])} in the folder of ` +
                "the program.",
        );
    }
    const region = options.region ?? env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"] ?? "us-east-1";
    const [accessKeyId, secretAccessKey] = [env["AWS_ACCESS_KEY_ID"], env["AWS_SECRET_ACCESS_KEY"]];
    const sessionToken = env["AWS_SESSION_TOKEN"];
    let client: S3Client | undefined;
    try {
        client = await createBucketClient(
            sdk,
            { bucket, endpoint, region },
            {
                maxAttempts: 1,
                timeouts,
                ...(accessKeyId && secretAccessKey
                    ? { credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) } }
                    : {}),
            },
        );
        await client.send(new sdk.ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 }));
        return ok("bucket", `${bucket} can be listed; write access was not tested`);
    } catch (failure) {
        if (failure instanceof ProxySettingError) {
            return error(
                "bucket",
                `${bucket} cannot be listed: ${failure.message}`,
                "Correct or unset HTTPS_PROXY, HTTP_PROXY and ALL_PROXY.",
            );
        }
        const { code, status } = describeStorageFailure(failure, []);
        return error("bucket", `${bucket} cannot be listed: ${code}`, advise(code, status));
    } finally {
        client?.destroy();
    }
}

async function loadAwsSdk(cwd: string): Promise<AwsSdk | undefined> {
    try {
        const path = createRequire(resolve(cwd, "index.js")).resolve("@aws-sdk/client-s3");
        return (await import(pathToFileURL(path).href)) as AwsSdk;
    } catch {
        return undefined;
    }
}
