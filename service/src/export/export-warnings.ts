import { describePlace, type KeptWarning } from "../site/index.js";
import { type ExportWarning, type ExportWarnings } from "../store/export-warnings.js";

/** The number of warnings that a job's record holds. */
const mostWarnings = 100;

/** The warnings of an export as its job has them. */
export function toExportWarnings(
    warnings: readonly KeptWarning[],
    countByKind: Readonly<Record<string, number>>,
): ExportWarnings {
    return {
        count: Object.values(countByKind).reduce((sum, count) => sum + count, 0),
        countByKind: { ...countByKind },
        first: warnings.slice(0, mostWarnings).map(toExportWarning),
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
