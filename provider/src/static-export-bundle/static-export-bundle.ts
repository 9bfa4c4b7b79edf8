import type * as pulumi from "@pulumi/pulumi";
import { apiSettings, bundleType } from "@pulumi-static-export/contract";
import { createProvider } from "../program/create-provider.js";
import { PlatformResource, type ResourceClass } from "../program/platform-resource.js";
import type { ArgsOf } from "../engine/resource-inputs.js";
import type { PropertiesOf } from "../engine/resource-outputs.js";
import type { bundleInputs } from "./check.js";
import { bundleOutputs } from "./model.js";

/** The arguments of a {@link StaticExportBundle}. */
export type StaticExportBundleArgs = ArgsOf<typeof bundleInputs>;

const staticExportBundleClass: ResourceClass = {
    type: "StaticExportBundle",
    provider: createProvider("staticExportBundle"),
    outputs: bundleOutputs,
    secretSettings: [apiSettings.adminApiKey],
};

/**
 * A static export of a documentation site: creating it runs one export job on the platform, waits for it and returns
 * the bundle's presigned link. Each change starts one job: if the wait times out, fails or is interrupted, the next
 * `pulumi up` resumes it. Deleting the resource only removes it from the state and makes no request.
 *
 * The admin API key comes from the stack's configuration (`static-export:adminApiKey`, a secret) or from the
 * environment (`STATIC_EXPORT_ADMIN_API_KEY`), and is read only when a request is made.
 *
 * @example
 * ```ts
 * import { StaticExportBundle } from "pulumi-static-export";
 *
 * const bundle = new StaticExportBundle("docs", {
 *     domain: "docs.example.com",
 *     version: "2026-11-01",
 *     triggers: [process.env.GIT_COMMIT],
 *     renewBeforeSeconds: 24 * 3600,
 * });
 * ```
 */
export class StaticExportBundle extends PlatformResource {
    /** @internal The type that policy packs match on: `validateResourceOfType` does not work without it. */
    public static readonly __pulumiType = bundleType;

    constructor(name: string, args: StaticExportBundleArgs, opts?: pulumi.CustomResourceOptions) {
        super(staticExportBundleClass, name, args, opts);
    }
}

export interface StaticExportBundle extends PropertiesOf<typeof bundleOutputs> {}
