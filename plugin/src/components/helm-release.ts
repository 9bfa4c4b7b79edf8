import { type ChartInputs, releaseInputs, type SiteChart, siteChart } from "pulumi-static-export/plugin-entry";
import type { Properties } from "../wire/properties.js";
import type { ComponentInputs } from "./component.js";
import type { WireProperties } from "./resource-monitor.js";

/** The inputs that select a component's chart. */
export const chartInputs = ["chart", "chartVersion", "chartRepository"];

/** Returns the chart of a component. The schema contains the types of the component's inputs. */
export function chartOf(values: Properties): SiteChart {
    return siteChart(values as unknown as ChartInputs);
}

/** Returns the inputs of the component's Helm release, in the protocol's form. */
export function wireReleaseInputs(
    name: string,
    { values, wire }: ComponentInputs,
    chartValues: unknown,
): WireProperties {
    return releaseInputs(name, wire, chartOf(values), chartValues);
}
