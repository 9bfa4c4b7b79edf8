import {
    AzureTarget,
    FolderTarget,
    parseTarget,
    PublishError,
    S3Target,
    type SiteTarget,
    type TargetAddress,
} from "@pulumi-static-export/sdk/publish";
import { UsageError } from "../command-line/usage-error.js";

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
