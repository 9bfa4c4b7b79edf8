import type { PolicyResource } from "@pulumi/policy";
import { bundlesBehind, type ExportRelease, findExportReleases } from "../../releases/export-releases.js";
import { type ReleaseSection, isEnabled } from "../../releases/release-sections.js";
import { describeResource } from "../../resources/describe-resource.js";
import { lookUp } from "../../resources/look-up.js";
import { isExportJob, isMirror } from "@pulumi-static-export/contract";
import { isNamedStack, type StacksConfig, stacksSchema } from "../../resources/stacks.js";
import type { StackRule } from "../../resources/rule.js";

export const releaseVersionMatches: StackRule = {
    name: "release-version-matches",
    description:
        "The version of a release's staticExport section is the version or the job of its bundle. In the named " +
        "stacks, a version is required.",
    why: "A version that differs from the bundle's version hides a new export, or restarts pods unnecessarily.",
    enforcementLevel: "mandatory",
    severity: "medium",
    configSchema: { properties: stacksSchema },
    validateStack: (args, reportViolation) => {
        const { resources } = args;
        const config = args.getConfig<StacksConfig>();
        for (const found of findExportReleases(resources).filter(({ sources }) => sources.length > 0)) {
            for (const section of found.sections) {
                const problem = findProblem(found, section, isNamedStack(found.release.urn, config));
                if (problem !== undefined) {
                    reportViolation(problem, found.release.urn);
                }
            }
        }
    },
};

function findProblem(found: ExportRelease, section: ReleaseSection, isPinned: boolean): string | undefined {
    const { version, place } = section;
    const subject = describeResource("Release", found.release.urn);
    if (version.kind === "absent") {
        return isPinned && found.isSettled && isEnabled(section)
            ? `${subject} has no ${place}.version, so nothing pins the export that it serves. ` +
                  `Set ${place}.version to the version or the jobId of its StaticExportBundle.`
            : undefined;
    }
    const labels = [...bundlesBehind(found.sources).flatMap(labelsOf), ...found.sources.flatMap(pinOf)];
    if (version.kind === "unknown" || labels.includes(undefined) || labels.includes(textOf(version.value))) {
        return undefined;
    }
    return (
        `${subject} has a ${place}.version that is neither the version nor the job of the bundle that its link comes ` +
        `from. Set ${place}.version to the version of that StaticExportBundle, or to its jobId.`
    );
}

/**
 * Returns the correct versions, with undefined for an unknown version. If a StaticExportJob starts the bundle's job,
 * that resource contains the version.
 */
function labelsOf(bundle: PolicyResource): (string | undefined)[] {
    const jobs = (bundle.propertyDependencies.jobId ?? []).filter(isExportJob);
    return [bundle, ...jobs].flatMap((each) => ["version", "jobId"].flatMap((key) => labelOf(each, key)));
}

/** Returns the earlier job that a mirror serves. */
function pinOf(source: PolicyResource): (string | undefined)[] {
    return isMirror(source) ? labelOf(source, "pin") : [];
}

function labelOf({ props }: PolicyResource, key: string): (string | undefined)[] {
    const found = lookUp(props, key);
    return found.kind === "absent" ? [] : [found.kind === "known" ? textOf(found.value) : undefined];
}

/** YAML turns a version such as 2026 into a number. */
function textOf(value: unknown): string {
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
