import { findChartProblem, type SiteChart } from "./chart.js";
import { findUnsupported } from "./feature-support.js";
import { type AccessInputs, findAccessProblem } from "./site-access.js";
import { type AnswerInputs, findAnswerProblem } from "./site-answer.js";

/** The inputs that determine whether a site can be deployed. */
export interface SiteInputs extends AccessInputs, AnswerInputs {
    mirror?: unknown;
    chart: SiteChart;
}

/**
 * Returns why a site cannot be deployed with these inputs, or undefined.
 *
 * @param programFolder - the base of relative paths; without it, a local chart is not checked
 */
export function findSiteProblem({ mirror, chart, ...readers }: SiteInputs, programFolder?: string): string | undefined {
    const { deploymentType, features } = readers;
    return (
        findUnsupported(deploymentType, features) ??
        findChartProblem(chart, programFolder) ??
        findAccessProblem(readers) ??
        findAnswerProblem(readers) ??
        (deploymentType === "air-gapped" && mirror === undefined
            ? "an air-gapped deployment cannot reach the platform's link: set mirror to a bucket that its network can reach"
            : undefined)
    );
}

/** Returns why the site's export cannot be started with these inputs, or undefined. */
export function findStartProblem(start: { separateStart?: unknown; jobId?: unknown }): string | undefined {
    return start.separateStart && start.jobId !== undefined
        ? "separateStart starts a job, and jobId names one that was started already: remove one of them"
        : undefined;
}
