import { isBucketSite, isCheck, isMirror } from "@pulumi-static-export/contract";
import { type ExportChange } from "./explain-export.js";
import { servesAnotherCopy, yieldsAnother } from "./link-source.js";
import { join, type Phrase, say } from "./phrase.js";
import { asString, hasUnknown } from "../log/property-value.js";
import { type ResourceChange } from "../log/resource-change.js";

const maxReceivers = 5;

/**
 * Explains what happens to a mirror's copy, a site in a bucket or a check, which depend on the export job. A preview
 * does not contain the id of a new job, so it shows these resources as changed even if only a link is renewed.
 * Undefined for other resources, or if Pulumi's diff is correct.
 */
export function explainCopy(
    change: ResourceChange,
    exports: readonly ExportChange[],
    changedPages: number | undefined,
): Phrase | "none" | undefined {
    const { kind, replacedBy } = change;
    if (!isMirror(change) && !isCheck(change) && !isBucketSite(change)) {
        return undefined;
    }
    const followsJob = hasUnknown(change.new?.inputs["jobId"]);
    const isAnotherJob = exports.some(yieldsAnother);
    if (followsJob && !isAnotherJob && (kind === "replace" || kind === "update") && isOnlyJob(change)) {
        return "none";
    }
    if (isCheck(change)) {
        return kind === "delete" ? undefined : explainCheck(change);
    }
    if (isBucketSite(change)) {
        return kind === "create" || kind === "update" || kind === "replace"
            ? explainSite(change, changedPages)
            : undefined;
    }
    const bucket = asString(change.new?.inputs["bucket"]);
    if (kind === "create" && bucket !== undefined) {
        return say`the bundle is copied to bucket ${bucket}`;
    }
    const pin = asString(change.new?.inputs["pin"]);
    if (servesAnotherCopy(change) && pin !== undefined) {
        return say`the copy of the earlier job ${pin} is served`;
    }
    if (kind === "replace" && replacedBy.every((property) => property === "jobId" || property === "pin")) {
        const before = change.old?.inputs["deleteOnRemoval"] === true ? "is removed" : "stays in the bucket";
        return [`the new bundle is copied, and the copy of the old one ${before}`];
    }
    return undefined;
}

/** Uses the last check of the served bundle, because the new bundle does not exist during a preview. */
function explainCheck({ old: state }: ResourceChange): Phrase {
    const sends = state?.outputs["sends"];
    const texts = (Array.isArray(sends) ? sends : []).filter((each) => typeof each === "string");
    const served = texts.slice(0, maxReceivers).map((text) => say`${text}`);
    return [
        ...say`the bundle is checked before anything is rolled out`,
        ...(served.length === 0 ? [] : ["; the last checked bundle sends ", ...join(served, ", ")]),
    ];
}

/** @param changedPages - the changed pages, if two exports were compared */
function explainSite({ kind, new: state }: ResourceChange, changedPages: number | undefined): Phrase {
    const { bucket, container, prefix, folder, access } = state?.inputs ?? {};
    const below = (scheme: string, name: string | undefined) =>
        name === undefined ? undefined : `${scheme}://${name}/${asString(prefix) ?? ""}`;
    const place = below("s3", asString(bucket)) ?? below("az", asString(container)) ?? asString(folder);
    const host = place === undefined ? say`its host` : say`${place}`;
    const readers =
        access === undefined
            ? say`a bundle with private pages is rejected, because everybody can read every file there`
            : say`its host separates readers by access.json`;
    const files = kind === "update" ? say`what differs is sent` : say`all files are sent`;
    return say`${files} to ${host}${changedPages === undefined ? [] : describeCount(changedPages)}; ${readers}`;
}

function describeCount(pages: number): Phrase {
    return pages === 1 ? [", where 1 page changes"] : [`, where ${pages} pages change`];
}

function isOnlyJob({ replacedBy, changed }: ResourceChange): boolean {
    return [...replacedBy, ...changed].every((property) => ["jobId", "mirror", "sha256"].includes(property));
}
