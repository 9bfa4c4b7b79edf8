import type * as pulumi from "@pulumi/pulumi";
import { apiSettings, bundleType } from "@pulumi-static-export/contract";
import { createProvider } from "../program/create-provider.js";
import { PlatformResource, type ResourceClass } from "../program/platform-resource.js";
import type { ArgsOf } from "../engine/resource-inputs.js";
import type { bundleInputs } from "./check.js";

/** The arguments of a {@link StaticExportBundle}. */
export type StaticExportBundleArgs = ArgsOf<typeof bundleInputs>;

const staticExportBundleClass: ResourceClass = {
    type: "StaticExportBundle",
    provider: createProvider("staticExportBundle"),
    outputs: ["jobId", "bundleUrl", "expiresAt", "sizeBytes", "pageCount", "exportedAt", "version"],
    secretOutputs: ["bundleUrl"],
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

    declare public readonly domain: pulumi.Output<string>;
    declare public readonly version: pulumi.Output<string | undefined>;
    /** The export job that created the bundle. */
    declare public readonly jobId: pulumi.Output<string>;
    /**
     * Presigned link to the bundle. Secret, because it gives access to the site. Fetch the bundle without the API key.
     */
    declare public readonly bundleUrl: pulumi.Output<string>;
    /**
     * When the link expires (RFC 3339). If the link may be signed with temporary credentials, this is an hour after it
     * was received.
     */
    declare public readonly expiresAt: pulumi.Output<string | undefined>;
    /** Size of the archive in bytes, if the API reports it. */
    declare public readonly sizeBytes: pulumi.Output<number | undefined>;
    /** Number of pages in the export, if the API reports it. */
    declare public readonly pageCount: pulumi.Output<number | undefined>;
    /** When the export was completed, RFC 3339. */
    declare public readonly exportedAt: pulumi.Output<string>;

    constructor(name: string, args: StaticExportBundleArgs, opts?: pulumi.CustomResourceOptions) {
        super(staticExportBundleClass, name, args, opts);
    }
}
