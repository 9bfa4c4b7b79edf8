/**
 * The inputs of a site's resources, for the component in a program and for the plugin. In a program, each value is an
 * `Input` of Pulumi; in the plugin, each value has the form of the protocol.
 */
import { exportInputNames } from "@pulumi-static-export/contract";
import { definedOnly } from "../engine/defined-only.js";
import { type BundleLimits, bundleLimits } from "./chart.js";
import { featureValues } from "./feature-support.js";
import { separatesReaders } from "./site-access.js";
import { type AnswerInputs, answerValues } from "./site-answer.js";

const exportNames = ["domain", ...exportInputNames] as const;
const bundleNames = ["renewBeforeSeconds", "timeoutSeconds", "jobId"] as const;
const copyNames = ["bucket", "prefix", "endpoint", "region", "pathStyle", "pin"] as const;

type ExportName = (typeof exportNames)[number];
type BundleName = (typeof bundleNames)[number];
type CopyName = (typeof copyNames)[number];
type Inputs<Name extends string> = { [name in Name]?: unknown };

/** Returns the inputs of a site that determine the exported content. */
export function exportInputs<Site extends Inputs<ExportName>>(site: Site): Pick<Site, ExportName> {
    return pick(site, exportNames);
}

/** @param startedJob - the id of the job that a separate resource starts */
export function bundleInputs<Site extends Inputs<ExportName | BundleName | "mirror">>(
    site: Site,
    startedJob: Site["jobId"] | undefined,
): Pick<Site, ExportName | BundleName> & { renewLink?: boolean } {
    return {
        ...pick(site, bundleNames),
        // Only the job determines the exported content, and its id changes with that content.
        ...(startedJob === undefined ? exportInputs(site) : { domain: site.domain, jobId: startedJob }),
        // Only the mirror uses a link, and it requests a fresh one, so an expired link needs no update.
        ...(site.mirror === undefined ? {} : { renewLink: false }),
    };
}

/** @param mirror - its copy is checked, because the pods fetch it */
export function checkInputs<Digest, Mirror extends Inputs<CopyName>, CopyDigest>(
    site: { expectedSha256?: Digest; access?: unknown; values?: Record<string, unknown> | undefined },
    mirror: { args: Mirror; sha256: CopyDigest } | undefined,
    takesDigest: boolean,
): BundleLimits & {
    mirror?: Pick<Mirror, CopyName> & { sha256: CopyDigest };
    expectedSha256?: Digest;
    access?: boolean;
} {
    return {
        ...(mirror && { mirror: { ...pick(mirror.args, copyNames), sha256: mirror.sha256 } }),
        ...pick(site, ["expectedSha256"]),
        ...(takesDigest ? bundleLimits(site.values) : {}),
        ...(separatesReaders(site) ? { access: true } : {}),
    };
}

interface ServedBundle {
    link: unknown;
    jobId: unknown;
    sha256: unknown;
}

interface ServedSite extends AnswerInputs {
    domain: unknown;
    version?: unknown;
    expectedSha256?: unknown;
    access?: unknown;
    mirror?: Inputs<CopyName> | undefined;
}

/**
 * Returns the values that the component sets in its chart.
 *
 * @param given - the program's own values
 */
export function siteValues(
    site: ServedSite,
    bundle: ServedBundle,
    given: { features?: object | undefined; staticExport?: object | undefined },
) {
    // Behind a renewed link, the platform promises the same export but not the same bytes: with the digest of an
    // earlier link, pods that start after a renewal would refuse the bundle.
    const hasFixedBytes = site.mirror !== undefined || site.expectedSha256 !== undefined;
    return {
        ...pick(site, ["access"]),
        ...answerValues(site as { answer?: object; domain: unknown }),
        ...featureValues(site, given.features),
        staticExport: {
            ...given.staticExport,
            enabled: true,
            bundleUrl: bundle.link,
            // Without a version, the export job identifies the site, even for a pinned earlier export.
            version: site.mirror?.pin ?? site.version ?? bundle.jobId,
            ...(site.takesDigest && hasFixedBytes ? { sha256: bundle.sha256 } : {}),
        },
    };
}

/** Returns the named inputs that are set. */
function pick<Given extends object, Name extends keyof Given>(given: Given, names: readonly Name[]) {
    return definedOnly(Object.fromEntries(names.map((name) => [name, given[name]]))) as Pick<Given, Name>;
}
