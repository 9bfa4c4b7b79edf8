import type { PolicyResource } from "@pulumi/policy";
import { type ExportRelease, findExportReleases } from "../../releases/export-releases.js";
import { type ReleaseSection, isEnabled } from "../../releases/release-sections.js";
import { describeResource } from "../../resources/describe-resource.js";
import { lookUp } from "../../resources/look-up.js";
import { isBundle, isMirror } from "@pulumi-static-export/contract";
import type { StackRule } from "../../resources/rule.js";

interface Config {
    minMirrorLinkSeconds?: number;
}

const defaultMinMirrorLinkSeconds = 24 * 3600;

export const linkOutlivesPods: StackRule = {
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
                default: defaultMinMirrorLinkSeconds,
                description: "The shortest accepted lifetime of a mirror's presigned link, in seconds.",
            },
        },
    },
    validateStack: (args, reportViolation) => {
        const { resources } = args;
        const { minMirrorLinkSeconds = defaultMinMirrorLinkSeconds } = args.getConfig<Config>();
        for (const found of findExportReleases(resources)) {
            const problem = found.sections.some((each) => isEnabled(each) && !hasCache(each))
                ? findProblem(found, minMirrorLinkSeconds)
                : undefined;
            if (problem !== undefined) {
                reportViolation(`${describeResource("Release", found.release.urn)} ${problem}`, found.release.urn);
            }
        }
    },
};

/** Whether the cache of this project's chart may be on; an unknown setting counts as on. */
function hasCache({ chartValues }: ReleaseSection): boolean {
    const enabled = lookUp(chartValues, "cache", "enabled");
    return enabled.kind === "unknown" || (enabled.kind === "known" && enabled.value === true);
}

function findProblem({ sources }: ExportRelease, minMirrorLinkSeconds: number): string | undefined {
    const mirrors = sources.filter(isMirror);
    const short = mirrors.find((mirror) => isShort(mirror, minMirrorLinkSeconds));
    if (short !== undefined) {
        return (
            `serves a link of ${describeResource("BundleMirror", short.urn)} that expires too early for pods that start ` +
            `later. Give the mirror a publicUrl, or an urlExpirySeconds of at least ${minMirrorLinkSeconds}.`
        );
    }
    const bundle = sources.find((each) => isBundle(each) && !isRenewedInTime(each));
    if (mirrors.length > 0 || bundle === undefined) {
        return undefined;
    }
    return (
        `serves the link of ${describeResource("StaticExportBundle", bundle.urn)}, which expires before anything renews ` +
        "the link: a pod that starts after its expiry has no site. Set renewBeforeSeconds to more than the time " +
        "between two runs of pulumi up, put a BundleMirror between them, or set the chart's cache.enabled to true."
    );
}

function isShort({ props }: PolicyResource, minSeconds: number): boolean {
    const expiry = lookUp(props, "urlExpirySeconds");
    return lookUp(props, "publicUrl").kind === "absent" && isKnownNumber(expiry) && expiry.value < minSeconds;
}

function isRenewedInTime({ props }: PolicyResource): boolean {
    const renewLink = lookUp(props, "renewLink");
    if (renewLink.kind === "known" && renewLink.value === false) {
        return false;
    }
    const ahead = lookUp(props, "renewBeforeSeconds");
    return ahead.kind === "unknown" || (isKnownNumber(ahead) && ahead.value > 0);
}

function isKnownNumber(found: ReturnType<typeof lookUp>): found is { kind: "known"; value: number } {
    return found.kind === "known" && typeof found.value === "number";
}
