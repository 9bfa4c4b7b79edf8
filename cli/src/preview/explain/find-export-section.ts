import { findExportSections, isBundle, isMirror } from "@pulumi-static-export/contract";
import { asRecord, isSecret } from "../log/property-value.js";
import { type ResourceChange } from "../log/resource-change.js";

/** The `staticExport` section of a release's values, and the values without it. */
interface FoundSection {
    /** `staticExport`, or for example `docs.staticExport` if a dependency of the release's chart reads it. */
    readonly place: string;
    readonly section: Readonly<Record<string, unknown>>;
    readonly rest: Readonly<Record<string, unknown>>;
}

/**
 * Whether the values of the stack's releases may come from an export. A log does not contain dependencies, so all
 * values may come from an export if the stack declares one.
 */
export function declaresExport(all: readonly ResourceChange[]): boolean {
    return all.some((change) => isBundle(change) || isMirror(change));
}

/** The outermost section of the contract, or an empty one at the top level. */
export function findExportSection(values: unknown, comesFromExport: boolean): FoundSection {
    const record = asRecord(values);
    const [found] = findExportSections(record, { comesFromExport, read: readPlain });
    if (found !== undefined) {
        const { path, section } = found;
        return { place: path.join("."), section, rest: withoutPath(record, path) };
    }
    const { staticExport, ...rest } = record;
    const isEmpty = typeof staticExport === "object" && Object.keys(asRecord(staticExport)).length === 0;
    return { place: "staticExport", section: {}, rest: isEmpty ? rest : record };
}

function readPlain(values: Readonly<Record<string, unknown>>, key: string): unknown {
    return isSecret(values[key]) ? undefined : values[key];
}

function withoutPath(values: Record<string, unknown>, [key = "", ...path]: readonly string[]): Record<string, unknown> {
    const { [key]: inner, ...rest } = values;
    return path.length === 0 ? rest : { ...values, [key]: withoutPath(asRecord(inner), path) };
}
