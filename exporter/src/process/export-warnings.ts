import { describePlace, type ExportWarning, maxJobWarnings } from "@pulumi-static-export/contract";
import { type KeptWarning, type CountedWarnings } from "../problems/warnings.js";

/** The warnings of an export as its job has them. */
export function toExportWarnings(
    warnings: readonly KeptWarning[],
    countByKind: Readonly<Record<string, number>>,
): CountedWarnings {
    return {
        count: Object.values(countByKind).reduce((sum, count) => sum + count, 0),
        countByKind: { ...countByKind },
        first: warnings.slice(0, maxJobWarnings).map(toExportWarning),
    };
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
