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
import { bucketSiteOutputs } from "./model.js";

/** A distribution of CloudFront. */
export interface CloudFrontPurge {
    /** The id of the distribution. */
    distributionId: pulumi.Input<string>;
}

/** A site in a zone of Cloudflare. */
export interface CloudflarePurge {
    /** The id of the zone. */
    zoneId: pulumi.Input<string>;
    /** The host name of the site. */
    host: pulumi.Input<string>;
}

/** A URL that purges a cache. */
export interface WebhookPurge {
    /** Receives `{"paths": […]}` in a POST request. */
    url: pulumi.Input<string>;
}

/** The CDN in front of a {@link BucketSite}: one of `cloudFront`, `cloudflare` and `webhook`. */
export interface BucketSitePurge {
    /**
     * A distribution of CloudFront. Uses the keys of the bucket. The npm package requires `@aws-sdk/client-cloudfront`.
     */
    cloudFront?: pulumi.Input<CloudFrontPurge>;
    /** A zone of Cloudflare. Requires an API token with the Cache Purge permission in `static-export:purgeToken`. */
    cloudflare?: pulumi.Input<CloudflarePurge>;
    /** Any other cache. Receives `static-export:purgeToken`, if set, as the bearer token. */
    webhook?: pulumi.Input<WebhookPurge>;
    /**
     * Whether an update waits until CloudFront has the new files everywhere.
     * @default false
     */
    wait?: pulumi.Input<boolean>;
}

