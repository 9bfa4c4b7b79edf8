import type { PolicyResource } from "@pulumi/policy";
import { type ExportRelease, findExportReleases, linkOf } from "../../releases/export-releases.js";
import { type ReleaseSection, hasLink } from "../../releases/release-sections.js";
import { describeResource } from "../../resources/describe-resource.js";
import { knownString } from "../../resources/look-up.js";
import type { StackRule } from "../../resources/rule.js";

interface Config {
    allowedSources?: string[];
}

/**
 * The engine reports which resources a release's values come from. A link that comes from a resource either equals that
 * resource's link or ends in the same file name.
 */
export const releaseLinkSource: StackRule = {
    name: "release-link-source",
    description: "A release takes its link from a StaticExportBundle or a BundleMirror, and not from a literal.",
    why: "A literal link expires, and the program contains it in plaintext.",
    enforcementLevel: "mandatory",
    severity: "high",
    configSchema: {
        properties: {
            allowedSources: {
                type: "array",
                items: { type: "string" },
                default: [],
                description: "Type tokens of other resources that a link may come from, such as your own mirror.",
            },
        },
    },
    validateStack: (args, reportViolation) => {
        const { resources } = args;
        const { allowedSources = [] } = args.getConfig<Config>();
        for (const found of findExportReleases(resources)) {
            if (found.others.some(({ type }) => allowedSources.includes(type))) {
                continue;
            }
            for (const section of found.sections.filter((each) => isForeignLink(each, found))) {
                reportViolation(describe(found, section), found.release.urn);
            }
        }
    },
};

function isForeignLink(section: ReleaseSection, { sources }: ExportRelease): boolean {
    const { bundleUrl } = section;
    return hasLink(section) && bundleUrl.kind === "known" && !sources.some((each) => comesFrom(bundleUrl.value, each));
}

/**
 * Whether a link is the resource's link or derived from it: a proxy in front of the storage preserves at least the file
 * name.
 */
function comesFrom(link: unknown, source: PolicyResource): boolean {
    const original = linkOf(source);
    if (original === undefined || typeof link !== "string") {
        return false;
    }
    const marks = [lastSegment(original), knownString(source.props, "jobId")];
    return link === original || marks.some((mark) => mark !== undefined && mark.length > 3 && link.includes(mark));
}

function lastSegment(link: string): string | undefined {
    return URL.canParse(link) ? new URL(link).pathname.split("/").pop() : undefined;
}

function describe({ release, sources, others }: ExportRelease, { place }: ReleaseSection): string {
    const subject = `${describeResource("Release", release.urn)} has a link in ${place}.bundleUrl`;
    const advice =
        `Set ${place}.bundleUrl to the bundleUrl of a StaticExportBundle, or to the url of a BundleMirror, ` +
        "which renew their links.";
    if (sources.length > 0) {
        return (
            `${subject} from a different export than its other values. ${advice} ` +
            "Take the whole section from one export."
        );
    }
    if (others.some(({ type }) => type === "pulumi:pulumi:StackReference")) {
        return (
            `${subject} that comes from another stack, so nothing renews it here. Declare a StaticExportBundle with ` +
            "the jobId of that stack's export: the bundle starts no export, and has its own link."
        );
    }
    return `${subject} that comes from no export of this stack, so it expires and nothing renews it. ${advice}`;
}
