import type { dynamic } from "@pulumi/pulumi";
import { type MirrorInputs, type MirrorState } from "./model.js";
import { defaultPrefix, servedJob } from "./storage/copy-address.js";

/**
 * `endpoint` updates in place: a new endpoint may reach the same storage, so a replacement would delete the copy.
 */
export const updatingMirrorInputs = [
    "endpoint",
    "region",
    "pathStyle",
    "encryption",
    "requesterPays",
    "publicUrl",
    "urlExpirySeconds",
    "deleteOnRemoval",
    "keep",
    // If `jobId` or `pin` changes which copy is served, the mirror is replaced instead.
    "jobId",
    "pin",
] as const;

/** Compares the export and the place of its copy, never the link that it was copied from. Makes no request. */
export function diffMirror(olds: MirrorState, news: MirrorInputs, nowMs: number): dynamic.DiffResult {
    const replaces = replacingInputs(olds, news);
    if (replaces.length > 0) {
        return { changes: true, replaces };
    }
    return {
        changes: updatingMirrorInputs.some((property) => olds[property] !== news[property]) || isUrlDue(olds, nowMs),
    };
}

/**
 * Returns the changed inputs that determine the object of the copy: the replacement makes a new copy, and the old one
 * stays until nothing uses it. A missing prefix and the default prefix mean the same object, so a replacement would
 * delete the copy that it has just made.
 */
function replacingInputs(olds: MirrorInputs, news: MirrorInputs): string[] {
    const { prefix: oldPrefix = defaultPrefix } = olds;
    const { prefix = defaultPrefix } = news;
    return [
        ...(servedJob(olds) === servedJob(news) ? [] : [olds.pin === news.pin ? "jobId" : "pin"]),
        ...(olds.bucket === news.bucket ? [] : ["bucket"]),
        ...(oldPrefix === prefix ? [] : ["prefix"]),
    ];
}

/** Whether the URL is due to be presigned again; never for a public URL. */
function isUrlDue({ urlRenewAt }: Pick<MirrorState, "urlRenewAt">, nowMs: number): boolean {
    return urlRenewAt !== undefined && nowMs >= Date.parse(urlRenewAt);
}
