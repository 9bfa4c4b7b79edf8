import type { PolicyResource } from "@pulumi/policy";
import { bundlesBehind, type ExportRelease, exportsOfJob, findExportReleases } from "../../releases/export-releases.js";
import { type ReleaseSection, isEnabled } from "../../releases/release-sections.js";
import { describeResource } from "../../resources/describe-resource.js";
import { knownString, knownValue, lookUp } from "../../resources/look-up.js";
import { isBucketSite, isCheck, labelsPattern, maxDomainLength } from "@pulumi-static-export/contract";
import { isCheckOf } from "./checks.js";
import type { StackRule } from "../../resources/rule.js";

interface Config {
    privateDomains?: string[];
    accessValue?: string;
}

/**
 * A preview exports nothing, so the content of a new bundle is unknown. This rule relies on the configuration and on
 * the last check.
 */
export const privatePagesNeedAccess: StackRule = {
    name: "private-pages-need-access",
    description:
        "A release or BucketSite restricts readers " +
        "if a BundleCheck or the configuration says that its bundle has private pages.",
    why: "This project's chart and a BucketSite reject such a bundle, but other charts may show it to everybody.",
    enforcementLevel: "mandatory",
    severity: "high",
    configSchema: {
        properties: {
            privateDomains: {
                type: "array",
                items: { type: "string", pattern: labelsPattern, maxLength: maxDomainLength },
                default: [],
                description:
                    "Host names, without scheme and wildcard, whose documentation has private pages. Their releases and " +
                    "sites must set access from the first preview.",
            },
            accessValue: {
                type: "string",
                minLength: 1,
                description: "The value of your own chart that restricts readers, such as `signIn.enabled`.",
            },
        },
    },
    validateStack: (args, reportViolation) => {
        const { resources } = args;
        const config = args.getConfig<Config>();
        for (const found of findExportReleases(resources)) {
            const isOpen = (section: ReleaseSection) => isEnabled(section) && !separatesReaders(section, found, config);
            const reason = found.sections.some(isOpen)
                ? whyPrivate(bundlesBehind(found.sources), resources, config)
                : undefined;
            if (reason !== undefined) {
                reportViolation(
                    `${describeResource("Release", found.release.urn)} has neither access.header nor access.oidc, ` +
                        `which separate readers, but ${reason}. Set access of the DocumentationSite, or of the ` +
                        `chart's values. For your own chart, set "accessValue" in this policy's configuration. If ` +
                        "everybody may read all pages, export without --access.",
                    found.release.urn,
                );
            }
        }
        for (const site of resources.filter(isBucketSite)) {
            const reason = isSet(site.props, ["access"])
                ? undefined
                : whyPrivate(exportsOfJob(site), resources, config);
            if (reason !== undefined) {
                reportViolation(
                    `${describeResource("BucketSite", site.urn)} shows every file to everybody, but ${reason}. Serve ` +
                        'the bundle with a DocumentationSite that has access. Or set access: "edge", with switching: ' +
                        '"releases", if the host in front of the storage separates readers. If everybody may read ' +
                        "all pages, export without --access.",
                    site.urn,
                );
            }
        }
    },
};

/** Returns the evidence that one of the bundles has private pages, or undefined if there is none. */
function whyPrivate(
    bundles: readonly PolicyResource[],
    resources: readonly PolicyResource[],
    { privateDomains = [] }: Config,
): string | undefined {
    const checks = resources.filter((each) => isCheck(each) && bundles.some((bundle) => isCheckOf(each, bundle)));
    for (const { urn, props } of checks) {
        if (Number(knownValue(props, "privateFileCount")) > 0) {
            return `${describeResource("BundleCheck", urn)} found private files in its bundle`;
        }
        if (knownValue(props, "access") === true) {
            return `${describeResource("BundleCheck", urn)} allows private files in its bundle`;
        }
    }
    const domains = bundles.map(({ props }) => knownString(props, "domain")?.toLowerCase());
    return privateDomains.some((domain) => domains.includes(domain.toLowerCase()))
        ? '"privateDomains" of this policy names the domain of its bundle'
        : undefined;
}

function separatesReaders(
    { chartValues }: ReleaseSection,
    { others }: ExportRelease,
    { accessValue }: Config,
): boolean {
    // In a preview, the provider omits unknown values from other resources.
    const isPending = others.length > 0 && lookUp(chartValues, "access").kind !== "absent";
    const places = [
        ["access", "header", "groups"],
        ["access", "oidc", "issuer"],
        ...(accessValue === undefined ? [] : [accessValue.split(".")]),
    ];
    return isPending || places.some((place) => isSet(chartValues, place));
}

/** An unknown value counts as set. */
function isSet(values: unknown, place: readonly string[]): boolean {
    const found = lookUp(values, ...place);
    return found.kind === "unknown" || (found.kind === "known" && found.value !== "" && found.value !== false);
}
