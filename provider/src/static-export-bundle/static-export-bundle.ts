import * as pulumi from "@pulumi/pulumi";
import { assertUsable } from "../program/assert-usable.js";
import { PlatformResource } from "../program/platform-resource.js";
import { warnOfClearSettings } from "../program/clear-settings.js";
import { staticExportBundleProvider } from "./static-export-bundle-provider.js";

/** What a {@link StaticExportBundle} is declared with. */
export interface StaticExportBundleArgs {
    /** Host name of the documentation site: no scheme, no port, no path. A change replaces the resource. */
    domain: pulumi.Input<string>;
    /**
     * Label of this export. A change runs one new export job.
     * @default the platform exports what is published latest
     */
    version?: pulumi.Input<string>;
    /**
     * Paths of the pages to export. A change runs one new export job.
     * @default every published page
     */
    paths?: pulumi.Input<pulumi.Input<string>[]>;
    /** Any values: a change of one runs one new export job, for example a commit id or a content hash. */
    triggers?: pulumi.Input<unknown>;
    /**
     * How long before its expiry a link counts as expired, in seconds. Renewal is one request and no export.
     * @default 0: a link is renewed by the first `pulumi up` after its expiry
     */
    renewBeforeSeconds?: pulumi.Input<number>;
    /**
     * Whether an expired link is a reason for an update. Say false where a mirror serves the bundle.
     * @default true
     */
    renewLink?: pulumi.Input<boolean>;
    /**
     * How long one `pulumi up` waits for the job, in seconds. What is not finished by then goes on in the platform,
     * and the next `pulumi up` continues to wait for the same job.
     * @default 3600
     */
    timeoutSeconds?: pulumi.Input<number>;
    /** Adopts a job that was started elsewhere instead of starting one, for example to promote what staging exported. */
    jobId?: pulumi.Input<string>;
}

/**
 * A static export of a documentation site: creating it runs one export job on the platform, waits for it and yields
 * the bundle's presigned link. The job of one change is started once: a wait that timed out, failed or was interrupted
 * is resumed by the next `pulumi up`. Deleting the resource forgets it and calls nothing.
 *
 * The admin API key comes from the stack's configuration (`static-export:adminApiKey`, a secret) or from the
 * environment (`STATIC_EXPORT_ADMIN_API_KEY`), and is read only when a call is made.
 */
export class StaticExportBundle extends PlatformResource {
    /** @internal What policy packs match on: without it `validateResourceOfType` never finds the resource. */
    public static readonly __pulumiType = "pulumi-nodejs:dynamic/static-export:StaticExportBundle";

    declare public readonly domain: pulumi.Output<string>;
    declare public readonly version: pulumi.Output<string | undefined>;
    /** The export job whose bundle this is. */
    declare public readonly jobId: pulumi.Output<string>;
    /** Presigned link to the bundle: a secret, because whoever has it has the site. Fetch it without the API key. */
    declare public readonly bundleUrl: pulumi.Output<string>;
    /** When the link dies, RFC 3339. Undefined when neither the API nor the link says so. */
    declare public readonly expiresAt: pulumi.Output<string | undefined>;
    /** Size of the archive in bytes, where the API says it. */
    declare public readonly sizeBytes: pulumi.Output<number | undefined>;
    /** Number of pages in the export, where the API says it. */
    declare public readonly pageCount: pulumi.Output<number | undefined>;
    /** When the export was finished, RFC 3339. */
    declare public readonly exportedAt: pulumi.Output<string>;

    constructor(name: string, args: StaticExportBundleArgs, opts?: pulumi.CustomResourceOptions) {
        assertUsable("StaticExportBundle", name);
        super(
            staticExportBundleProvider,
            name,
            // Outputs have to be named here, or Pulumi does not set them on the resource.
            {
                jobId: undefined,
                bundleUrl: undefined,
                expiresAt: undefined,
                sizeBytes: undefined,
                pageCount: undefined,
                exportedAt: undefined,
                version: undefined,
                ...args,
            },
            pulumi.mergeOptions(opts, { additionalSecretOutputs: ["bundleUrl"] }),
            "StaticExportBundle",
        );
        warnOfClearSettings(["adminApiKey"]);
    }
}
