import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** Which chart is installed. */
export interface SiteChart {
    /** A folder relative to the program, an `oci://` URL, or the name of a chart in `repository`. */
    chart: string;
    /** The version of a chart that is not a local folder. */
    version?: string;
    /** URL of an HTTP chart repository. */
    repository?: string;
}

/** Returns the chart that the inputs of a component select. */
export function siteChart({ chart, chartVersion, chartRepository }: ChartInputs): SiteChart {
    return {
        chart,
        ...(chartVersion === undefined ? {} : { version: chartVersion }),
        ...(chartRepository === undefined ? {} : { repository: chartRepository }),
    };
}

export interface ChartInputs {
    chart: string;
    chartVersion?: string | undefined;
    chartRepository?: string | undefined;
}

/** The inputs of a component for its Helm release: `Input`s in a program, and resolved values in the plugin. */
interface ReleaseOptions<Text, Count> {
    releaseName?: Text | undefined;
    namespace?: Text | undefined;
    rolloutTimeoutSeconds?: Count | undefined;
}

/** Returns the inputs of a component's Helm release, in a program and in the plugin. */
export function releaseInputs<Text, Count, Values>(
    name: string,
    { releaseName, namespace, rolloutTimeoutSeconds }: ReleaseOptions<Text, Count>,
    { chart, version, repository }: SiteChart,
    values: Values,
) {
    return {
        name: releaseName ?? name,
        namespace: namespace ?? "default",
        chart,
        ...(version === undefined ? {} : { version }),
        ...(repository === undefined ? {} : { repositoryOpts: { repo: repository } }),
        values,
        // Rolls back a rollout that fails or exceeds its deadline, so that nothing stays half-installed or locked.
        atomic: true,
        cleanupOnFail: true,
        timeout: rolloutTimeoutSeconds ?? 600,
        maxHistory: 5,
    };
}

/**
 * Returns why a chart cannot be used, or undefined.
 *
 * @param programFolder - the base of relative paths; without it, a local chart is not checked
 */
export function findChartProblem(
    { chart, version, repository }: SiteChart,
    programFolder?: string,
): string | undefined {
    if (isAbsolute(chart)) {
        return (
            `chart must not be an absolute path, got ${chart}: the path is stored in the state and differs between ` +
            "machines, which would cause a diff. Use a path relative to the program, or an oci:// URL"
        );
    }
    if (chart.startsWith("oci://") && version === undefined) {
        return `chart ${chart} needs chartVersion: without it, each run may install another version`;
    }
    if (repository !== undefined && version === undefined) {
        return `chart ${chart} of ${repository} needs chartVersion: without it, each run may install another version`;
    }
    return programFolder !== undefined && /^\.{1,2}(\/|$)/.test(chart) ? findMissing(chart, programFolder) : undefined;
}

/** Looks for a local chart early, because Helm does so only after the export job. */
function findMissing(chart: string, programFolder: string): string | undefined {
    const path = join(programFolder, chart);
    return existsSync(chart.endsWith(".tgz") ? path : join(path, "Chart.yaml"))
        ? undefined
        : `there is no chart at ${chart}, relative to the program's folder ${programFolder}. Omit chart to use the ` +
              "one in this package, or name a folder with a Chart.yaml";
}

/** Returns the limits of the chart's pods, so that a bundle is refused before the rollout instead of in the pods. */
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

/** The same defaults as in the chart's values.yaml. */
const defaultLimits = { bundleMiB: 2048, siteMiB: 4096, files: 1_000_000 };

export interface BundleLimits {
    maxBytes?: number;
    maxArchiveBytes?: number;
    maxFiles?: number;
    refuseLinks?: true;
}

/**
 * Returns the properties of a value, or none if the value is not an object. For an Output, returns the properties of
 * its future value.
 */
export function recordOf(value: unknown): Record<string, unknown> {
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
