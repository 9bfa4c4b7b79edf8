import type * as pulumi from "@pulumi/pulumi";
import { apiSettings, mirrorSettings, mirrorType } from "@pulumi-static-export/contract";
import { createProvider } from "../program/create-provider.js";
import { PlatformResource, type ResourceClass } from "../program/platform-resource.js";
import { findMissingAwsSdk } from "../program/find-missing-sdk.js";

/** The arguments of a {@link BundleMirror}. */
export interface BundleMirrorArgs {
    /** The export job whose bundle is copied: `bundle.jobId`. A change replaces the mirror and makes a new copy. */
    jobId: pulumi.Input<string>;
    /** An existing bucket in any S3-compatible storage. A change replaces the mirror. */
    bucket: pulumi.Input<string>;
    /**
     * Folder in the bucket, ending in a slash. A change replaces the mirror. Mirrors of other programs need a different
     * folder. Otherwise, `deleteOnRemoval` also deletes their copies.
     * @default "static-exports/"
     */
    prefix?: pulumi.Input<string>;
    /**
     * URL of the storage.
     * @default the AWS endpoint of the region
     */
    endpoint?: pulumi.Input<string>;
    /** @default `AWS_REGION`, else the region of the AWS profile, else "us-east-1" */
    region?: pulumi.Input<string>;
    /**
     * Whether URLs contain the bucket in their path instead of their host name.
     * @default true when `endpoint` is set
     */
    pathStyle?: pulumi.Input<boolean>;
    /**
     * How the storage encrypts new objects, if the bucket requires the header: `AES256`, `aws:kms`, or the id or ARN of
     * a key.
     * @default as the bucket is set up
     */
    encryption?: pulumi.Input<string>;
    /**
     * URL at which the pods reach the bucket without credentials: `url` then never changes and never expires.
     * Otherwise, `url` is presigned.
     */
    publicUrl?: pulumi.Input<string>;
    /**
     * How long a presigned `url` is valid, in seconds. The maximum is 7 days.
     * @default 604800
     */
    urlExpirySeconds?: pulumi.Input<number>;
    /**
     * Whether deleting or replacing the resource also deletes the copy, unless another mirror in the same program
     * serves that copy. A pod of an earlier release may still need the copy.
     * @default false
     */
    deleteOnRemoval?: pulumi.Input<boolean>;
    /**
     * How many copies of earlier exports stay in the bucket. After a successful update, this mirror removes older
     * copies that it made. Give each mirror with `keep` its own `prefix`.
     * @default all
     */
    keep?: pulumi.Input<number>;
    /**
     * Serves the copy of this earlier job instead of the copy of `jobId`. A change replaces the mirror. If the bucket
     * has the copy, this needs no request to the platform.
     */
    pin?: pulumi.Input<string>;
    /**
     * How long a copy may take, in seconds.
     * @default 3600
     */
    timeoutSeconds?: pulumi.Input<number>;
}

const bundleMirrorClass: ResourceClass = {
    type: "BundleMirror",
    provider: createProvider("bundleMirror"),
    outputs: ["key", "url", "urlExpiresAt", "sha256", "sizeBytes", "earlierJobIds"],
    secretOutputs: ["url"],
    secretSettings: [apiSettings.adminApiKey, mirrorSettings.secretAccessKey, mirrorSettings.sessionToken],
};

/**
 * A copy of an export's bundle in your own bucket, at a URL that changes only when the export changes. The mirror
 * downloads the bundle (at most 5 GiB) through a fresh link into a temporary file, and records its SHA-256. It never
 * repeats a complete copy.
 *
 * Requires the AWS SDK (`@aws-sdk/client-s3`, `@aws-sdk/s3-request-presigner`). The storage's credentials come from
 * secrets in the stack's configuration (`static-export:mirrorAccessKeyId`, `…:mirrorSecretAccessKey`,
 * `…:mirrorSessionToken`) or from the AWS SDK's default credential chain, and are never stored.
 *
 * @example
 * ```ts
 * import { BundleMirror, StaticExportBundle } from "pulumi-static-export";
 *
 * const bundle = new StaticExportBundle("docs", { domain: "docs.example.com", renewLink: false });
 * const mirror = new BundleMirror("docs", {
 *     jobId: bundle.jobId,
 *     bucket: "docs-bundles",
 *     publicUrl: "https://docs-bundles.example.com",
 * });
 *
 * export const digest = mirror.sha256;
 * ```
 */
export class BundleMirror extends PlatformResource {
    /** @internal The type that policy packs match on. */
    public static readonly __pulumiType = mirrorType;

    declare public readonly jobId: pulumi.Output<string>;
    declare public readonly bucket: pulumi.Output<string>;
    /** The object key of the copy. */
    declare public readonly key: pulumi.Output<string>;
    /**
     * The copy's URL for the deployment, a secret. With `publicUrl`, this URL never changes. Otherwise, the first
     * `pulumi up` after half of the link's lifetime signs the link again, which does not roll the pods.
     */
    declare public readonly url: pulumi.Output<string>;
    /** When a presigned `url` expires, RFC 3339: at most 7 days after signing, earlier with temporary credentials. */
    declare public readonly urlExpiresAt: pulumi.Output<string | undefined>;
    /** SHA-256 of the bundle in hexadecimal. */
    declare public readonly sha256: pulumi.Output<string>;
    /** Size of the archive in bytes. */
    declare public readonly sizeBytes: pulumi.Output<number>;
    /** The jobs whose copies stay in the bucket, newest first. Undefined without `keep`. */
    declare public readonly earlierJobIds: pulumi.Output<string[] | undefined>;

    constructor(name: string, args: BundleMirrorArgs, opts?: pulumi.CustomResourceOptions) {
        super(bundleMirrorClass, name, args, opts, findMissingAwsSdk());
    }
}
