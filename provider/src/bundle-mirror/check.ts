import type { dynamic } from "@pulumi/pulumi";
import {
    checkInputs,
    trueOrFalse,
    exportJobId,
    matching,
    positiveInteger,
    type Rule,
    seconds,
    show,
} from "../engine/check-inputs.js";
import { findAddressFault } from "@pulumi-static-export/contract";
import { bucketName, isBelowRecords } from "@pulumi-static-export/sdk/publish";
import { definedOnly } from "../engine/defined-only.js";
import { maxUrlExpirySeconds, type MirrorInputs } from "./model.js";

export const bucketRule = matching(
    bucketName,
    'the name of a bucket or the ARN of an access point, such as "docs-bundles"',
);

export const encryptionRule = matching(/^[\w:/.-]{1,2048}$/, '"AES256", "aws:kms", or the id or ARN of a key');

export const regionRule = matching(/^[a-z\d-]+$/i, 'a region, such as "eu-central-1"');

const rules: Record<Exclude<keyof MirrorInputs, "__provider">, Rule> = {
    jobId: exportJobId,
    bucket: bucketRule,
    prefix: prefixRule,
    endpoint: addressRule,
    region: regionRule,
    pathStyle: trueOrFalse,
    encryption: encryptionRule,
    requesterPays: trueOrFalse,
    publicUrl: addressRule,
    urlExpirySeconds: seconds(60, maxUrlExpirySeconds),
    deleteOnRemoval: trueOrFalse,
    keep: positiveInteger,
    pin: exportJobId,
    timeoutSeconds: seconds(1, 24 * 3600),
};

export function checkMirror(news: Record<string, unknown>): dynamic.CheckResult<MirrorInputs> {
    const required = { jobId: "the export job whose bundle is copied", bucket: "the bucket that receives the copy" };
    const failures = checkInputs(news, rules, required);
    if (news.deleteOnRemoval === true && typeof news.keep === "number") {
        const reason = "contradicts deleteOnRemoval, which removes the copy of each earlier export: remove one of them";
        failures.push({ property: "keep", reason });
    }
    return { inputs: definedOnly(news) as unknown as MirrorInputs, failures };
}

export function prefixRule(value: unknown): string | undefined {
    if (typeof value === "string" && isBelowRecords(value)) {
        return `must be outside of .static-export/, where BucketSite keeps its own records, got ${show(value)}`;
    }
    if (typeof value === "string" && /^([\w.~-]+\/)*$/.test(value) && !/(^|\/)\.{1,2}\//.test(value)) {
        return undefined;
    }
    return `must be empty or end in a slash, such as "docs/exports/", got ${show(value)}`;
}

export function addressRule(value: unknown): string | undefined {
    const example = 'such as "https://storage.example.com"';
    const fault = typeof value === "string" ? findAddressFault(value) : "not-http";
    if (fault === "not-http") {
        return `must be an http(s) address, ${example}, got ${show(value)}`;
    }
    return fault && `must be an address without user name, password, query and fragment, ${example}`;
}
