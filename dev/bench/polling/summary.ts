import { type Comparison } from "./measure.js";
import { type Outcome } from "./simulate.js";
import { type Family } from "./traces.js";

export interface Bucket {
    readonly name: string;
    readonly fromMs: number;
    readonly toMs: number;
}

const minuteMs = 60_000;

export const everyLength: Bucket = { name: "all", fromMs: 0, toMs: Infinity };

export const buckets: readonly Bucket[] = [
    { name: "2–10 s", fromMs: 0, toMs: 10_000 },
    { name: "10–60 s", fromMs: 10_000, toMs: minuteMs },
    { name: "1–5 min", fromMs: minuteMs, toMs: 5 * minuteMs },
    { name: "5–30 min", fromMs: 5 * minuteMs, toMs: 30 * minuteMs },
    { name: "30–120 min", fromMs: 30 * minuteMs, toMs: Infinity },
];

export interface PollerFigures {
    readonly medianMs: number;
    readonly p95Ms: number;
    readonly meanRequests: number;
}

export interface Summary {
    readonly family: Family;
    readonly bucket: string;
    readonly jobs: number;
    readonly adaptive: PollerFigures;
    readonly fixed: PollerFigures;
    /** The median delay, as a share of the allowed delay: 2 % of the job's length, but at least 500 ms. */
    readonly medianOfAllowed: number;
    /** The 95th percentile of the delay, as a share of the allowed delay: 5 % of the job's length, but at least 2 s. */
    readonly p95OfAllowed: number;
    /** Requests of both pollers for jobs that take more than a minute. */
    readonly longJobRequests: { readonly adaptive: number; readonly fixed: number };
    /** The number of requests per job beyond those of the fixed poller: the 95th percentile and the maximum. */
    readonly extraRequests: { readonly p95: number; readonly max: number };
}

export function summarize(family: Family, bucket: Bucket, all: readonly Comparison[]): Summary {
    const chosen = all.filter(({ lengthMs }) => lengthMs >= bucket.fromMs && lengthMs < bucket.toMs);
    const long = chosen.filter(({ lengthMs }) => lengthMs > minuteMs);
    const extra = chosen.map(({ adaptive, fixed }) => adaptive.requests - fixed.requests);
    const total = (outcomes: readonly Outcome[]) => outcomes.reduce((sum, { requests }) => sum + requests, 0);
    return {
        family,
        bucket: bucket.name,
        jobs: chosen.length,
        adaptive: figures(chosen.map(({ adaptive }) => adaptive)),
        fixed: figures(chosen.map(({ fixed }) => fixed)),
        medianOfAllowed: quantile(
            chosen.map(({ adaptive, lengthMs }) => adaptive.noticeMs / Math.max(500, 0.02 * lengthMs)),
            0.5,
        ),
        p95OfAllowed: quantile(
            chosen.map(({ adaptive, lengthMs }) => adaptive.noticeMs / Math.max(2_000, 0.05 * lengthMs)),
            0.95,
        ),
        longJobRequests: {
            adaptive: total(long.map(({ adaptive }) => adaptive)),
            fixed: total(long.map(({ fixed }) => fixed)),
        },
        extraRequests: { p95: quantile(extra, 0.95), max: Math.max(...extra) },
    };
}

function figures(outcomes: readonly Outcome[]): PollerFigures {
    const notices = outcomes.map(({ noticeMs }) => noticeMs);
    return {
        medianMs: quantile(notices, 0.5),
        p95Ms: quantile(notices, 0.95),
        meanRequests: outcomes.reduce((sum, { requests }) => sum + requests, 0) / outcomes.length,
    };
}

/** Returns the nearest-rank quantile of the values, such as the median for the share 0.5. */
export function quantile(values: readonly number[], share: number): number {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
