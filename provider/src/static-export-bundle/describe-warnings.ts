import { countPlaces, describeExportWarning, type StaticExportJob } from "@pulumi-static-export/sdk";

/** Pulumi's output is about the whole stack: a long list would hide the rest. */
const maxShown = 10;

/** Lines about the mistakes of a site: how many there are, and the first ones. */
export function describeWarnings({ jobId, warnings }: StaticExportJob): string[] {
    if (warnings === undefined || warnings.count === 0) {
        return [];
    }
    const { count, first } = warnings;
    const shown = first.slice(0, maxShown);
    return [
        `the site has ${count} ${count === 1 ? "warning" : "warnings"}`,
        ...shown.map((warning) => `warning: ${describeExportWarning(warning)}`),
        ...(count > countPlaces(shown) ? [`see the others with: static-export job ${jobId}`] : []),
    ];
}
