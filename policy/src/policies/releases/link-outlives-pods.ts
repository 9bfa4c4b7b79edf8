import type { PolicyResource } from "@pulumi/policy";
import { type ExportRelease, findExportReleases } from "../../releases/export-releases.js";
import { type ReleaseSection, isEnabled } from "../../releases/release-sections.js";
import { describeResource } from "../../resources/describe-resource.js";
import { type Finding, lookUp, valueOf } from "../../resources/look-up.js";
import { isBundle, isMirror } from "@pulumi-static-export/contract";
import type { ResourceRule, StackRule } from "../../resources/rule.js";

interface Config {
    minMirrorLinkSeconds?: number;
}

const daySeconds = 24 * 3600;

/** The inputs that decide when a link is renewed. */
interface Renewal {
    readonly renewLink: Finding;
    readonly renewBeforeSeconds: Finding;
}

/**
 * The inputs show when a link is renewed: a changed `renewBeforeSeconds` alone causes no diff, so the outputs keep the
 * earlier value. The engine sends the inputs of all resources before any outputs.
 */
export function linkOutlivesPods(): ResourceRule & StackRule {
    const declared = new Map<string, Renewal>();
    return {
        name: "link-outlives-pods",
        description:
            "Pods that restart later can still fetch their bundle: its link is renewed in time, or there is a cache or a mirror.",
        why: "A pod that restarts fetches its bundle again.",
        enforcementLevel: "advisory",
        severity: "medium",
        configSchema: {
            properties: {
                minMirrorLinkSeconds: {
                    type: "integer",
                    minimum: 1,
                    default: daySeconds,
                    description: "The shortest accepted lifetime of a mirror's presigned link, in seconds.",
                },
            },
        },
        validateResource: (resource) => {
            if (isBundle(resource)) {
                declared.set(resource.urn, renewalOf(resource.props));
            }
        },
        validateStack: (args, reportViolation) => {
            const { resources } = args;
            const { minMirrorLinkSeconds = daySeconds } = args.getConfig<Config>();
            const renewal = ({ urn, props }: PolicyResource) => declared.get(urn) ?? renewalOf(props);
            for (const found of findExportReleases(resources)) {
                const problem = found.sections.some((each) => isEnabled(each) && !hasCache(each))
                    ? findProblem(found, minMirrorLinkSeconds, renewal)
                    : undefined;
                if (problem !== undefined) {
                    reportViolation(`${describeResource("Release", found.release.urn)} ${problem}`, found.release.urn);
                }
            }
        },
    };
}

function renewalOf(props: Readonly<Record<string, unknown>>): Renewal {
    return { renewLink: lookUp(props, "renewLink"), renewBeforeSeconds: lookUp(props, "renewBeforeSeconds") };
}

/** Whether the cache of this project's chart may be on; an unknown setting counts as on. */
function hasCache({ chartValues }: ReleaseSection): boolean {
    const enabled = lookUp(chartValues, "cache", "enabled");
    return enabled.kind === "unknown" || valueOf(enabled) === true;
}

function findProblem(
    { sources }: ExportRelease,
    minMirrorLinkSeconds: number,
    renewalOfBundle: (bundle: PolicyResource) => Renewal,
): string | undefined {
    const mirrors = sources.filter(isMirror);
    const short = mirrors.find((mirror) => isShort(mirror, minMirrorLinkSeconds));
    if (short !== undefined) {
        return (
            `serves a link of ${describeResource("BundleMirror", short.urn)} that expires too early for pods that start ` +
            `later. Give the mirror a publicUrl, or an urlExpirySeconds of at least ${minMirrorLinkSeconds}.`
        );
    }
    if (mirrors.length > 0) {
        return undefined;
    }
    for (const bundle of sources.filter(isBundle)) {
        const link = `serves the link of ${describeResource("StaticExportBundle", bundle.urn)}, which`;
        const instead = "put a BundleMirror between them, or set the chart's cache.enabled to true.";
        const lifetime = lookUp(bundle.props, "linkLifetimeSeconds");
        const { renewLink, renewBeforeSeconds: ahead } = renewalOfBundle(bundle);
        const isRenewed = valueOf(renewLink) !== false;
        if (!isRenewed || !(ahead.kind === "unknown" || (isKnownNumber(ahead) && ahead.value > 0))) {
            // A link that is valid for hours expires between two daily updates, however early they renew it.
            const isShortLived = isKnownNumber(lifetime) && lifetime.value <= daySeconds;
            const renewal = "set renewBeforeSeconds to more than the time between two runs of pulumi up, ";
            return (
                `${link} expires before anything renews the link: a pod that starts after its expiry has no site. To ` +
                `fix this, ${isShortLived ? "" : renewal}${instead}`
            );
        }
        if (isKnownNumber(lifetime) && isKnownNumber(ahead) && ahead.value >= lifetime.value) {
            return (
                `${link} is valid for only ${lifetime.value} seconds, less than renewBeforeSeconds (${ahead.value}): a ` +
                `pod that starts between its expiry and the next pulumi up has no site. To fix this, ${instead}`
            );
        }
    }
    return undefined;
}

function isShort({ props }: PolicyResource, minSeconds: number): boolean {
    const expiry = lookUp(props, "urlExpirySeconds");
    return lookUp(props, "publicUrl").kind === "absent" && isKnownNumber(expiry) && expiry.value < minSeconds;
}

function isKnownNumber(found: ReturnType<typeof lookUp>): found is { kind: "known"; value: number } {
    return found.kind === "known" && typeof found.value === "number";
}
