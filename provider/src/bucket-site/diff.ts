import type { dynamic } from "@pulumi/pulumi";
import { servedJob } from "../bundle-mirror/storage/copy-address.js";
import type { BucketSiteInputs, BucketSiteState } from "./model.js";

/**
 * A bucket's `endpoint` updates in place: a new endpoint may reach the same storage. An Azure endpoint identifies an
 * account.
 */
export const updatingBucketSiteInputs = [
    "jobId",
    "pin",
    "endpoint",
    "region",
    "pathStyle",
    "encryption",
    "requesterPays",
    "owner",
    "keep",
    "cacheControl",
    "addresses",
    "switching",
    "access",
    "graceSeconds",
] as const;

/** The inputs that determine the location of the site. The earlier location keeps its files. */
const replacingInputs = ["bucket", "container", "prefix", "folder"] as const;

/** Makes no request. */
export function diffBucketSite(olds: BucketSiteState, news: BucketSiteInputs, nowMs: number): dynamic.DiffResult {
    // A missing prefix and an empty prefix mean the same location.
    const isReplacing = (input: keyof BucketSiteInputs) => (olds[input] ?? "") !== (news[input] ?? "");
    const account = news.container === undefined ? [] : (["endpoint"] as const);
    const replaces = [...replacingInputs, ...account].filter(isReplacing);
    if (replaces.length > 0) {
        return { changes: true, replaces };
    }
    const isUpdated = updatingBucketSiteInputs.some((input) => olds[input] !== news[input]);
    return { changes: isUpdated || olds.servedJobId !== servedJob(news) || isRemovalDue(olds, nowMs) };
}

/** Whether the grace time of unneeded files has passed. */
function isRemovalDue({ removalDueAt }: Pick<BucketSiteState, "removalDueAt">, nowMs: number): boolean {
    return removalDueAt !== undefined && nowMs >= Date.parse(removalDueAt);
}
