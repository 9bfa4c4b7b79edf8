import { type BucketOptions } from "@pulumi-static-export/service";
import { Option } from "commander";
import { UsageError } from "../command-line/usage-error.js";

/** The options of {@link bucketOptions}, parsed. */
export interface BucketSettings {
    bucket?: string;
    bucketEndpoint?: string;
    bucketPublicEndpoint?: string;
}

/** Declares the options for the object storage of services and workers. */
export function bucketOptions(): readonly Option[] {
    return [
        new Option(
            "--bucket <url>",
            "keep bundles, and logs of agents, in object storage, s3://name/prefix; the AWS SDK finds the credentials",
        ),
        new Option("--bucket-endpoint <url>", "URL of the storage (default: AWS in AWS_REGION)"),
        new Option("--bucket-public-endpoint <url>", "URL at which clients reach the storage, if it differs"),
    ];
}

/** @throws UsageError for an endpoint without a bucket */
export function readBucket(settings: BucketSettings): BucketOptions | undefined {
    const { bucket: url, bucketEndpoint: endpoint, bucketPublicEndpoint: publicEndpoint } = settings;
    if (url === undefined) {
        if (endpoint !== undefined || publicEndpoint !== undefined) {
            throw new UsageError(
                "--bucket-endpoint and --bucket-public-endpoint belong to a bucket: give --bucket, too.",
            );
        }
        return undefined;
    }
    return {
        url,
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(publicEndpoint === undefined ? {} : { publicEndpoint }),
    };
}
