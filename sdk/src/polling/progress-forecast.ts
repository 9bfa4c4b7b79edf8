import { fitProgressLine, type ProgressPoint } from "./progress-line.js";

/** What the progress of a job so far says about its end. */
export interface ProgressForecast {
    /** Best guess of the time left; 0 when the job tells 100 %. */
    readonly remainingMs: number;
    /** By how much the guess may well be wrong. */
    readonly marginMs: number;
    /** Share (0–1) by which the job lately advanced less than forecast: one that slows down ends later than a line says. */
    readonly slowing: number;
    /** Samples that told of any progress. */
    readonly samples: number;
}

export interface ProgressForecaster {
    /** Takes the progress in percent told at a time not before the last one's; undefined while it says nothing of the end. */
    add(atMs: number, progress: number): ProgressForecast | undefined;
    /** How many forecasts came true, less those that broke: above 0, the next one deserves trust. */
    readonly trust: number;
    /** Whether a forecast is but a hint: progress leapt, stalled or went back, and has not made up for it since. */
    readonly isErratic: boolean;
    /** How many samples in a row told no more than was told before. */
    readonly stillSamples: number;
}

interface Expectation extends ProgressPoint {
    readonly perMs: number;
    readonly deviation: number;
}

/** The line is laid through the samples of this last share of the time watched, because pace changes. */
const windowShare = 0.22;
/** The line spans at least this many percentage points, because told progress is rounded. */
const leastSpan = 7;
/** Falling back by less (percentage points) is noise. */
const leastSetback = 5;
const mostPoints = 64;
/** A pace at which a job would take over a month is no pace: rounding, or progress that all but stands still. */
const leastPerMs = 100 / (30 * 86_400_000);

/** Follows the recent pace of a job to 100 %, and keeps account of how well that worked. */
export function createProgressForecaster(): ProgressForecaster {
    let points: ProgressPoint[] = [];
    let highest = -1;
    let previous: Expectation | undefined;
    let pledge: Expectation | undefined;
    let slowing = 0;
    let trust = 0;
    let stillSamples = 0;

    function breakTrust(): void {
        trust = Math.min(trust, 0) - 1;
        pledge = undefined;
    }

    /** Judges the oldest forecast that is still open, once it foretold an advance that rounding cannot explain. */
    function judge(atMs: number, progress: number): void {
        if (pledge === undefined) {
            return;
        }
        const expected = pledge.perMs * (atMs - pledge.atMs);
        const actual = progress - pledge.progress;
        const noise = pledge.deviation / 2;
        if (actual > 1.6 * expected + 3 + noise) {
            breakTrust();
        } else if (expected >= 5 + noise) {
            if (actual <= 0.1 * expected) {
                breakTrust();
            } else if (actual >= 0.5 * expected - 1) {
                trust += 1;
            }
            pledge = undefined;
        }
    }

    /** Learns how much slower than forecast the job is; after a clear change of pace the time before it says nothing more. */
    function learnPace(atMs: number, progress: number): void {
        if (previous === undefined) {
            return;
        }
        const { atMs: sinceMs, deviation } = previous;
        const expected = previous.perMs * (atMs - sinceMs);
        const actual = progress - previous.progress;
        if (expected > 2 + deviation) {
            slowing = (slowing + Math.min(1, Math.max(-0.5, 1 - actual / expected))) / 2;
        }
        if (expected > 2.5 + 2 * deviation && actual < 0.75 * expected && actual >= 2) {
            points = points.filter((point) => point.atMs >= sinceMs);
        }
    }

    return {
        add(atMs, progress) {
            stillSamples = progress > highest ? 0 : stillSamples + 1;
            if (progress < highest - leastSetback) {
                points = [];
                highest = progress;
                previous = undefined;
                breakTrust();
            }
            highest = Math.max(highest, progress);
            judge(atMs, progress);
            learnPace(atMs, progress);
            points = thin([...points, { atMs, progress }]);
            const line = recentLine(points);
            previous = line && { atMs, progress, perMs: line.perMs, deviation: line.deviation };
            pledge ??= previous;
            if (line === undefined) {
                return undefined;
            }
            const reached = Math.max(progress, line.at(atMs));
            const remainingMs = Math.max(0, 100 - reached) / line.perMs;
            return {
                remainingMs,
                marginMs: 0.06 * remainingMs + (0.7 * Math.max(0.5, line.deviation)) / line.perMs,
                slowing: Math.max(0, slowing),
                samples: points.filter((point) => point.progress > 0).length,
            };
        },
        get trust() {
            return trust;
        },
        get isErratic() {
            return trust < 0;
        },
        get stillSamples() {
            return stillSamples;
        },
    };
}

/** A rising line through the latest samples, or through all of them where the latest do not rise. */
function recentLine(points: readonly ProgressPoint[]): ReturnType<typeof fitProgressLine> {
    const latest = points.at(-1);
    if (latest === undefined) {
        return undefined;
    }
    const sinceMs = latest.atMs - windowShare * (latest.atMs - (points[0]?.atMs ?? latest.atMs));
    const start = points.findLastIndex(
        (point) => point.atMs < sinceMs && point.progress <= latest.progress - leastSpan,
    );
    return [points.slice(Math.max(0, start)), points]
        .map(fitProgressLine)
        .find((line) => line !== undefined && line.perMs > leastPerMs);
}

/** Drops every second sample of the older half when there are too many, so that the window keeps its length. */
function thin(points: ProgressPoint[]): ProgressPoint[] {
    return points.length <= mostPoints
        ? points
        : points.filter((_, index) => index % 2 === 0 || index > mostPoints / 2);
}
