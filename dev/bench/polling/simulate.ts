import { type PollSample } from "../../../sdk/src/polling/poll-interval.js";
import { type JobTrace } from "./traces.js";

/** The delay in ms from one response to the next request. */
export type Strategy = (sample: PollSample) => number;

export interface Outcome {
    /** The time from the end of the job until the poller has the response that reports it. */
    readonly noticeMs: number;
    readonly requests: number;
}

/**
 * The plain loop for comparison, `while status is not completed; do sleep 10; done`, but without the limit of 60 polls.
 */
export const fixedPolling: Strategy = () => 10_000;

/**
 * Runs one poller on one job, on a virtual clock. The poller sends its first request immediately; the service answers
 * half a round trip later.
 */
export function simulate(trace: JobTrace, strategy: Strategy): Outcome {
    let nowMs = 0;
    for (let requests = 1; ; requests += 1) {
        const servedMs = nowMs + trace.latencyMs / 2;
        nowMs += trace.latencyMs;
        if (servedMs >= trace.lengthMs) {
            return { noticeMs: nowMs - trace.lengthMs, requests };
        }
        nowMs += strategy({ nowMs, progress: trace.progressAt(servedMs) });
    }
}
