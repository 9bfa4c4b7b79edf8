import { describePlace, type ExportWarning, maxJobWarnings } from "@pulumi-static-export/contract";
import { type KeptWarning, type CountedWarnings } from "../problems/warning-log.js";

/** The number of warnings of each kind that fit into the job's list; other warnings fill the rest of the list. */
const minOfKind = 5;

/** The warnings of an export in the form of its job. */
export function toExportWarnings(
    warnings: readonly KeptWarning[],
    countByKind: Readonly<Record<string, number>>,
): CountedWarnings {
    return {
        count: Object.values(countByKind).reduce((sum, count) => sum + count, 0),
        countByKind: { ...countByKind },
        first: firstOfKinds(warnings).map(toExportWarning),
    };
}

/** Selects some warnings of each kind, in their original order. */
function firstOfKinds(warnings: readonly KeptWarning[]): KeptWarning[] {
    const seen = new Map<string, number>();
    const isEarly = warnings.map(({ kind }) => {
        const before = seen.get(kind) ?? 0;
        seen.set(kind, before + 1);
        return before < minOfKind;
    });
    let room = maxJobWarnings - isEarly.filter(Boolean).length;
    return warnings.filter((_, index) => isEarly[index] === true || room-- > 0);
}

function toExportWarning({ line, elsewhere, ...warning }: KeptWarning): ExportWarning {
    return {
        ...warning,
        ...(line !== undefined && { line }),
        ...(elsewhere && {
            places: 1 + elsewhere.count,
            alsoIn: elsewhere.places.map(describePlace),
        }),
    };
}
