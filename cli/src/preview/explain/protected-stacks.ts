import {
    defaultProtectedStacks as defaultStacks,
    isBundle,
    matchesStack,
    releaseType,
    siteType,
} from "@pulumi-static-export/contract";
import { declaresExport, findExportSection } from "./find-export-section.js";
import { type PolicyLevel, type PolicyResult } from "../log/policy-results.js";
import { type ResourceChange } from "../log/resource-change.js";

/** The stacks in which deletions of sites are reported, and whether a deletion fails the check. */
export interface ProtectedStacks {
    /** Names of stacks; `*` matches any characters. */
    stacks: readonly string[];
    level: Exclude<PolicyLevel, "remediated">;
}

/** The default is the same as in the policy pack's rule about replacements. */
export const defaultProtectedStacks: ProtectedStacks = { stacks: defaultStacks, level: "advisory" };

/**
 * The deletions of sites and exports in protected stacks, as results of a rule. A policy pack cannot contain this rule,
 * because the engine passes only declared resources to it.
 */
export function findDeletions(
    all: readonly ResourceChange[],
    stack: string,
    { stacks, level }: ProtectedStacks = defaultProtectedStacks,
): PolicyResult[] {
    if (!matchesStack(stack, stacks)) {
        return [];
    }
    const sites = new Set(all.filter((change) => change.type === siteType && isDeleted(change)).map(({ urn }) => urn));
    const comesFromExport = declaresExport(all);
    return all.flatMap((change) => {
        const what = describe(change, comesFromExport);
        // A site is deleted with all its parts, but reported only once.
        const isPart = change.parent !== undefined && sites.has(change.parent);
        return what === undefined || isPart ? [] : [resultOf(change, what, level)];
    });
}

function describe(change: ResourceChange, comesFromExport: boolean): string | undefined {
    if (isBundle(change) && isDeleted(change)) {
        return "This export is deleted in a protected stack: nothing renews its link any more";
    }
    if (change.type === siteType && isDeleted(change)) {
        return "This site is deleted in a protected stack, and its release with it";
    }
    if (change.type === releaseType && servedExport(change, comesFromExport)) {
        return isDeleted(change)
            ? "This release is uninstalled in a protected stack, and its site with it"
            : change.kind === "replace"
              ? "This release is replaced in a protected stack: its site is down until the new one is installed"
              : undefined;
    }
    return undefined;
}

function resultOf({ urn, name }: ResourceChange, what: string, level: ProtectedStacks["level"]): PolicyResult {
    const message = `${what}. Check that the change is intended; with protect: true, Pulumi refuses deletions.`;
    return { level, policy: "no-deletion", pack: "", severity: "high", resource: { urn, name }, message };
}

function isDeleted({ kind }: ResourceChange): boolean {
    return kind === "delete" || kind === "forget";
}

function servedExport({ old }: ResourceChange, comesFromExport: boolean): boolean {
    return findExportSection(old?.inputs["values"], comesFromExport).section["enabled"] === true;
}
