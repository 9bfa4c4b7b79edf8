import * as pulumi from "@pulumi/pulumi";
import { assertUsable } from "../program/assert-usable.js";
import { PlatformResource } from "../program/platform-resource.js";
import { findMissingAwsSdk } from "../program/find-missing-aws-sdk.js";
import { warnOfClearSettings } from "../program/clear-settings.js";
import { bundleMirrorProvider } from "./bundle-mirror-provider.js";

/** What a {@link BundleMirror} is declared with. */
export interface BundleMirrorArgs {
    /** The export job whose bundle is copied: `bundle.jobId`. Another job makes another copy and a new mirror. */
    jobId: pulumi.Input<string>;
    /** A bucket that exists, of any S3-compatible storage. */
    bucket: pulumi.Input<string>;
    /**
     * Folder in the bucket, with a slash at its end.
     * @default "static-exports/"
     */
    prefix?: pulumi.Input<string>;
    /**
     * Address of the storage.
     * @default that of AWS in the region
     */
    endpoint?: pulumi.Input<string>;
    /** @default `AWS_REGION`, else "us-east-1" */
    region?: pulumi.Input<string>;
    /**
     * Whether the bucket stands in the path of an address, and not in its host name.
     * @default true where an endpoint is given
     */
    pathStyle?: pulumi.Input<boolean>;
    /**
     * Address under which the pods reach the bucket without credentials, such as `https://docs-bundles.example.com`.
     * Then `url` never changes and never expires. Without it `url` is presigned, see there.
     */
    publicUrl?: pulumi.Input<string>;
    /**
     * How long a presigned `url` lives, in seconds.
     * @default 604800: 7 days, the most that the signature allows
     */
    urlExpirySeconds?: pulumi.Input<number>;
    /**
     * Whether the copy is removed from the bucket when the resource is deleted or replaced. The copy of a job is one
     * object, whoever made it: leave this false where several stacks mirror the same job into one bucket and prefix, and
     * give a resource that is renamed an alias. Else the end of one takes the copy from the other.
     * @default false: a pod of an earlier release may still need it
     */
    deleteOnRemoval?: pulumi.Input<boolean>;
    /**
     * How long one copy may take, in seconds.
     * @default 3600
     */
    timeoutSeconds?: pulumi.Input<number>;
}

/**
 * A copy of an export's bundle in a bucket of your own, under an address that stays the same while the export does.
 * It takes the job, not the link: it asks for a fresh link itself when it copies, streams the bundle through a bounded
 * amount of memory, and records its SHA-256. A copy that is complete is never made again; one that fails leaves
 * nothing behind.
 *
 * Needs the AWS SDK (`@aws-sdk/client-s3`, `@aws-sdk/s3-request-presigner`), which is loaded when it is used. The
 * storage's credentials come from the stack's configuration (`static-export:mirrorAccessKeyId`,
 * `…:mirrorSecretAccessKey`, `…:mirrorSessionToken`, secrets) or from where the AWS SDK finds them, and are never
 * stored.
 */
export class BundleMirror extends PlatformResource {
    /** @internal What policy packs match on. */
    public static readonly __pulumiType = "pulumi-nodejs:dynamic/static-export:BundleMirror";

    declare public readonly jobId: pulumi.Output<string>;
    declare public readonly bucket: pulumi.Output<string>;
    /** Where the copy lies in the bucket. */
    declare public readonly key: pulumi.Output<string>;
    /**
     * The copy's address for the deployment, a secret. With `publicUrl` it is stable for good. Else it is presigned
     * and stands in the state, so it is signed anew, without a request, by the first `pulumi up` after half of its
     * life; the address before its query stays, by which the chart knows that nothing has to be rolled out.
     */
    declare public readonly url: pulumi.Output<string>;
    /** When a presigned `url` dies, RFC 3339: at most 7 days from its signing, earlier with temporary credentials. */
    declare public readonly urlExpiresAt: pulumi.Output<string | undefined>;
    /** SHA-256 of the bundle in hexadecimal. */
    declare public readonly sha256: pulumi.Output<string>;
    declare public readonly sizeBytes: pulumi.Output<number>;

    constructor(name: string, args: BundleMirrorArgs, opts?: pulumi.CustomResourceOptions) {
        assertUsable("BundleMirror", name, findMissingAwsSdk());
        super(
            bundleMirrorProvider,
            name,
            // Outputs have to be named here, or Pulumi does not set them on the resource.
            {
                key: undefined,
                url: undefined,
                urlExpiresAt: undefined,
                sha256: undefined,
                sizeBytes: undefined,
                ...args,
            },
            pulumi.mergeOptions(opts, { additionalSecretOutputs: ["url"] }),
            "BundleMirror",
        );
        warnOfClearSettings(["adminApiKey", "mirrorSecretAccessKey", "mirrorSessionToken"]);
    }
}
