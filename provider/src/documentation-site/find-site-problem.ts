import { findChartProblem } from "./chart.js";
import { findUnsupported } from "./feature-support.js";
import { findReleaseProblem, type ReleasePlan } from "./find-release-problem.js";
import { type AccessInputs, findAccessProblem } from "./site-access.js";
import { type AnswerInputs, findAnswerProblem } from "./site-answer.js";

/** The inputs that determine whether a site can be deployed. */
interface SiteInputs extends AccessInputs, AnswerInputs, Omit<ReleasePlan, "values"> {
    mirror?: unknown;
    separateStart?: unknown;
    jobId?: unknown;
}

/**
 * Returns why a site cannot be deployed with these inputs, or undefined.
 *
 * @param name - of the component
 * @param programFolder - the base of relative paths; without it, a local chart is not checked
 */
export function findSiteProblem(name: string, site: SiteInputs, programFolder?: string): string | undefined {
    const { deploymentType, features, mirror, chart, separateStart, jobId } = site;
    return (
        findUnsupported(deploymentType, features) ??
        findChartProblem(chart, programFolder) ??
        findAccessProblem(site) ??
        findAnswerProblem(site) ??
        (deploymentType === "air-gapped" && mirror === undefined
            ? "an air-gapped deployment cannot reach the platform's link: set mirror to a bucket that its network can reach"
            : undefined) ??
        findReleaseProblem(name, site, programFolder) ??
        (separateStart && jobId !== undefined
            ? "separateStart starts a job, and jobId names one that was started already: remove one of them"
            : undefined)
    );
}
