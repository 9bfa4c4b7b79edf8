import { describeResource } from "../../resources/describe-resource.js";
import { findExportReleases, hasItsLink } from "../../releases/export-releases.js";
import { type ReleaseSection, findReleaseSections, hasLink, isEnabled } from "../../releases/release-sections.js";
import { releaseType } from "@pulumi-static-export/contract";
import type { ResourceRule, StackRule } from "../../resources/rule.js";

/**
 * A known link is checked before the release is touched. A preview omits an unknown link, so a missing link is checked
 * with the whole stack, which shows where the values come from.
 */
export const releaseLinkEnabled: ResourceRule & StackRule = {
    name: "release-link-enabled",
    description:
        "A release with a bundle's link enables the static export, " +
        "and a release that enables the static export has a link.",
    why: "A chart ignores a link unless enabled is true, and needs a link to serve anything.",
    enforcementLevel: "mandatory",
    severity: "high",
    configSchema: { properties: {} },
    validateResource: ({ type, props, urn }, reportViolation) => {
        const sections = type === releaseType ? findReleaseSections(props) : [];
        for (const section of sections.filter((each) => hasLink(each) && isSwitchedOff(each))) {
            reportViolation(switchedOff(urn, section.place));
        }
    },
    validateStack: ({ resources }, reportViolation) => {
        for (const { release, sections, sources, isSettled } of findExportReleases(resources)) {
            for (const section of sections.filter((each) => !hasLink(each))) {
                if (isEnabled(section) && isSettled) {
                    reportViolation(withoutLink(release.urn, section.place), release.urn);
                } else if (section.enabled.kind === "known" && isSwitchedOff(section) && !sources.every(hasItsLink)) {
                    reportViolation(switchedOff(release.urn, section.place), release.urn);
                }
            }
        }
    },
};

/** An unknown value may still be true. */
function isSwitchedOff(section: ReleaseSection): boolean {
    return section.enabled.kind !== "unknown" && !isEnabled(section);
}

function switchedOff(urn: string, place: string): string {
    return (
        `${describeResource("Release", urn)} has a link in ${place}.bundleUrl, but ${place}.enabled is not true, ` +
        `so its chart serves no export. Set ${place}.enabled to true, or remove the link.`
    );
}

function withoutLink(urn: string, place: string): string {
    return (
        `${describeResource("Release", urn)} sets ${place}.enabled to true without a link, so its pods have nothing ` +
        `to serve. Set ${place}.bundleUrl to the bundleUrl of a StaticExportBundle, or to the url of a BundleMirror.`
    );
}
