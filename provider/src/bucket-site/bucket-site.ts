import type * as pulumi from "@pulumi/pulumi";
import {
    apiSettings,
    azureSettings,
    bucketSiteType,
    mirrorSettings,
    purgeSettings,
} from "@pulumi-static-export/contract";
import { findMissingAzureSdk, findMissingS3Client } from "../program/find-missing-sdk.js";
import { createProvider } from "../program/create-provider.js";
import { PlatformResource, type ResourceClass } from "../program/platform-resource.js";
import type { ArgsOf } from "../engine/resource-inputs.js";
import type { PropertiesOf } from "../engine/resource-outputs.js";
import type { bucketSiteInputs } from "./check.js";
import { bucketSiteOutputs } from "./model.js";

/** The arguments of a {@link BucketSite}. */
export type BucketSiteArgs = ArgsOf<typeof bucketSiteInputs>;

const bucketSiteClass: ResourceClass = {
    type: "BucketSite",
    provider: createProvider("bucketSite"),
    outputs: bucketSiteOutputs,
    secretSettings: [
        apiSettings.adminApiKey,
        mirrorSettings.secretAccessKey,
        mirrorSettings.sessionToken,
        ...Object.values(azureSettings),
        purgeSettings.token,
    ],
};

/**
 * An export's files in a bucket, or in a folder that a web server serves. An update sends only changed files, in an
 * order in which no page refers to a missing file. If a run is killed, the next run continues. Deleting the resource
 * leaves the files where they are.
 *
 * A bucket requires the AWS SDK (`@aws-sdk/client-s3`). The storage's credentials come from secrets in the stack's
 * configuration (`static-export:mirrorAccessKeyId`, `…:mirrorSecretAccessKey`, `…:mirrorSessionToken`) or from the AWS
 * SDK's default credential chain, and are never stored in the resource. A container requires `@azure/storage-blob`, and
 * either a key or, through `@azure/identity`, the machine's identity. A bundle with private pages is rejected unless
 * `access` is `edge`.
 *
 * @example
 * ```ts
 * import { BucketSite, StaticExportBundle } from "pulumi-static-export";
 *
 * const bundle = new StaticExportBundle("docs", { domain: "docs.example.com", renewLink: false });
 * const site = new BucketSite("docs", { jobId: bundle.jobId, bucket: "docs-example-com", keep: 3 });
 *
 * export const changes = site.changeSummary;
 * ```
 */
export class BucketSite extends PlatformResource {
    /** @internal The type that policy packs match on. */
    public static readonly __pulumiType = bucketSiteType;

    constructor(name: string, args: BucketSiteArgs, opts?: pulumi.CustomResourceOptions) {
        const missing = args.container === undefined ? undefined : findMissingAzureSdk();
        super(bucketSiteClass, name, args, opts, args.bucket === undefined ? missing : findMissingS3Client());
    }
}

export interface BucketSite extends PropertiesOf<typeof bucketSiteOutputs> {}
