import type { dynamic } from "@pulumi/pulumi";
import { type MirrorInputs, type MirrorState } from "./model.js";
import { defaultPrefix } from "./storage/copy-address.js";

/** These decide which object holds the copy: a change makes a new one, and the old one stays until nothing uses it. */
const replacing = ["jobId", "bucket", "prefix"] as const;
/** `endpoint` updates in place: a new one may lead to the same storage, where a replacement would delete the copy. */
const updating = ["endpoint", "region", "pathStyle", "publicUrl", "urlExpirySeconds", "deleteOnRemoval"] as const;

/** Compares the export and the place of its copy, never the link that it was copied from. Makes no request. */
export function diffMirror(olds: MirrorState, news: MirrorInputs, nowMs: number): dynamic.DiffResult {
    const replaces = replacing.filter((property) => placeOf(olds)[property] !== placeOf(news)[property]);
    if (replaces.length > 0) {
        return { changes: true, replaces };
    }
    return { changes: updating.some((property) => olds[property] !== news[property]) || isUrlDue(olds, nowMs) };
}

/** The default prefix is the same place as no prefix: a replacement would delete the copy that it has just made. */
function placeOf({
    jobId,
    bucket,
    prefix = defaultPrefix,
}: MirrorInputs): Pick<MirrorInputs, (typeof replacing)[number]> {
    return { jobId, bucket, prefix };
}

/** Whether it is time to presign the URL again; never for a public one. */
export function isUrlDue({ urlRenewAt }: Pick<MirrorState, "urlRenewAt">, nowMs: number): boolean {
    return urlRenewAt !== undefined && nowMs >= Date.parse(urlRenewAt);
}
