import type * as pulumi from "@pulumi/pulumi";
import { checkType } from "@pulumi-static-export/contract";
import { createProvider } from "../program/create-provider.js";
import { PlatformResource, type ResourceClass } from "../program/platform-resource.js";
import type { BundleMirrorArgs } from "../bundle-mirror/bundle-mirror.js";
import { bundleCheckOutputs } from "./model.js";
import type { PropertiesOf } from "../engine/resource-outputs.js";
import type { ArgsOf } from "../engine/resource-inputs.js";
import type { bundleCheckInputs } from "./check.js";

/** The arguments of a {@link BundleCheck}. */
export type BundleCheckArgs = ArgsOf<typeof bundleCheckInputs>;

/** The inputs of a `BundleMirror` that determine the location of its copy, and the digest of that copy. */
export interface MirroredCopyArgs extends Pick<
    BundleMirrorArgs,
    "bucket" | "prefix" | "endpoint" | "region" | "pathStyle" | "pin"
> {
    /** The `sha256` of the `BundleMirror`. */
    sha256: pulumi.Input<string>;
}

const bundleCheckClass: ResourceClass = {
    type: "BundleCheck",
    provider: createProvider("bundleCheck"),
    outputs: bundleCheckOutputs,
    secretSettings: [],
};

/**
 * Downloads a bundle to the machine that runs Pulumi, and unpacks it there as a deployment would, before anything is
 * rolled out. If a bundle is unusable, `pulumi up` stops with the reason, and the live site stays untouched. A bundle
 * is unusable if it is truncated, hostile or too large, has no pages or the wrong digest, or has private files that the
 * deployment would show to everybody.
 *
 * @example
 * ```ts
 * import { StaticExportBundle } from "pulumi-static-export";
 * import { BundleCheck } from "pulumi-static-export/site";
 *
 * const bundle = new StaticExportBundle("docs", { domain: "docs.example.com" });
 * const check = new BundleCheck("docs", { jobId: bundle.jobId, maxFiles: 50_000, refuseLinks: true });
 *
 * export const digest = check.sha256;
 * ```
 */
export class BundleCheck extends PlatformResource {
    /** @internal The type that policy packs match on. */
    public static readonly __pulumiType = checkType;

    constructor(name: string, args: BundleCheckArgs, opts?: pulumi.CustomResourceOptions) {
        super(bundleCheckClass, name, args, opts);
    }
}

export interface BundleCheck extends PropertiesOf<typeof bundleCheckOutputs> {}
