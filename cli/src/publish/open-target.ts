import {
    AzureTarget,
    FolderTarget,
    parseTarget,
    PublishError,
    S3Target,
    type SiteTarget,
    type TargetAddress,
} from "@pulumi-static-export/sdk/publish";
import { Option } from "commander";
import { matching } from "../command-line/options.js";
import { UsageError } from "../command-line/usage-error.js";

export const placeText = "s3://BUCKET/PREFIX, az://CONTAINER/PREFIX, or file:///FOLDER";

/** How to reach the storage of a place. */
export function targetOptions(): Option[] {
    return [
        new Option("--bucket-endpoint <url>", "URL of the storage, if it is neither AWS nor in AZURE_STORAGE_ACCOUNT"),
        new Option("--region <name>", "region of the bucket (default: AWS_REGION, else us-east-1)"),
    ];
}

export const storageNotes =
    "The bucket's keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from the other places where the AWS " +
    "SDK looks for them; it has to be installed: npm install @aws-sdk/client-s3. Azure needs @azure/storage-blob; " +
    "the key comes from AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN, or, with @azure/identity installed, from this " +
    "machine's identity or `az login`.";

export function ownerOption(): Option {
    return new Option("--owner <name>", "owner of the site; a place that belongs to another owner is rejected")
        .argParser((text) => matching(text, /^[^\p{C}"]{1,200}$/u, "Use a name without quotes and control characters."))
        .default("static-export");
}

/** Where a site is published, and how to reach the place. */
export interface TargetOptions {
    to: string;
    bucketEndpoint?: string;
    region?: string;
}

/** @throws UsageError */
export function readTarget(to: string): TargetAddress {
    try {
        return parseTarget(to);
    } catch (error) {
        throw asUsageError(error);
    }
}

/** The caller closes the target. @throws UsageError */
export async function openTarget({ to, bucketEndpoint: endpoint, region }: TargetOptions): Promise<SiteTarget> {
    const place = readTarget(to);
    try {
        if (place.kind === "folder") {
            return await FolderTarget.open(place.folder);
        }
        return place.kind === "container"
            ? await AzureTarget.open({ ...place, endpoint })
            : await S3Target.open({ ...place, endpoint, region });
    } catch (error) {
        throw asUsageError(error);
    }
}

function asUsageError(error: unknown): unknown {
    return error instanceof PublishError ? new UsageError(error.message) : error;
}
