import { isAbsolute } from "node:path";

/** Which chart is installed. */
export interface SiteChart {
    /** Folder relative to the program, `oci://…`, or the name of a chart in `repository`. */
    chart: string;
    /** Version of a chart that does not lie in a folder. */
    version?: string;
    /** Address of an HTTP chart repository. */
    repository?: string;
}

export const defaultChart = "./charts/documentation-site";

/** Why a chart cannot be used, or undefined. */
export function findChartProblem({ chart, version, repository }: SiteChart): string | undefined {
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
    return undefined;
}

/**
 * What the pods of this project's chart accept, so that a bundle that they would refuse is refused before the rollout.
 * Nothing is known of other charts.
 */
export function bundleLimits(chart: string, values: Record<string, unknown> = {}): BundleLimits {
    if (!takesDigest(chart)) {
        return {};
    }
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

/** Whether it is this project's chart, wherever it was copied to: only that one is known to take a digest. */
export function takesDigest(chart: string): boolean {
    return /(^|\/)documentation-site\/?$/.test(chart);
}
