import { isAbsolute } from "node:path";
import type { dynamic } from "@pulumi/pulumi";
import { addressRule, bucketInputs, bucketRule, prefixRule } from "../bundle-mirror/check.js";
import {
    exportJobId,
    matching,
    matchingRule,
    oneOf,
    seconds,
    show,
    trueOrFalse,
    wholeNumber,
} from "../engine/check-inputs.js";
import { transferTimeout } from "../engine/time-limit.js";
import { containerName, findConflict, publishRules } from "@pulumi-static-export/sdk/publish";
import {
    changesNothing,
    checkResource,
    type InputsOf,
    joinInputs,
    replaces,
    updates,
} from "../engine/resource-inputs.js";
import { type BucketSitePurge, checkPurge } from "./purge.js";

/** A replacement keeps the files at the earlier location. A container's endpoint replaces the site: see diff.ts. */
export const bucketSiteInputs = joinInputs(
    {
        /** The export job whose files are served: `bundle.jobId`. A change publishes only the files that differ. */
        jobId: updates<string>(exportJobId, "the export job whose files are served"),
        /**
         * An existing bucket in any S3-compatible storage. Set exactly one of `bucket`, `container` and `folder`. A change
         * replaces the resource, without removing files.
         */
        bucket: replaces<string>(bucketRule),
        /**
         * An existing Azure Blob Storage container, such as `$web`, instead of a bucket. A change replaces the resource.
         */
        container: replaces<string>(matching(containerName, 'the name of a container, such as "$web"')),
        /**
         * Folder in the bucket or container, ending in a slash. A change replaces the resource.
         * @default the whole bucket or container
         */
        prefix: replaces<string>(prefixRule),
        /**
         * URL of the storage. For a container, the URL of the account's Blob service: changing it replaces the resource.
         * @default the AWS endpoint of the region or, for a container, the account in `AZURE_STORAGE_ACCOUNT`
         */
        endpoint: updates<string>(addressRule),
    },
    bucketInputs,
    {
        /** An existing folder of the machine that runs Pulumi, as an absolute path. A change replaces the resource. */
        folder: replaces<string>((value) =>
            typeof value === "string" && isAbsolute(value) ? undefined : `must be an absolute path, got ${show(value)}`,
        ),
        /**
         * The owner of the site. Files of another owner are not replaced.
         * @default project, stack and name of the resource
         */
        owner: updates<string>(matchingRule(publishRules.owner)),
        /**
         * Whether updates may replace files that the site did not write. All other files of the place stay, and those of
         * another site are never replaced. Otherwise, the first update rejects a place with files, and later ones reject a
         * file of the same name as a new one. Also needed after a list of the site's files was lost.
         * @default false
         */
        adopt: changesNothing<boolean>(trueOrFalse),
        /**
         * How many earlier exports `pin` can serve again.
         * @default 0
         */
        keep: updates<number>(wholeNumber(publishRules.keep.min, publishRules.keep.max)),
        /**
         * Serves this earlier job instead of `jobId`, without a request to the platform if `keep` has preserved its files.
         */
        pin: updates<string>(exportJobId),
        /**
         * `Cache-Control` of files whose name does not change with their content. Others are cached for a year: files named
         * after the digest of their content, and scripts, styles and fonts with a digest in their name. With "no-cache",
         * browsers and CDNs ask whether the file has changed.
         * @default "no-cache"
         */
        cacheControl: updates<string>(matchingRule(publishRules.cacheControl)),
        /**
         * How the host finds `start.html` for `/start`, and how it redirects. `files` relies on the host's own rules.
         * `objects`, in a bucket or container, stores each page with and without `.html`, for hosts without such rules.
         * `rules`, in a folder, writes `_redirects` and `_headers` for Cloudflare Pages or Netlify.
         * @default "files"
         */
        addresses: updates<"files" | "objects" | "rules">(oneOf(publishRules.addresses)),
        /**
         * How the site switches to another export. `files` replaces files one by one, entry pages last. `releases` stores
         * each export in a separate folder, and switches with one small write.
         * @default "files"
         */
        switching: updates<"files" | "releases">(oneOf(publishRules.switching)),
        /**
         * With `edge`, the host enforces the release's `access.json`, so a bundle may have private pages. Requires
         * `switching: "releases"`.
         */
        access: updates<"edge">(oneOf(publishRules.access)),
        /**
         * How long unneeded files of earlier exports are kept, in seconds. They are removed by the first `pulumi up` after
         * this time, or by a scheduled `static-export clean`. 0 removes them at once, including files that earlier
         * updates left. With `switching: "releases"`, the next update removes the files of the release before.
         * @default 86400
         */
        graceSeconds: updates<number>(seconds(publishRules.graceSeconds.min, publishRules.graceSeconds.max)),
        /**
         * Whether updates and refreshes believe the site's record instead of listing the place, which takes one request per
         * thousand files. Then a file that somebody else has changed or removed stays as it is. An update that creates
         * files always lists the place.
         * @default false
         */
        trustRecord: changesNothing<boolean>(trueOrFalse),
        /**
         * The CDN where an update purges the changed paths: one of `cloudFront`, `cloudflare` and `webhook`. If the purge
         * fails, the next update repeats only the purge.
         */
        purge: changesNothing<BucketSitePurge>(checkPurge),
        /**
         * How long an update may take, in seconds.
         * @default 3600
         */
        timeoutSeconds: changesNothing<number>(transferTimeout),
    },
);

/** The kinds of targets, with their specific inputs. */
const places = {
    bucket: ["prefix", "endpoint", "region", "pathStyle", "encryption"],
    container: ["prefix", "endpoint"],
    folder: [],
} as const;

export function checkBucketSite(news: Record<string, unknown>): dynamic.CheckResult<InputsOf<typeof bucketSiteInputs>> {
    const { inputs, failures } = checkResource(bucketSiteInputs, news);
    const isSet = (property: string) => (news[property] ?? undefined) !== undefined;
    // The bucket comes last, so that it is the first to be reported as superfluous if several targets are set.
    const place = (["folder", "container", "bucket"] as const).find(isSet);
    if (place === undefined) {
        failures.push({
            property: "bucket",
            reason: "is required: the bucket that receives the files, unless container or folder is set",
        });
    } else {
        const others = new Set<string>(
            Object.entries(places)
                .flat(2)
                .filter((property) => property !== place),
        );
        places[place].forEach((property) => others.delete(property));
        for (const property of [...others].filter(isSet)) {
            failures.push({ property, reason: `contradicts ${place}: remove one of them` });
        }
    }
    const conflict = findConflict({ ...inputs, hasHeaders: place !== "folder" });
    if (conflict !== undefined) {
        failures.push({ property: conflict.setting, reason: conflict.reason });
    }
    return { inputs, failures };
}
