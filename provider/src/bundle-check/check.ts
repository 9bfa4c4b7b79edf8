import type { dynamic } from "@pulumi/pulumi";
import { checkMirror, type mirrorInputs } from "../bundle-mirror/check.js";
import { checkInputs, exportJobId, matching, positiveInteger, show, trueOrFalse } from "../engine/check-inputs.js";
import { changesNothing, checkResource, type InputsOf, updates } from "../engine/resource-inputs.js";
import { transferTimeout } from "../engine/time-limit.js";
import { isUnknown } from "../engine/unknown-value.js";

/** The location of a mirror's copy, and the digest of that copy. */
export interface MirroredCopy extends Pick<
    InputsOf<typeof mirrorInputs>,
    "bucket" | "prefix" | "endpoint" | "region" | "pathStyle" | "pin"
> {
    sha256: string;
}

const digest = matching(/^[\da-f]{64}$/i, "a SHA-256 digest of 64 hexadecimal digits");

/** A renewed link requires no new check, so the link is not an input. */
export const bundleCheckInputs = {
    /** The export job whose bundle is checked. */
    jobId: updates<string>(exportJobId, "the export job whose bundle is examined"),
    /**
     * Checks a `BundleMirror`'s copy, given its place and `sha256`.
     * @default the bundle behind a fresh link of the platform is checked
     */
    mirror: updates<MirroredCopy>((value) =>
        typeof value === "object" && value !== null ? undefined : `must say where the copy is, got ${show(value)}`,
    ),
    /** The SHA-256 digest that the bundle must have, in hexadecimal. */
    expectedSha256: updates<string>(digest),
    /**
     * Maximum size of the archive, and of its unpacked content.
     * @default 8 GiB
     */
    maxBytes: updates<number>(positiveInteger),
    /**
     * Maximum size of the archive alone, in bytes.
     * @default `maxBytes`
     */
    maxArchiveBytes: updates<number>(positiveInteger),
    /**
     * Maximum number of files and folders in the archive.
     * @default 1,000,000
     */
    maxFiles: updates<number>(positiveInteger),
    /**
     * Whether links inside the bundle are also refused. Otherwise, a link to a file in the bundle is unpacked as a copy
     * of that file.
     * @default false
     */
    refuseLinks: updates<boolean>(trueOrFalse),
    /**
     * Whether the deployment enforces the bundle's access.json. Otherwise, a bundle with private files is refused.
     * @default false
     */
    access: updates<boolean>(trueOrFalse),
    /**
     * How long a check may take, in seconds.
     * @default 3600
     */
    timeoutSeconds: changesNothing<number>(transferTimeout),
};

export type BundleCheckInputs = InputsOf<typeof bundleCheckInputs>;

export function checkBundleCheck(news: Record<string, unknown>): dynamic.CheckResult<BundleCheckInputs> {
    const { inputs, failures } = checkResource(bundleCheckInputs, news);
    return { inputs, failures: [...failures, ...checkCopy(inputs)] };
}

function checkCopy({ jobId, mirror }: BundleCheckInputs): dynamic.CheckFailure[] {
    if (typeof mirror !== "object" || mirror === null || isUnknown(mirror)) {
        return [];
    }
    const { sha256, ...place } = mirror;
    const { failures = [] } = checkMirror({ ...place, jobId });
    const all = [...failures, ...checkInputs({ sha256 }, { sha256: digest }, { sha256: "the mirror's sha256" })];
    return all
        .filter(({ property }) => property !== "jobId")
        .map(({ property, reason }) => ({ property: `mirror.${property}`, reason }));
}
