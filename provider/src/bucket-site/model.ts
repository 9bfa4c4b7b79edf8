import { amount } from "@pulumi-static-export/contract";
import { addressOfFolder } from "@pulumi-static-export/sdk/publish";
import type { InputsOf } from "../engine/resource-inputs.js";
import { input, output, type OutputsOf } from "../engine/resource-outputs.js";
import type { bucketSiteInputs } from "./check.js";

export type BucketSiteInputs = InputsOf<typeof bucketSiteInputs>;

export const bucketSiteOutputs = {
    jobId: input<string>(),
    /** The job whose files are live: `pin`, or else `jobId`. */
    servedJobId: output<string>(),
    /**
     * The folder that contains the live site: `prefix` or, with `switching: "releases"`, a folder below it, such as
     * `docs/releases/4f2a…/`.
     */
    releasePrefix: output<string>(),
    /** SHA-256 of the bundle in hexadecimal. */
    sha256: output<string>(),
    /** The number of files in the site. */
    fileCount: output<number>(),
    /** Size of all files in bytes. */
    sizeBytes: output<number>(),
    /** The number of files that the last update sent. */
    uploadedFiles: output<number>(),
    /** The number of bytes that the last update sent. */
    uploadedBytes: output<number>(),
    /**
     * The paths whose content the last update changed, such as `/index.html`. Only `/*` if more than 1000 paths have
     * changed.
     */
    changedPaths: output<string[]>(),
    /** The number of changed paths and the first ten of them, for a stack output. */
    changeSummary: output<string>(),
    /** The earlier jobs that `pin` can serve again, newest first. */
    earlierJobIds: output<string[]>(),
    /** When files that the export no longer contains are due for removal, RFC 3339. */
    removalDueAt: output<string | undefined>(),
    /**
     * The first hundred paths that somebody else has changed or removed, as `pulumi refresh` found them. The next
     * update restores them.
     */
    driftedPaths: output<string[] | undefined>(),
};

/** The state: the inputs and outputs of the last change, without credentials. */
export interface BucketSiteState extends BucketSiteInputs, OutputsOf<typeof bucketSiteOutputs> {
    /** The owner in the record at the target. Not an output, because only the program may set it. */
    recordedOwner: string;
}

/** The address in `changedPaths` that means all addresses. */
const everyAddress = "/*";

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
