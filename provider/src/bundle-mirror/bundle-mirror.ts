import type * as pulumi from "@pulumi/pulumi";
import { apiSettings, mirrorSettings, mirrorType } from "@pulumi-static-export/contract";
import { createProvider } from "../program/create-provider.js";
import { PlatformResource, type ResourceClass } from "../program/platform-resource.js";
import { findMissingAwsSdk } from "../program/find-missing-sdk.js";
import type { ArgsOf } from "../engine/resource-inputs.js";
import type { PropertiesOf } from "../engine/resource-outputs.js";
import type { mirrorInputs } from "./check.js";
import { mirrorOutputs } from "./model.js";

/** The arguments of a {@link BundleMirror}. */
export type BundleMirrorArgs = ArgsOf<typeof mirrorInputs>;

const bundleMirrorClass: ResourceClass = {
    type: "BundleMirror",
    provider: createProvider("bundleMirror"),
    outputs: mirrorOutputs,
    secretSettings: [apiSettings.adminApiKey, mirrorSettings.secretAccessKey, mirrorSettings.sessionToken],
};

/**
 * A copy of an export's bundle in your own bucket. With `publicUrl`, its URL changes only when the export changes. The
 * mirror downloads the bundle (at most 5 GiB) through a fresh link into a temporary file, and records its SHA-256. It
 * never repeats a complete copy.
 *
 * Requires the AWS SDK (`@aws-sdk/client-s3`, `@aws-sdk/s3-request-presigner`). The storage's credentials come from
 * secrets in the stack's configuration (`static-export:mirrorAccessKeyId`, `…:mirrorSecretAccessKey`,
 * `…:mirrorSessionToken`) or from the AWS SDK's default credential chain, and are never stored in the resource.
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

    constructor(name: string, args: BundleMirrorArgs, opts?: pulumi.CustomResourceOptions) {
        super(bundleMirrorClass, name, args, opts, findMissingAwsSdk());
    }
}

export interface BundleMirror extends PropertiesOf<typeof mirrorOutputs> {}
