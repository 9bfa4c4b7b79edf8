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
    jobId: updates(exportJobId, "the export job whose bundle is examined"),
    mirror: updates<MirroredCopy>((value) =>
        typeof value === "object" && value !== null ? undefined : `must say where the copy is, got ${show(value)}`,
    ),
    expectedSha256: updates(digest),
    maxBytes: updates(positiveInteger),
    maxArchiveBytes: updates(positiveInteger),
    maxFiles: updates(positiveInteger),
    refuseLinks: updates(trueOrFalse),
    access: updates(trueOrFalse),
    timeoutSeconds: changesNothing(transferTimeout),
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
