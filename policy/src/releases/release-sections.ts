import { findExportSections, isRecord } from "@pulumi-static-export/contract";
import { visible } from "../resources/describe-resource.js";
import { type Finding, knownValue, lookUp, valueOf } from "../resources/look-up.js";

/** One `staticExport` section of a Helm release's values. */
export interface ReleaseSection {
    /**
     * The section's path in the release, for messages: `values.staticExport`, or `values.docs.staticExport` of a
     * subchart.
     */
    readonly place: string;
    readonly enabled: Finding;
    readonly bundleUrl: Finding;
    readonly version: Finding;
    /** The values of the chart that reads the section. */
    readonly chartValues: Readonly<Record<string, unknown>>;
}

/**
 * Finds the sections that a release's chart uses to consume an export. The Kubernetes provider has already merged the
 * values files. In a preview, that provider omits unknown values, so a missing value may still follow.
 * @param comesFromExport - whether the values come from an export, so that a section with unusual keys also counts
 */
export function findReleaseSections(
    release: Record<string, unknown>,
    { comesFromExport = false } = {},
): ReleaseSection[] {
    const values = knownValue(release, "values");
    if (!isRecord(values)) {
        return [];
    }
    return [...findExportSections(values, { comesFromExport, read: knownValue })].map(
        ({ path, section, chartValues }) => ({
            place: ["values", ...path.map(visible)].join("."),
            enabled: lookUp(section, "enabled"),
            bundleUrl: lookUp(section, "bundleUrl"),
            version: lookUp(section, "version"),
            chartValues,
        }),
    );
}

/** Whether the section contains a link that is not empty. */
export function hasLink({ bundleUrl }: ReleaseSection): boolean {
    return bundleUrl.kind === "unknown" || (bundleUrl.kind === "known" && bundleUrl.value !== "");
}

export function isEnabled({ enabled }: ReleaseSection): boolean {
    return valueOf(enabled) === true;
}
