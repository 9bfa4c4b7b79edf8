import { createPollInterval } from "../../../sdk/src/polling/poll-interval.js";
import { createRandom } from "./random.js";
import { fixedPolling, simulate, type Outcome } from "./simulate.js";
import { createTrace, families, type Family } from "./traces.js";

export interface Comparison {
    readonly lengthMs: number;
    readonly adaptive: Outcome;
    readonly fixed: Outcome;
}

export const shortestMs = 2_000;
export const maxMs = 2 * 3_600_000;

/**
 * Runs both pollers on the same jobs, whose lengths are spread evenly (on a log scale) from 2 s to 2 h. Each of `jobs`
 * equal strata contains one length, so that neither poller benefits from how the lengths fall between polls.
 */
export function compare(family: Family, jobs: number, seed: number): Comparison[] {
    const familySeed = createRandom(seed + families.indexOf(family))() * 2 ** 32;
    return Array.from({ length: jobs }, (_, index) => {
        const jobSeed = familySeed + index;
        const stratum = (index + createRandom(jobSeed)()) / jobs;
        const lengthMs = shortestMs * (maxMs / shortestMs) ** stratum;
        // Each reading draws new noise, so each poller gets its own copy of the same job.
        const trace = () => createTrace(family, lengthMs, createRandom(jobSeed + 1));
        const interval = createPollInterval({ random: createRandom(jobSeed + 2) });
        return {
            lengthMs,
            adaptive: simulate(trace(), (sample) => interval.next(sample)),
            fixed: simulate(trace(), fixedPolling),
        };
    });
}
