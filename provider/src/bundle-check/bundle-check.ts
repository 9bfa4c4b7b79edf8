import type * as pulumi from "@pulumi/pulumi";
import { assertUsable } from "../program/assert-usable.js";
import { PlatformResource } from "../program/platform-resource.js";
import type { BundleMirrorArgs } from "../bundle-mirror/bundle-mirror.js";
import { bundleCheckProvider } from "./bundle-check-provider.js";

/** What a {@link BundleCheck} is declared with. */
export interface BundleCheckArgs {
    /** The export job whose bundle is checked. */
    jobId: pulumi.Input<string>;
    /**
     * Where a `BundleMirror` keeps its copy, and its `sha256`: then that very copy is examined.
     * @default what a link of the platform gives is examined
     */
    mirror?: pulumi.Input<MirroredCopyArgs>;
    /** The digest that the bundle must have, in hexadecimal. */
    expectedSha256?: pulumi.Input<string>;
    /**
     * Bytes of the archive, and of what it unpacks to. Each file and folder counts 4 KiB beside its content.
     * @default 8 GiB
     */
    maxBytes?: pulumi.Input<number>;
    /**
     * Bytes of the archive alone.
     * @default maxBytes
     */
    maxArchiveBytes?: pulumi.Input<number>;
    /**
     * Files and folders in the archive.
     * @default 500,000
     */
    maxFiles?: pulumi.Input<number>;
    /**
     * Refuses links inside the bundle too, as the chart documentation-site does.
     * @default false: a link to a file of the bundle counts as a copy of it
     */
    refuseLinks?: pulumi.Input<boolean>;
}

/** The inputs of a `BundleMirror` that say where its copy lies, and the digest that it yielded. */
export interface MirroredCopyArgs extends Pick<
    BundleMirrorArgs,
    "bucket" | "prefix" | "endpoint" | "region" | "pathStyle"
> {
    sha256: pulumi.Input<string>;
}

/**
 * Fetches a bundle where Pulumi runs and unpacks it as a deployment would, before anything is rolled out: a bundle that
 * is truncated, hostile, without pages, too large or another than expected stops `pulumi up` with the reason, while the site that is
 * live stays untouched. A job's bundle is checked once, and a mirror's copy once more when it was made anew; at most one
 * hour long. Nothing is left on disk.
 */
export class BundleCheck extends PlatformResource {
    /** @internal What policy packs match on. */
    public static readonly __pulumiType = "pulumi-nodejs:dynamic/static-export:BundleCheck";

    declare public readonly jobId: pulumi.Output<string>;
    /** SHA-256 of the bundle in hexadecimal. */
    declare public readonly sha256: pulumi.Output<string>;
    declare public readonly sizeBytes: pulumi.Output<number>;
    /** Files in the bundle. */
    declare public readonly fileCount: pulumi.Output<number>;

    constructor(name: string, args: BundleCheckArgs, opts?: pulumi.CustomResourceOptions) {
        assertUsable("BundleCheck", name);
        super(
            bundleCheckProvider,
            name,
            // Outputs have to be named here, or Pulumi does not set them on the resource.
            { sha256: undefined, sizeBytes: undefined, fileCount: undefined, ...args },
            opts,
            "BundleCheck",
        );
    }
}