/** The arguments of a {@link BucketSite}. */
export interface BucketSiteArgs {
    /** The export job whose files are served: `bundle.jobId`. A change publishes only the files that differ. */
    jobId: pulumi.Input<string>;
    /**
     * An existing bucket in any S3-compatible storage. Set exactly one of `bucket`, `container` and `folder`. A change
     * replaces the resource, without removing files.
     */
    bucket?: pulumi.Input<string>;
    /**
     * An existing Azure Blob Storage container, such as `$web`, instead of a bucket. A change replaces the resource.
     */
    container?: pulumi.Input<string>;
    /**
     * Folder in the bucket or container, ending in a slash. A change replaces the resource.
     * @default the whole bucket or container
     */
    prefix?: pulumi.Input<string>;
    /**
     * URL of the storage. For a container, the URL of the account's Blob service: changing it replaces the resource.
     * @default the AWS endpoint of the region or, for a container, the account in `AZURE_STORAGE_ACCOUNT`
     */
    endpoint?: pulumi.Input<string>;
    /** @default `AWS_REGION`, else the region of the AWS profile, else "us-east-1" */
    region?: pulumi.Input<string>;
    /**
     * Whether URLs contain the bucket in their path instead of their host name.
     * @default true when `endpoint` is set
     */
    pathStyle?: pulumi.Input<boolean>;
    /**
     * How the storage encrypts new objects, if the bucket requires the header: `AES256`, `aws:kms`, or the id or ARN of
     * a key.
     * @default as the bucket is set up
     */
    encryption?: pulumi.Input<string>;
    /** An existing folder of the machine that runs Pulumi, as an absolute path. A change replaces the resource. */
    folder?: pulumi.Input<string>;
    /**
     * The owner of the site. Files of another owner are not replaced.
     * @default project, stack and name of the resource
     */
    owner?: pulumi.Input<string>;
    /**
     * Whether updates may replace files that the site did not write. All other files of the place stay, and those of
     * another site are never replaced. Otherwise, the first update rejects a place with files, and later ones reject a
     * file of the same name as a new one.
     * @default false
     */
    adopt?: pulumi.Input<boolean>;
    /**
     * How many earlier exports `pin` can serve again.
     * @default 0
     */
    keep?: pulumi.Input<number>;
    /**
     * Serves this earlier job instead of `jobId`, without a request to the platform if `keep` has preserved its files.
     */
    pin?: pulumi.Input<string>;
    /**
     * `Cache-Control` of files whose name does not change with their content. Others are cached for a year: files named
     * after the digest of their content, and scripts, styles and fonts with a digest in their name. With "no-cache",
     * browsers and CDNs ask whether the file has changed.
     * @default "no-cache"
     */
    cacheControl?: pulumi.Input<string>;
    /**
     * How the host finds `start.html` for `/start`, and how it redirects. `files` relies on the host's own rules.
     * `objects`, in a bucket or container, stores each page with and without `.html`, for hosts without such rules.
     * `rules`, in a folder, writes `_redirects` and `_headers` for Cloudflare Pages or Netlify.
     * @default "files"
     */
    addresses?: pulumi.Input<"files" | "objects" | "rules">;
    /**
     * How the site switches to another export. `files` replaces files one by one, entry pages last. `releases` stores
     * each export in a separate folder, and switches with one small write.
     * @default "files"
     */
    switching?: pulumi.Input<"files" | "releases">;
    /**
     * With `edge`, the host enforces the release's `access.json`, so a bundle may have private pages. Requires
     * `switching: "releases"`.
     */
    access?: pulumi.Input<"edge">;
    /**
     * How long unneeded files of earlier exports are kept, in seconds. They are removed by the first `pulumi up` after
     * this time, or by a scheduled `static-export clean`. 0 removes them at once, including files that earlier updates
     * left.
     * @default 86400
     */
    graceSeconds?: pulumi.Input<number>;
    /**
     * Whether updates and refreshes believe the site's record instead of listing the place, which takes one request per
     * thousand files. Then a file that somebody else has changed or removed stays as it is. An update that creates
     * files always lists the place.
     * @default false
     */
    trustRecord?: pulumi.Input<boolean>;
    /**
     * The CDN where an update purges the changed paths: one of `cloudFront`, `cloudflare` and `webhook`. If the purge
     * fails, the next update repeats only the purge.
     */
    purge?: pulumi.Input<BucketSitePurge>;
    /**
     * How long an update may take, in seconds.
     * @default 3600
     */
    timeoutSeconds?: pulumi.Input<number>;
}

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
 * SDK's default credential chain, and are never stored. A container requires `@azure/storage-blob`, and either a key
 * or, through `@azure/identity`, the machine's identity. A bundle with private pages is rejected unless `access` is
 * `edge`.
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

    declare public readonly jobId: pulumi.Output<string>;
    /** The job whose files are live: `pin`, or else `jobId`. */
    declare public readonly servedJobId: pulumi.Output<string>;
    /**
     * The folder that contains the live site: `prefix` or, with `switching: "releases"`, a folder below it, such as
     * `docs/releases/4f2a…/`.
     */
    declare public readonly releasePrefix: pulumi.Output<string>;
    /** SHA-256 of the bundle in hexadecimal. */
    declare public readonly sha256: pulumi.Output<string>;
    /** The number of files in the site. */
    declare public readonly fileCount: pulumi.Output<number>;
    /** Size of all files in bytes. */
    declare public readonly sizeBytes: pulumi.Output<number>;
    /** The number of files that the last update sent. */
    declare public readonly uploadedFiles: pulumi.Output<number>;
    /** The number of bytes that the last update sent. */
    declare public readonly uploadedBytes: pulumi.Output<number>;
    /**
     * The paths whose content the last update changed, such as `/index.html`. Only `/*` if more than 1000 paths have
     * changed.
     */
    declare public readonly changedPaths: pulumi.Output<string[]>;
    /** The number of changed paths and the first ten of them, for a stack output. */
    declare public readonly changeSummary: pulumi.Output<string>;
    /** The earlier jobs that `pin` can serve again, newest first. */
    declare public readonly earlierJobIds: pulumi.Output<string[]>;
    /** When files that the export no longer contains are due for removal, RFC 3339. */
    declare public readonly removalDueAt: pulumi.Output<string | undefined>;
    /**
     * The first hundred paths that somebody else has changed or removed, as `pulumi refresh` found them. The next
     * update restores them.
     */
    declare public readonly driftedPaths: pulumi.Output<string[] | undefined>;

    constructor(name: string, args: BucketSiteArgs, opts?: pulumi.CustomResourceOptions) {
        const missing = args.container === undefined ? undefined : findMissingAzureSdk();
        super(bucketSiteClass, name, args, opts, args.bucket === undefined ? missing : findMissingS3Client());
    }
}
