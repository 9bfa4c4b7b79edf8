import { type Summary } from "./summary.js";

const extraRequestsAllowed = 5;

/**
 * Lists the bounds of issue 4 that the adaptive poller exceeds, according to a summary.
 * `tolerance` is the share by which a figure may exceed the fixed poller's figure because it comes from few jobs.
 */
export function brokenBounds(summary: Summary, tolerance = 0): string[] {
    const { family, adaptive, fixed } = summary;
    const broken: string[] = [];
    const demand = (holds: boolean, sentence: string) => {
        if (!holds) {
            broken.push(`${family}, ${summary.bucket}: ${sentence}`);
        }
    };
    if (family === "steady" || family === "front-loaded") {
        const { medianOfAllowed, p95OfAllowed, longJobRequests } = summary;
        demand(medianOfAllowed <= 1, `the median notice is ${percent(medianOfAllowed)} of 2 % or 500 ms`);
        demand(p95OfAllowed <= 1, `the p95 notice is ${percent(p95OfAllowed)} of 5 % or 2 s`);
        demand(
            longJobRequests.adaptive <= longJobRequests.fixed,
            `jobs over a minute cost ${longJobRequests.adaptive} requests, not ${longJobRequests.fixed}`,
        );
    } else {
        const limit = 1 + tolerance;
        demand(adaptive.medianMs <= limit * fixed.medianMs, `the median notice is worse than the fixed poller's`);
        demand(adaptive.p95Ms <= limit * fixed.p95Ms, `the p95 notice is worse than the fixed poller's`);
        const extra = adaptive.meanRequests - fixed.meanRequests;
        demand(extra <= extraRequestsAllowed, `a job costs ${extra.toFixed(1)} requests more than the fixed poller's`);
    }
    return broken;
}

/**
 * Returns two standard errors of the median of evenly spread delays. A smaller difference is not significant for this
 * number of jobs.
 */
export const chance = (jobs: number): number => 2 / Math.sqrt(jobs);

export const percent = (share: number): string => `${Math.round(100 * share)} %`;
