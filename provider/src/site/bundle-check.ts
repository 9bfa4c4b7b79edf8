import * as pulumi from "@pulumi/pulumi";
import { bundleCheckProvider } from "./bundle-check-provider.js";

/** What a {@link BundleCheck} is declared with. */
export interface BundleCheckArgs {
    /** The export job whose bundle is checked. */
    jobId: pulumi.Input<string>;
    /** The digest that the bundle must have, in hexadecimal. */
    expectedSha256?: pulumi.Input<string>;
    /**
     * Bytes of the archive, and of what it unpacks to.
     * @default 8 GiB
     */
    maxBytes?: pulumi.Input<number>;
    /**
     * Files and folders in the archive.
     * @default 500,000
     */
    maxFiles?: pulumi.Input<number>;
}

/**
 * Fetches a bundle where Pulumi runs and unpacks it as a deployment would, before anything is rolled out: a bundle that
 * is truncated, hostile, too large or another than expected stops `pulumi up` with the reason, while the site that is
 * live stays untouched. Its digest pins what the pods may serve. A job is checked once.
 */
export class BundleCheck extends pulumi.dynamic.Resource {
    /** @internal What policy packs match on. */
    public static readonly __pulumiType = "pulumi-nodejs:dynamic/static-export:BundleCheck";

    declare public readonly jobId: pulumi.Output<string>;
    /** SHA-256 of the bundle in hexadecimal. */
    declare public readonly sha256: pulumi.Output<string>;
    declare public readonly sizeBytes: pulumi.Output<number>;
    /** Files in the bundle. */
    declare public readonly fileCount: pulumi.Output<number>;

    constructor(name: string, args: BundleCheckArgs, opts?: pulumi.CustomResourceOptions) {
        super(
            bundleCheckProvider,
            name,
            // Outputs have to be named here, or Pulumi does not set them on the resource.
            { sha256: undefined, sizeBytes: undefined, fileCount: undefined, ...args },
            opts,
            "static-export",
            "BundleCheck",
        );
    }
}
