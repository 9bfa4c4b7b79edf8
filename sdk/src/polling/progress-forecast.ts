/** The reported progress of a job at one time. */
interface ProgressPoint {
    readonly atMs: number;
    /** In percent. */
    readonly progress: number;
}

interface ProgressLine {
    /** Percentage points per millisecond. */
    readonly perMs: number;
    /** Standard deviation of the points from the line, in percentage points. */
    readonly deviation: number;
    at(atMs: number): number;
}

/** A forecast of a job's end, from its progress so far. */
export interface ProgressForecast {
    /** The estimated remaining time; 0 if the job reports 100 %. */
    readonly remainingMs: number;
    /** The expected error of the estimate. */
    readonly marginMs: number;
    /**
     * The share (0–1) by which recent progress was less than forecast: a job that slows down ends later than estimated.
     */
    readonly slowing: number;
    /** Number of samples with any progress. */
    readonly samples: number;
}

interface Expectation extends ProgressPoint {
    readonly perMs: number;
    readonly deviation: number;
}

/** The line is fitted to the samples of this last share of the observed time, because the pace changes. */
const windowShare = 0.22;
/** The line spans at least this many percentage points, because reported progress is rounded. */
const minSpan = 7;
/** A smaller decrease in progress (percentage points) is noise. */
const minSetback = 5;
const maxPoints = 64;
/** At a slower pace, a job would take more than a month, so the pace must come from rounding or a stalled job. */
const minPerMs = 100 / (30 * 86_400_000);

/** Extrapolates the recent pace of a job to 100 % and tracks the accuracy of the forecasts. */
export class ProgressForecaster {
    #points: ProgressPoint[] = [];
    #highest = -1;
    #previous: Expectation | undefined;
    #pledge: Expectation | undefined;
    #slowing = 0;
    #trust = 0;
    #stillSamples = 0;

    /**
     * Adds a sample; samples must come in chronological order. Returns undefined while the samples allow no forecast.
     */
    add(atMs: number, progress: number): ProgressForecast | undefined {
        this.#stillSamples = progress > this.#highest ? 0 : this.#stillSamples + 1;
        if (progress < this.#highest - minSetback) {
            this.#points = [];
            this.#highest = progress;
            this.#previous = undefined;
            this.#breakTrust();
        }
        this.#highest = Math.max(this.#highest, progress);
        this.#judge(atMs, progress);
        this.#learnPace(atMs, progress);
        this.#points = thin([...this.#points, { atMs, progress }]);
        const line = recentLine(this.#points);
        this.#previous = line && { atMs, progress, perMs: line.perMs, deviation: line.deviation };
        this.#pledge ??= this.#previous;
        if (line === undefined) {
            return undefined;
        }
        const reached = Math.max(progress, line.at(atMs));
        const remainingMs = Math.max(0, 100 - reached) / line.perMs;
        return {
            remainingMs,
            marginMs: 0.06 * remainingMs + (0.7 * Math.max(0.5, line.deviation)) / line.perMs,
            slowing: Math.max(0, this.#slowing),
            samples: this.#points.filter((point) => point.progress > 0).length,
        };
    }

    /** Number of accurate forecasts minus wrong ones: above 0, the next forecast can be trusted. */
    get trust(): number {
        return this.#trust;
    }

    /** Whether forecasts are unreliable: progress jumped, stalled or decreased, and has not been steady since. */
    get isErratic(): boolean {
        return this.#trust < 0;
    }

    /** Number of consecutive samples without further progress. */
    get stillSamples(): number {
        return this.#stillSamples;
    }

    #breakTrust(): void {
        this.#trust = Math.min(this.#trust, 0) - 1;
        this.#pledge = undefined;
    }

    /** Checks the pending forecast once the predicted progress exceeds possible rounding errors. */
    #judge(atMs: number, progress: number): void {
        const pledge = this.#pledge;
        if (pledge === undefined) {
            return;
        }
        const expected = pledge.perMs * (atMs - pledge.atMs);
        const actual = progress - pledge.progress;
        const noise = pledge.deviation / 2;
        if (actual > 1.6 * expected + 3 + noise) {
            this.#breakTrust();
        } else if (expected >= 5 + noise) {
            if (actual <= 0.1 * expected) {
                this.#breakTrust();
            } else if (actual >= 0.5 * expected - 1) {
                this.#trust += 1;
            }
            this.#pledge = undefined;
        }
    }

    /**
     * Updates the share by which the job is slower than forecast. Drops samples that are older than a clear change of
     * pace.
     */
    #learnPace(atMs: number, progress: number): void {
        if (this.#previous === undefined) {
            return;
        }
        const { atMs: sinceMs, deviation, perMs, progress: before } = this.#previous;
        const expected = perMs * (atMs - sinceMs);
        const actual = progress - before;
        if (expected > 2 + deviation) {
            this.#slowing = (this.#slowing + Math.min(1, Math.max(-0.5, 1 - actual / expected))) / 2;
        }
        if (expected > 2.5 + 2 * deviation && actual < 0.75 * expected && actual >= 2) {
            this.#points = this.#points.filter((point) => point.atMs >= sinceMs);
        }
    }
}

/** Fits a rising line to the latest samples, or to all of them if the latest do not rise. */
function recentLine(points: readonly ProgressPoint[]): ProgressLine | undefined {
    const latest = points.at(-1);
    if (latest === undefined) {
        return undefined;
    }
    const sinceMs = latest.atMs - windowShare * (latest.atMs - (points[0]?.atMs ?? latest.atMs));
    const start = points.findLastIndex((point) => point.atMs < sinceMs && point.progress <= latest.progress - minSpan);
    return [points.slice(Math.max(0, start)), points]
        .map(fitLine)
        .find((line) => line !== undefined && line.perMs > minPerMs);
}

/**
 * If there are too many samples, drops every second sample of the older half, so that the window covers the same time.
 */
function thin(points: ProgressPoint[]): ProgressPoint[] {
    return points.length <= maxPoints ? points : points.filter((_, index) => index % 2 === 0 || index > maxPoints / 2);
}

/** Fits a straight line to the points by least squares; undefined if all points have the same time. */
function fitLine(points: readonly ProgressPoint[]): ProgressLine | undefined {
    const meanMs = points.reduce((sum, { atMs }) => sum + atMs, 0) / points.length;
    const meanProgress = points.reduce((sum, { progress }) => sum + progress, 0) / points.length;
    let spread = 0;
    let joint = 0;
    for (const { atMs, progress } of points) {
        spread += (atMs - meanMs) ** 2;
        joint += (atMs - meanMs) * (progress - meanProgress);
    }
    if (!(spread > 0)) {
        return undefined;
    }
    const perMs = joint / spread;
    const at = (atMs: number) => meanProgress + perMs * (atMs - meanMs);
    const squares = points.reduce((sum, { atMs, progress }) => sum + (progress - at(atMs)) ** 2, 0);
    return { perMs, deviation: Math.sqrt(squares / Math.max(1, points.length - 2)), at };
}
