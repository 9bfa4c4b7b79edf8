import type { dynamic } from "@pulumi/pulumi";
import { servedJob } from "../bundle-mirror/storage/copy-address.js";
import type { BucketSiteInputs, BucketSiteState } from "./model.js";

/** `endpoint` updates in place: a new one may lead to the same storage. */
export const updatingBucketSiteInputs = [
    "jobId",
    "pin",
    "endpoint",
    "region",
    "pathStyle",
    "owner",
    "keep",
    "cacheControl",
    "addresses",
    "switching",
    "access",
    "graceSeconds",
] as const;

/** The inputs that name the place of the site. The place before keeps its files. */
const replacingInputs = ["bucket", "prefix", "folder"] as const;

/** Makes no request. */
export function diffBucketSite(olds: BucketSiteState, news: BucketSiteInputs, nowMs: number): dynamic.DiffResult {
    // No prefix and an empty one name the same place.
    const replaces = replacingInputs.filter((input) => (olds[input] ?? "") !== (news[input] ?? ""));
    if (replaces.length > 0) {
        return { changes: true, replaces };
    }
    const isUpdated = updatingBucketSiteInputs.some((input) => olds[input] !== news[input]);
    return { changes: isUpdated || olds.servedJobId !== servedJob(news) || isRemovalDue(olds, nowMs) };
}

/** Whether files that readers no longer need have stayed for their time. */
export function isRemovalDue({ removalDueAt }: Pick<BucketSiteState, "removalDueAt">, nowMs: number): boolean {
    return removalDueAt !== undefined && nowMs >= Date.parse(removalDueAt);
}
