import { type ChartInputs, type SiteChart, siteChart } from "pulumi-static-export/plugin-entry";
import type { Properties } from "../wire/properties.js";
import type { ComponentInputs } from "./component.js";
import type { WireProperties } from "./resource-monitor.js";

/** The inputs of every component that say which chart is installed. */
export const chartInputs = ["chart", "chartVersion", "chartRepository"];

/** The chart of a component; the schema has the types of its inputs. */
export function chartOf(values: Properties): SiteChart {
    return siteChart(values as unknown as ChartInputs);
}

/** The inputs of the Helm release that a component consists of. */
export function releaseInputs(name: string, { values, wire }: ComponentInputs, chartValues: unknown): WireProperties {
    const { chart, version, repository } = chartOf(values);
    return {
        name: wire["releaseName"] ?? name,
        namespace: wire["namespace"] ?? "default",
        chart,
        ...(version === undefined ? {} : { version }),
        ...(repository === undefined ? {} : { repositoryOpts: { repo: repository } }),
        values: chartValues,
        // Rolls a failed rollout back by a deadline and leaves nothing half-installed or locked.
        atomic: true,
        cleanupOnFail: true,
        timeout: wire["rolloutTimeoutSeconds"] ?? 600,
        maxHistory: 5,
    };
}
