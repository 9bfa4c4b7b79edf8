import { isDeepStrictEqual } from "node:util";
import type { dynamic } from "@pulumi/pulumi";
import { checkInputs, exportJobId, matching, positiveInteger, show, trueOrFalse } from "../engine/check-inputs.js";
import { checkMirror } from "../bundle-mirror/check.js";
import type { MirrorInputs } from "../bundle-mirror/model.js";
import { isUnknown } from "../engine/unknown-value.js";

/** The location of a mirror's copy, and the digest of that copy. */
export interface MirroredCopy extends Pick<
    MirrorInputs,
    "bucket" | "prefix" | "endpoint" | "region" | "pathStyle" | "pin"
> {
    sha256: string;
}

/** The resolved inputs of the program. During a preview, values may be unknown: see ../engine/unknown-value.ts. */
export interface BundleCheckInputs {
    jobId: string;
    mirror?: MirroredCopy;
    expectedSha256?: string;
    maxBytes?: number;
    maxArchiveBytes?: number;
    maxFiles?: number;
    refuseLinks?: boolean;
    access?: boolean;
    /** The serialised provider, added by Pulumi. */
    __provider?: string;
}

export interface BundleCheckState extends BundleCheckInputs {
    sha256: string;
    sizeBytes: number;
    fileCount: number;
    /** Absent in states of releases that had no access.json. */
    privateFileCount?: number;
    /** Absent for bundles that do not list their contents. */
    sends?: string[];
}

const digest = matching(/^[\da-f]{64}$/i, "a SHA-256 digest of 64 hexadecimal digits");

const rules = {
    jobId: exportJobId,
    mirror: (value: unknown) =>
        typeof value === "object" && value !== null ? undefined : `must say where the copy is, got ${show(value)}`,
    expectedSha256: digest,
    maxBytes: positiveInteger,
    maxArchiveBytes: positiveInteger,
    maxFiles: positiveInteger,
    refuseLinks: trueOrFalse,
    access: trueOrFalse,
};

export function checkBundleCheck(news: BundleCheckInputs): dynamic.CheckFailure[] {
    const failures = checkInputs({ ...news }, rules, { jobId: "the export job whose bundle is examined" });
    return [...failures, ...checkCopy(news)];
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

/** The inputs that require a new check when they change. */
export const judgingCheckInputs = [
    "jobId",
    "mirror",
    "expectedSha256",
    "maxBytes",
    "maxArchiveBytes",
    "maxFiles",
    "refuseLinks",
    "access",
] as const;

/** Whether the bundle has to be checked again. A renewed link requires no new check. */
export function isOutdated(olds: BundleCheckInputs, news: BundleCheckInputs): boolean {
    return judgingCheckInputs.some((input) => !isDeepStrictEqual(olds[input], news[input]));
}
