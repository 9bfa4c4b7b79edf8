import { countPlaces, describeExportWarning, type StaticExportJob } from "@pulumi-static-export/sdk";

/** Pulumi's output is about the whole stack: a long list would hide the rest. */
const mostShown = 10;

/** Lines about mistakes in a site that was exported nevertheless: how many there are, and the first ones. */
export function describeWarnings({ jobId, warnings }: StaticExportJob): string[] {
    if (warnings === undefined || warnings.count === 0) {
        return [];
    }
    const { count, first } = warnings;
    const shown = first.slice(0, mostShown);
    return [
        `exported with ${count} ${count === 1 ? "warning" : "warnings"}`,
        ...shown.map((warning) => `warning: ${describeExportWarning(warning)}`),
        ...(count > countPlaces(shown) ? [`see the others with: static-export job ${jobId}`] : []),
    ];
}
