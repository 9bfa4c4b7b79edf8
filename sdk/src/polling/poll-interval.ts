/** The result of one poll. */
interface PollSample {
    /** Time of the response, in milliseconds on any clock. */
    readonly nowMs: number;
    /** The job's reported progress in percent. Any value other than a number from 0 to 100 counts as not reported. */
    readonly progress: number | undefined;
}

/** The interval of a plain loop (`sleep 10`), and the longest delay until a forecast has come true. */
const beatMs = 10_000;
const maxMs = 30_000;
/** Requests beyond those of the plain loop: in the first minute of a job that keeps its pace, and otherwise. */
const extraPolls = { steadyStart: 10, other: 5 };
/** The pace is measured over the latest 10 percentage points, because reported progress is rounded and uneven. */
const paceSpan = 10;
/** A forecast is judged after this many percentage points. */
const judgedSpan = 5;

/**
 * Chooses the delays between the polls of a job from its progress: aims at the end that the recent pace forecasts. A
 * delay exceeds 10 s only while forecasts come true; a wait sends at most 10 more requests than polling every 10 s.
 */
export class PollInterval {
    readonly #random: () => number;
    readonly #phaseMs: number;
    #points: { atMs: number; progress: number }[] = [];
    #forecast: { atMs: number; progress: number; perMs: number } | undefined;
    #longestMs = beatMs;
    #extra = extraPolls.steadyStart;
    #nowMs = 0;
    #polls = 0;
    #waitedMs = 0;

    constructor(random: () => number = Math.random) {
        this.#random = random;
        this.#phaseMs = 2_000 * random();
    }

    /** Returns the delay until the next poll in milliseconds, from 250 ms to 30 s. */
    next({ nowMs, progress }: PollSample): number {
        this.#polls += 1;
        this.#nowMs = Number.isFinite(nowMs) ? Math.max(this.#nowMs, nowMs) : this.#nowMs;
        const isReported = progress !== undefined && progress >= 0 && progress <= 100;
        const delayMs = (isReported ? this.#foreseenMs(progress) : undefined) ?? 1_000 * 1.5 ** (this.#polls - 1);
        // Jobs that were started together are polled at different times.
        const spreadMs = delayMs < this.#longestMs ? delayMs * (1 - 0.08 * this.#random()) : this.#longestMs;
        const boundedMs = Math.min(maxMs, Math.max(250, this.#withinBudget(spreadMs)));
        this.#waitedMs += boundedMs;
        return boundedMs;
    }

    /** Undefined as long as progress shows no pace. */
    #foreseenMs(progress: number): number | undefined {
        this.#judge(progress);
        const start = this.#points.findLastIndex((point) => point.progress <= progress - paceSpan);
        this.#points = [...this.#points.slice(Math.max(0, start)), { atMs: this.#nowMs, progress }];
        const [first = { atMs: 0, progress }] = this.#points;
        const perMs = (progress - first.progress) / (this.#nowMs - first.atMs);
        // At a slower pace, a job would take a month: the progress is a rounding error, or the job has stalled.
        if (!(perMs > 100 / (30 * 86_400_000))) {
            return undefined;
        }
        this.#forecast ??= { atMs: this.#nowMs, progress, perMs };
        const remainingMs = (100 - progress) / perMs;
        const closestMs = Math.min(3_000, Math.max(400, (this.#waitedMs + remainingMs) / 40));
        return Math.max(closestMs, 0.85 * remainingMs - 1 / perMs);
    }

    /** Allows longer delays after a forecast that came true, and forgets the pace after a setback. */
    #judge(progress: number): void {
        const { atMs, progress: before, perMs } = this.#forecast ?? { atMs: 0, progress, perMs: 0 };
        const expected = perMs * (this.#nowMs - atMs);
        const actual = progress - before;
        const isSetback = this.#points.some((point) => progress < point.progress - 5);
        const isDue = expected >= judgedSpan;
        if (isSetback || actual > 1.6 * expected + 3 || (isDue && actual < expected / 2 - 1)) {
            this.#points = isSetback ? [] : this.#points;
            this.#forecast = undefined;
            this.#longestMs = beatMs;
            this.#extra = extraPolls.other;
        } else if (isDue) {
            this.#forecast = undefined;
            this.#longestMs = Math.min(maxMs, this.#longestMs * 1.33);
        }
    }

    /** If no extra requests are left, delays a poll until the next poll of the plain loop. */
    #withinBudget(delayMs: number): number {
        const waitedMs = this.#waitedMs + this.#phaseMs;
        const extra = waitedMs < 60_000 ? this.#extra : extraPolls.other;
        const isSpent = this.#polls + 1 > Math.floor((waitedMs + delayMs) / beatMs) + extra;
        return isSpent ? Math.max(delayMs, beatMs - (waitedMs % beatMs)) : delayMs;
    }
}
