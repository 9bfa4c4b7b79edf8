import { isBundle, isMirror } from "@pulumi-static-export/contract";
import { type ExportChange } from "./explain-export.js";
import { type ResourceChange } from "../log/resource-change.js";

const stackType = "pulumi:pulumi:Stack";
/**
 * Whether the bundle behind a release's link is exported again. A log does not contain dependencies, so this function
 * compares the component, then the name, then whether all exports of the stack change alike. `undefined` if no link of
 * the stack changes.
 */
export function exportedAgainFor(
    release: ResourceChange,
    exports: readonly ExportChange[],
    all: readonly ResourceChange[],
): Fate | undefined {
    const sources = all.filter((each) => isSource(each) && each.kind !== "same" && each.kind !== "delete");
    const closest = [
        sources.filter(({ parent }) => parent === release.parent && !isStack(parent, all)),
        sources.filter(({ name }) => name === release.name),
        sources,
    ].find((candidates) => candidates.length > 0);
    const fates = closest?.map((source) => fateOf(source, exports));
    if (fates === undefined || fates.every((fate) => fate === "yes")) {
        return fates && "yes";
    }
    return fates.every((fate) => fate === "no") ? "no" : "perhaps";
}

function isSource(change: ResourceChange): boolean {
    return isBundle(change) || isMirror(change);
}

type Fate = "yes" | "no" | "perhaps";

/**
 * Whether the bundle of a link is exported again. A log does not say which bundle of the stack a mirror copies, so any
 * bundle counts.
 */
function fateOf(source: ResourceChange, exports: readonly ExportChange[]): Fate {
    if (!isBundle(source) && servesAnotherCopy(source)) {
        return "yes";
    }
    const behind = isBundle(source) ? exports.filter(({ urn }) => urn === source.urn) : exports;
    const another = behind.filter(yieldsAnother);
    return another.length === 0 ? "no" : another.every(({ effect }) => effect === "perhaps") ? "perhaps" : "yes";
}

/** Whether a mirror switches to the copy of an earlier job, or back. */
export function servesAnotherCopy({ kind, replacedBy }: ResourceChange): boolean {
    return kind === "replace" && replacedBy.includes("pin");
}

/** Whether an export may produce a bundle that differs from the one being served. */
export function yieldsAnother({ effect }: ExportChange): boolean {
    return effect === "export" || effect === "perhaps" || effect === "adopt" || effect === "resume";
}

function isStack(urn: string | undefined, all: readonly ResourceChange[]): boolean {
    return urn === undefined || all.some((each) => each.urn === urn && each.type === stackType);
}
