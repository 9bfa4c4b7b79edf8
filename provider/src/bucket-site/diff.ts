import type { dynamic } from "@pulumi/pulumi";
import { servedJob } from "../bundle-mirror/storage/copy-address.js";
import { diffInputs, isDue } from "../engine/resource-inputs.js";
import { bucketSiteInputs } from "./check.js";
import type { BucketSiteInputs, BucketSiteState } from "./model.js";

/** Makes no request. */
export function diffBucketSite(olds: BucketSiteState, news: BucketSiteInputs, nowMs: number): dynamic.DiffResult {
    // A missing prefix and an empty prefix mean the same location.
    const withPrefix = (inputs: BucketSiteInputs) => ({ prefix: "", ...inputs });
    const hasDrifted = (olds.driftedPaths ?? []).length > 0;
    const isOutdated = hasDrifted || olds.servedJobId !== servedJob(news) || isDue(olds.removalDueAt, nowMs);
    const { changes, replaces = [] } = diffInputs(bucketSiteInputs, withPrefix(olds), withPrefix(news), isOutdated);
    // The endpoint of a container identifies the account.
    const isOtherAccount = news.container !== undefined && olds.endpoint !== news.endpoint;
    const all = isOtherAccount ? [...replaces, "endpoint"] : replaces;
    return { changes, ...(all.length > 0 && { replaces: all }) };
}
