import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** Which chart is installed. */
export interface SiteChart {
    /** Folder relative to the program, `oci://…`, or the name of a chart in `repository`. */
    chart: string;
    /** Version of a chart that does not lie in a folder. */
    version?: string;
    /** Address of an HTTP chart repository. */
    repository?: string;
}

/**
 * Why a chart cannot be used, or undefined.
 *
 * @param programFolder - where a relative path begins; without it a folder is not looked for
 */
export function findChartProblem(
    { chart, version, repository }: SiteChart,
    programFolder?: string,
): string | undefined {
    if (isAbsolute(chart)) {
        return (
            `chart must not be an absolute path, got ${chart}: it stands in the state and differs on every machine, ` +
            "which would show a difference on each. Give a path relative to the program, or an oci:// address"
        );
    }
    if (chart.startsWith("oci://") && version === undefined) {
        return `chart ${chart} needs chartVersion: without it every run may install another chart`;
    }
    if (repository !== undefined && version === undefined) {
        return `chart ${chart} of ${repository} needs chartVersion: without it every run may install another chart`;
    }
    return programFolder !== undefined && /^\.{1,2}(\/|$)/.test(chart) ? findMissing(chart, programFolder) : undefined;
}

/** Helm looks for a chart when it is installed, and that is after the export job. */
function findMissing(chart: string, programFolder: string): string | undefined {
    const path = join(programFolder, chart);
    return existsSync(chart.endsWith(".tgz") ? path : join(path, "Chart.yaml"))
        ? undefined
        : `no chart lies at ${chart}, seen from the program's folder ${programFolder}. Leave chart out to use the one ` +
              "that comes with this package, or name a folder with a Chart.yaml";
}

/** What the pods of this project's chart accept: a bundle that they would refuse is refused before the rollout. */
export function bundleLimits(values: Record<string, unknown> = {}): BundleLimits {
    const limits = recordOf(recordOf(values.fetch).limits);
    const { bundleMiB, siteMiB, files } = { ...defaultLimits, ...limits };
    return {
        ...(typeof siteMiB === "number" ? { maxBytes: siteMiB * 1024 * 1024 } : {}),
        ...(typeof bundleMiB === "number" ? { maxArchiveBytes: bundleMiB * 1024 * 1024 } : {}),
        ...(typeof files === "number" ? { maxFiles: files } : {}),
        refuseLinks: true,
    };
}

/** As in the chart's values.yaml. */
const defaultLimits = { bundleMiB: 2048, siteMiB: 4096, files: 200_000 };

export interface BundleLimits {
    maxBytes?: number;
    maxArchiveBytes?: number;
    maxFiles?: number;
    refuseLinks?: true;
}

function recordOf(value: unknown): Record<string, unknown> {
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
