import { apiSettings, exportJobType } from "@pulumi-static-export/contract";
import type * as pulumi from "@pulumi/pulumi";
import { createProvider } from "../program/create-provider.js";
import { PlatformResource, type ResourceClass } from "../program/platform-resource.js";
import type { ArgsOf } from "../engine/resource-inputs.js";
import type { PropertiesOf } from "../engine/resource-outputs.js";
import type { exportInputs } from "../static-export-bundle/check.js";
import { exportJobOutputs } from "./model.js";

/** The arguments of a {@link StaticExportJob}: those of a `StaticExportBundle` that decide what is exported. */
export type StaticExportJobArgs = ArgsOf<typeof exportInputs>;

const staticExportJobClass: ResourceClass = {
    type: "StaticExportJob",
    provider: createProvider("staticExportJob"),
    outputs: exportJobOutputs,
    secretSettings: [apiSettings.adminApiKey],
};

/**
 * An export job that the program starts without waiting, so that Pulumi saves the job's id immediately. A
 * `StaticExportBundle` with this `jobId` waits for it. Use both resources if the platform does not honour
 * `Idempotency-Key`: then no job is lost if the machine is lost during the wait. A refresh removes the resource if its
 * job has failed or is gone, and the next `pulumi up` starts a new job. Deleting the resource makes no request.
 *
 * @example
 * ```ts
 * import { StaticExportBundle, StaticExportJob } from "pulumi-static-export";
 *
 * const site = { domain: "docs.example.com", version: "2026-11-01" };
 * const { jobId } = new StaticExportJob("docs", site);
 * const bundle = new StaticExportBundle("docs", { ...site, jobId });
 * ```
 */
export class StaticExportJob extends PlatformResource {
    /** @internal The type that policy packs match on: `validateResourceOfType` does not work without it. */
    public static readonly __pulumiType = exportJobType;

    constructor(name: string, args: StaticExportJobArgs, opts?: pulumi.CustomResourceOptions) {
        super(staticExportJobClass, name, args, opts);
    }
}

export interface StaticExportJob extends PropertiesOf<typeof exportJobOutputs> {}
