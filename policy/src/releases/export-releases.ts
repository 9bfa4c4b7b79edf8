import type { PolicyResource } from "@pulumi/policy";
import { knownString } from "../resources/look-up.js";
import { isBundle, isExportJob, isMirror, releaseType } from "@pulumi-static-export/contract";
import { type ReleaseSection, findReleaseSections } from "./release-sections.js";

/** A Helm release of a stack that serves an export, and the sources of its values. */
export interface ExportRelease {
    readonly release: PolicyResource;
    readonly sections: readonly ReleaseSection[];
    /** The bundles and mirrors whose outputs the values contain. */
    readonly sources: readonly PolicyResource[];
    /** The other resources whose outputs the values contain. */
    readonly others: readonly PolicyResource[];
    /**
     * Whether every value that comes from a resource is known. A preview omits unknown values, so a missing value
     * proves nothing.
     */
    readonly isSettled: boolean;
}

export function findExportReleases(resources: readonly PolicyResource[]): ExportRelease[] {
    return resources
        .filter(({ type }) => type === releaseType)
        .map((release) => {
            const from = release.propertyDependencies.values ?? [];
            const sources = from.flatMap((each) => exportsOf(each, resources));
            const others = from.filter((each) => exportsOf(each, resources).length === 0);
            const sections = findReleaseSections(release.props, { comesFromExport: sources.length > 0 });
            return { release, sections, sources, others, isSettled: others.length === 0 && sources.every(hasItsLink) };
        })
        .filter(({ sections }) => sections.length > 0);
}

/** Returns the bundles among the sources, and the exports that mirrors copy. */
export function bundlesBehind(sources: readonly PolicyResource[]): PolicyResource[] {
    return sources.flatMap((source) => (isMirror(source) ? exportsOfJob(source) : [source]));
}

/** Returns the exports whose job a resource uses, or the resource itself if the stack does not declare the job. */
export function exportsOfJob(resource: PolicyResource): PolicyResource[] {
    const jobs = (resource.propertyDependencies.jobId ?? []).filter((each) => isBundle(each) || isExportJob(each));
    return jobs.length > 0 ? jobs : [resource];
}

/** Returns the source itself if it is a bundle or a mirror, or the bundles and mirrors in it if it is a component. */
function exportsOf(source: PolicyResource, resources: readonly PolicyResource[]): PolicyResource[] {
    return isExport(source) ? [source] : resources.filter((each) => isExport(each) && isBelow(each, source));
}

function isExport(resource: PolicyResource): boolean {
    return isBundle(resource) || isMirror(resource);
}

function isBelow(resource: PolicyResource, ancestor: PolicyResource): boolean {
    for (let parent = resource.parent; parent !== undefined; parent = parent.parent) {
        if (parent === ancestor) {
            return true;
        }
    }
    return false;
}

/** Returns the link of a bundle or mirror; undefined in a preview if the resource is about to change. */
export function linkOf(source: PolicyResource): string | undefined {
    return knownString(source.props, isMirror(source) ? "url" : "bundleUrl");
}

/** Returns false in a preview that creates or changes the export. */
export function hasItsLink(source: PolicyResource): boolean {
    return linkOf(source) !== undefined;
}
