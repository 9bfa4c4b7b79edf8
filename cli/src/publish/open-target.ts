import {
    AzureTarget,
    FolderTarget,
    parseTarget,
    PublishError,
    publishRules,
    S3Target,
    type SiteTarget,
    type TargetAddress,
} from "@pulumi-static-export/sdk/publish";
import { ProxySettingError } from "@pulumi-static-export/sdk";
import { InvalidArgumentError, Option } from "commander";
import { matching } from "../command-line/options.js";
import { UsageError } from "../command-line/usage-error.js";

export const placeText = "s3://BUCKET/PREFIX, az://CONTAINER/PREFIX, or file:///FOLDER";

/** How to reach the storage of a place. */
export function targetOptions(): Option[] {
    return [
        new Option("--bucket-endpoint <url>", "URL of the storage, if it is neither AWS nor in AZURE_STORAGE_ACCOUNT"),
        new Option("--region <name>", "region of the bucket (default: AWS_REGION, the AWS profile, us-east-1)"),
        new Option("--encryption <how>", "how the bucket encrypts new objects: AES256, aws:kms, or a key's id or ARN"),
    ];
}

export const storageNotes =
    "A bucket needs @aws-sdk/client-s3, installed next to this command. Its keys come from AWS_ACCESS_KEY_ID and " +
    "AWS_SECRET_ACCESS_KEY, or from the other places where the AWS SDK looks for keys. Azure needs " +
    "@azure/storage-blob. The key comes from AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN. If @azure/identity is " +
    "installed, it can also come from this machine's identity or `az login`.";

/** The owner of sites that are published without a name. */
export const defaultOwner = "static-export";

export function ownerOption(): Option {
    const meaning = `owner of the site; a place that belongs to another owner is rejected (default: ${defaultOwner})`;
    return new Option("--owner <name>", meaning).argParser(matching(publishRules.owner));
}

/** Rejects the option of `publish` in commands whose argument is the place. */
export function noPlaceOption(command: string): Option {
    return new Option("--to <place>").hideHelp().argParser((place: string) => {
        throw new InvalidArgumentError(`Write the place without --to: static-export ${command} ${place}`);
    });
}

/** Where a site is published, and how to reach the place. */
export interface TargetOptions {
    to: string;
    bucketEndpoint?: string;
    region?: string;
    encryption?: string;
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
export async function openTarget({ to, bucketEndpoint: endpoint, ...reached }: TargetOptions): Promise<SiteTarget> {
    const place = readTarget(to);
    try {
        if (place.kind === "folder") {
            return await FolderTarget.open(place.folder);
        }
        return place.kind === "container"
            ? await AzureTarget.open({ ...place, endpoint })
            : await S3Target.open({ ...place, ...pick(reached), endpoint });
    } catch (error) {
        throw asUsageError(error);
    }
}

/** The caller may have passed further options. */
function pick({ region, encryption }: Omit<TargetOptions, "to">) {
    return { region, encryption };
}

function asUsageError(error: unknown): unknown {
    return error instanceof PublishError || error instanceof ProxySettingError ? new UsageError(error.message) : error;
}
