import type { dynamic } from "@pulumi/pulumi";
import { defaultPrefix, type MirrorInputs, type MirrorState } from "./model.js";

/** Another export, or another place for it: another object, while the old one stays until nothing refers to it. */
const replacing = ["jobId", "bucket", "prefix"] as const;
/** A new endpoint may lead to the same storage: were it a replacement, the old object's end could be the new one's. */
const updating = ["endpoint", "region", "pathStyle", "publicUrl", "urlExpirySeconds", "deleteOnRemoval"] as const;

/** Follows the export and its place, never the link that it was copied from. Makes no request. */
export function diffMirror(olds: MirrorState, news: MirrorInputs, nowMs: number): dynamic.DiffResult {
    const replaces = replacing.filter((property) => placeOf(olds)[property] !== placeOf(news)[property]);
    if (replaces.length > 0) {
        return { changes: true, replaces };
    }
    return { changes: updating.some((property) => olds[property] !== news[property]) || isUrlDue(olds, nowMs) };
}

/** The default prefix is the same place as none: a replacement would end with the removal of the copy that it made. */
function placeOf({
    jobId,
    bucket,
    prefix = defaultPrefix,
}: MirrorInputs): Pick<MirrorInputs, (typeof replacing)[number]> {
    return { jobId, bucket, prefix };
}

/** Whether a presigned link has to be signed anew; a public address never has to. */
export function isUrlDue({ urlRenewAt }: Pick<MirrorState, "urlRenewAt">, nowMs: number): boolean {
    return urlRenewAt !== undefined && nowMs >= Date.parse(urlRenewAt);
}
