import { amount } from "@pulumi-static-export/contract";
import { addressOfFolder } from "@pulumi-static-export/sdk/publish";
import type { InputsOf } from "../engine/resource-inputs.js";
import type { bucketSiteInputs } from "./check.js";

export type BucketSiteInputs = InputsOf<typeof bucketSiteInputs>;

/** The state: the inputs and outputs of the last change, without credentials. */
export interface BucketSiteState extends BucketSiteInputs {
    servedJobId: string;
    /**
     * The folder of the bucket that contains the live site: `prefix`, followed by the release's folder if `switching`
     * is `releases`.
     */
    releasePrefix: string;
    sha256: string;
    fileCount: number;
    sizeBytes: number;
    uploadedFiles: number;
    uploadedBytes: number;
    changedPaths: string[];
    changeSummary: string;
    earlierJobIds: string[];
    /** RFC 3339; absent if nothing is to be removed. */
    removalDueAt?: string;
    /** Absent if a refresh has found no drift. */
    driftedPaths?: string[];
    /** The owner in the record at the target. Not an output, because only the program may set it. */
    recordedOwner: string;
}

export const bucketSiteOutputs = [
    "servedJobId",
    "releasePrefix",
    "sha256",
    "fileCount",
    "sizeBytes",
    "uploadedFiles",
    "uploadedBytes",
    "changedPaths",
    "changeSummary",
    "earlierJobIds",
    "removalDueAt",
    "driftedPaths",
] as const satisfies readonly (keyof BucketSiteState)[];

/** The address in `changedPaths` that means all addresses. */
const everyAddress = "/*";

export const defaultGraceSeconds = 86_400;
export const defaultCacheControl = "no-cache";

const summarisedPaths = 10;

/** Describes the changed paths on one line, for people. */
export function summariseChanges(paths: readonly string[]): string {
    if (paths[0] === everyAddress) {
        return "every path";
    }
    const more = paths.length - summarisedPaths;
    const named = paths.slice(0, summarisedPaths).join(", ");
    return `${amount(paths.length, "path", "paths")}${named === "" ? "" : `: ${named}`}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Returns the location of one site: `s3://bucket/prefix/`, `az://container/prefix/` or `file:///folder/`. */
export function placeOf({
    bucket,
    container,
    prefix = "",
    folder,
}: Pick<BucketSiteInputs, "bucket" | "container" | "prefix" | "folder">): string {
    if (bucket !== undefined) {
        return `s3://${bucket}/${prefix}`;
    }
    return container === undefined ? addressOfFolder(folder ?? "") : `az://${container}/${prefix}`;
}
