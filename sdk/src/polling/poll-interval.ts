/** The result of one poll. */
interface PollSample {
    /** Time of the response, in milliseconds on any clock. */
    readonly nowMs: number;
    /** The job's reported progress in percent. Any value other than a number from 0 to 100 counts as not reported. */
    readonly progress: number | undefined;
}

interface Point {
    readonly atMs: number;
    readonly progress: number;
}

const minMs = 1_000;
/** The interval of a plain loop (`sleep 10`), and the longest delay for a job that has not kept its pace. */
const beatMs = 10_000;
/** The longest delay for a job that has kept its pace. */
const maxMs = 30_000;
/** The pace is measured over this many percentage points, because reported progress is rounded and uneven. */
const paceSpan = 10;
/** A wait sends at most so many requests more than the plain loop. */
const extraPolls = 10;

/**
 * Chooses the delays between the polls of a job: half of the time to the end that its recent pace forecasts, or half of
 * the time since its progress last changed, whichever is longer.
 */
export class PollInterval {
    readonly #random: () => number;
    /** The reports of the last percentage points. */
    #points: Point[] = [];
    #changedAtMs: number | undefined;
    #nowMs = 0;
    #polls = 0;
    #waitedMs = 0;

    constructor(random: () => number = Math.random) {
        this.#random = random;
    }

    /** Returns the delay until the next poll in milliseconds, at most 30 s. */
    next({ nowMs, progress }: PollSample): number {
        this.#polls += 1;
        this.#nowMs = Number.isFinite(nowMs) ? Math.max(this.#nowMs, nowMs) : this.#nowMs;
        const isReported = progress !== undefined && progress >= 0 && progress <= 100;
        const forecast = isReported ? this.#forecast(progress) : { remainingMs: 0, longestMs: beatMs };
        this.#changedAtMs ??= this.#nowMs;
        const { remainingMs, longestMs } = forecast;
        const unchangedMs = this.#nowMs - this.#changedAtMs;
        const delayMs = Math.max(minMs, remainingMs / 2, Math.min(beatMs, unchangedMs / 2));
        // Jobs that were started together are polled at different times.
        const spreadMs = delayMs < longestMs ? delayMs * (1 - this.#random() / 10) : longestMs;
        const plainPolls = Math.floor((this.#waitedMs + spreadMs) / beatMs);
        const isSpent = this.#polls + 1 > plainPolls + extraPolls;
        const boundedMs = Math.round(isSpent ? Math.max(beatMs, spreadMs) : spreadMs);
        this.#waitedMs += boundedMs;
        return boundedMs;
    }

    #forecast(progress: number): { remainingMs: number; longestMs: number } {
        const last = this.#points.at(-1)?.progress ?? progress;
        if (progress < last) {
            this.#points = [];
        }
        if (progress !== last) {
            this.#changedAtMs = this.#nowMs;
        }
        const start = this.#points.findLastIndex((point) => point.progress <= progress - paceSpan);
        const now = { atMs: this.#nowMs, progress };
        this.#points = [...this.#points.slice(Math.max(0, start)), now];
        const [first = now] = this.#points;
        const middle = this.#points.find((point) => point.progress >= (first.progress + progress) / 2) ?? now;
        const perMs = paceOf(first, now);
        const isPaceKept = progress - first.progress >= paceSpan && paceOf(middle, now) >= perMs / 2;
        return {
            // The last percentage point may be a rounded one.
            remainingMs: perMs > 0 ? (99 - progress) / perMs : 0,
            longestMs: isPaceKept ? maxMs : beatMs,
        };
    }
}

function paceOf(from: Point, to: Point): number {
    return (to.progress - from.progress) / (to.atMs - from.atMs);
}
