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
import {
    changesNothing,
    checkResource,
    type InputsOf,
    joinInputs,
    replaces,
    updates,
} from "../engine/resource-inputs.js";
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

/** How a bucket is reached and encrypted. */
export const bucketInputs = {
    /** @default `AWS_REGION`, `AWS_DEFAULT_REGION`, the region of the AWS profile, or "us-east-1" */
    region: updates<string>(matching(/^[a-z\d-]+$/i, 'a region, such as "eu-central-1"')),
    /**
     * Whether URLs contain the bucket in their path instead of their host name.
     * @default true when `endpoint` is set
     */
    pathStyle: updates<boolean>(trueOrFalse),
    /**
     * How the storage encrypts new objects, if the bucket requires the header: `AES256`, `aws:kms`, or the id or ARN of
     * a key.
     * @default as the bucket is set up
     */
    encryption: updates<string>(matching(/^[\w:/.-]{1,2048}$/, '"AES256", "aws:kms", or the id or ARN of a key')),
};

/** If `jobId` or `pin` changes which copy is served, the mirror is replaced instead: see diff.ts. */
export const mirrorInputs = joinInputs(
    {
        /** The export job whose bundle is copied: `bundle.jobId`. A change replaces the mirror and makes a new copy. */
        jobId: updates<string>(exportJobId, "the export job whose bundle is copied"),
        /** An existing bucket in any S3-compatible storage. A change replaces the mirror. */
        bucket: replaces<string>(bucketRule, "the bucket that receives the copy"),
        /**
         * Folder in the bucket, ending in a slash. A change replaces the mirror. Mirrors of other programs need a different
         * folder. Otherwise, `deleteOnRemoval` also deletes their copies.
         * @default "static-exports/"
         */
        prefix: replaces<string>(prefixRule),
        /**
         * URL of the storage.
         * @default the AWS endpoint of the region
         */
        // A new endpoint may reach the same storage, so a replacement would delete the copy.
        endpoint: updates<string>(addressRule),
    },
    bucketInputs,
    {
        /**
         * URL at which the pods reach the bucket without credentials: each copy's `url` then stays the same and never
         * expires. Otherwise, `url` is presigned.
         */
        publicUrl: updates<string>(addressRule),
        /**
         * How long a presigned `url` is valid, in seconds. The maximum is 7 days.
         * @default 604800
         */
        urlExpirySeconds: updates<number>(seconds(60, maxUrlExpirySeconds)),
        /**
         * Whether deleting or replacing the resource also deletes the copy, unless another mirror in the same program
         * serves that copy. A pod of an earlier release may still need the copy.
         * @default false
         */
        deleteOnRemoval: updates<boolean>(trueOrFalse),
        /**
         * How many copies of earlier exports stay in the bucket. After a successful update, this mirror removes older
         * copies that it made. Give each mirror with `keep` its own `prefix`.
         * @default all
         */
        keep: updates<number>(positiveInteger),
        /**
         * Serves the copy of this earlier job instead of the copy of `jobId`. A change replaces the mirror. If the bucket
         * has the copy, this needs no request to the platform.
         */
        pin: updates<string>(exportJobId),
        /**
         * How long a copy may take, in seconds.
         * @default 3600
         */
        timeoutSeconds: changesNothing<number>(transferTimeout),
    },
);

export function checkMirror(news: Record<string, unknown>): dynamic.CheckResult<InputsOf<typeof mirrorInputs>> {
    const { inputs, failures } = checkResource(mirrorInputs, news);
    if (news.deleteOnRemoval === true && typeof news.keep === "number") {
        const reason = "contradicts deleteOnRemoval, which removes the copy of each earlier export: remove one of them";
        failures.push({ property: "keep", reason });
    }
    return { inputs, failures };
}
