import type { dynamic } from "@pulumi/pulumi";
import {
    exportJobId,
    matching,
    positiveInteger,
    type Rule,
    seconds,
    show,
    trueOrFalse,
} from "../engine/check-inputs.js";
import { transferTimeout } from "../engine/time-limit.js";
import { changesNothing, checkResource, type InputsOf, replaces, updates } from "../engine/resource-inputs.js";
import { findAddressFault } from "@pulumi-static-export/contract";
import { bucketName, isBelowRecords } from "@pulumi-static-export/sdk/publish";

/** The maximum of AWS Signature Version 4: 7 days. */
export const maxUrlExpirySeconds = 7 * 24 * 3600;

export const bucketRule = matching(
    bucketName,
    'the name of a bucket or the ARN of an access point, such as "docs-bundles"',
);

export const prefixRule: Rule<string> = (value) => {
    if (typeof value === "string" && isBelowRecords(value)) {
        return `must be outside of .static-export/, where BucketSite keeps its own records, got ${show(value)}`;
    }
    if (typeof value === "string" && /^([\w.~-]+\/)*$/.test(value) && !/(^|\/)\.{1,2}\//.test(value)) {
        return undefined;
    }
    return `must be empty or end in a slash, such as "docs/exports/", got ${show(value)}`;
};

export const addressRule: Rule<string> = (value) => {
    const example = 'such as "https://storage.example.com"';
    const fault = typeof value === "string" ? findAddressFault(value) : "not-http";
    if (fault === "not-http") {
        return `must be an http(s) address, ${example}, got ${show(value)}`;
    }
    return fault && `must be an address without user name, password, query or fragment, ${example}`;
};

/** How a bucket is reached. A new `endpoint` may reach the same storage, so a replacement would delete the copy. */
export const storageInputs = {
    endpoint: updates(addressRule),
    region: updates(matching(/^[a-z\d-]+$/i, 'a region, such as "eu-central-1"')),
    pathStyle: updates(trueOrFalse),
    encryption: updates(matching(/^[\w:/.-]{1,2048}$/, '"AES256", "aws:kms", or the id or ARN of a key')),
};

/** If `jobId` or `pin` changes which copy is served, the mirror is replaced instead: see diff.ts. */
export const mirrorInputs = {
    jobId: updates(exportJobId, "the export job whose bundle is copied"),
    bucket: replaces(bucketRule, "the bucket that receives the copy"),
    prefix: replaces(prefixRule),
    ...storageInputs,
    publicUrl: updates(addressRule),
    urlExpirySeconds: updates(seconds(60, maxUrlExpirySeconds)),
    deleteOnRemoval: updates(trueOrFalse),
    keep: updates(positiveInteger),
    pin: updates(exportJobId),
    timeoutSeconds: changesNothing(transferTimeout),
};

export function checkMirror(news: Record<string, unknown>): dynamic.CheckResult<InputsOf<typeof mirrorInputs>> {
    const { inputs, failures } = checkResource(mirrorInputs, news);
    if (news.deleteOnRemoval === true && typeof news.keep === "number") {
        const reason = "contradicts deleteOnRemoval, which removes the copy of each earlier export: remove one of them";
        failures.push({ property: "keep", reason });
    }
    return { inputs, failures };
}
