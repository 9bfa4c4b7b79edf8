import { createProgressForecaster, type ProgressForecast } from "./progress-forecast.js";

/** What the job told at one poll. */
export interface PollSample {
    /** Time of the answer, in ms on any clock. */
    readonly nowMs: number;
    /** The job's own progress in percent; what is not a number from 0 to 100 counts as not told. */
    readonly progress: number | undefined;
}

export interface PollIntervalOptions {
    /** @default 250 */
    minMs?: number;
    /** @default 30_000 */
    maxMs?: number;
    /** Source of the jitter, in [0, 1). @default Math.random */
    random?: () => number;
}

export interface PollInterval {
    /**
     * The delay in ms until the next poll: finite, within `minMs` and `maxMs`. The first call takes the first poll's
     * sample. Over 10 s only while the job keeps to what was forecast; and however the job behaves, it never costs more
     * than 8 requests more than polling every 10 s.
     */
    next(sample: PollSample): number;
}

/** The pace of the plain loop, which this one must never be worse than. */
const beatMs = 10_000;
/** The first delays where no progress is told; later polls fall on the beat. */
const openingMs = [1_000, 1_500, 2_500, 5_000, 5_000, 5_000];
/** The first delays where progress is told but has not begun: it will tell more soon. */
const queuedOpeningMs = [1_000, 2_500, 5_000];
/** Jobs of up to this length may cost more requests than the plain loop spends on them. */
const shortJobMs = 60_000;
/** Requests that a job of about a minute costs the plain loop. */
const shortJobRequests = 9;
/** Requests beyond the plain loop's: for an erratic job, and for a short one that keeps moving. */
const extraRequests = { erratic: 5, moving: 8 };
/** Jobs started together drift apart by this share of a delay, and on the beat by up to this much. */
const jitter = { share: 0.04, beatMs: 2_000 };

/** Chooses how long to wait between two polls of one job, from the progress that the job has told so far. */
export function createPollInterval(options: PollIntervalOptions = {}): PollInterval {
    const { minMs = 250, maxMs = 30_000, random = Math.random } = options;
    const forecaster = createProgressForecaster();
    const phaseMs = jitter.beatMs * random();
    let firstMs: number | undefined;
    let nowMs = 0;
    let polls = 0;
    let waitedMs = 0;
    let finePolls = 0;

    /** Polls that the plain loop has sent after it has waited as long as this one: it counts waits, as `sleep 10` does. */
    const plainPolls = (afterMs: number) => 1 + Math.floor(afterMs / beatMs);

    function untilBeat(): number {
        const delayMs = beatMs - ((waitedMs + phaseMs) % beatMs);
        return delayMs < beatMs / 20 ? delayMs + beatMs : delayMs;
    }

    function unforeseen(isTold: boolean): number {
        const opening = (isTold ? queuedOpeningMs : openingMs)[polls - 1];
        return opening !== undefined && polls < plainPolls(waitedMs) + extraRequests.erratic ? opening : untilBeat();
    }

    /** Aims at the forecast end: ahead of it while there are requests to spare, past it with the last one. */
    function foreseen(forecast: ProgressForecast): number {
        const { remainingMs, marginMs, slowing } = forecast;
        const endMs = waitedMs + remainingMs;
        const spare = forecaster.isErratic
            ? extraRequests.erratic - 1
            : Math.min(extraRequests.erratic, Math.max(0, (shortJobMs - endMs) / 2_000));
        const plainAtEnd = 1 + Math.ceil(endMs / beatMs);
        const left = Math.max(plainAtEnd + spare, endMs > 0.75 * shortJobMs ? shortJobRequests : 0) - polls;

        const totalMs = nowMs - (firstMs ?? nowMs) + remainingMs;
        const fineMs = (left >= 4 ? 0.6 : 1) * Math.min(5_000, Math.max(350, 0.025 * totalMs));
        const aimMs =
            left >= 4
                ? remainingMs - marginMs
                : left >= 3
                  ? remainingMs * (1 + 0.3 * slowing) - marginMs / 2
                  : remainingMs * (1 + 0.3 * slowing) + (left >= 2 ? 0.1 : 1.3) * marginMs;
        finePolls = aimMs > fineMs ? 0 : finePolls + 1;
        const growth = left < 8 ? 1.2 ** Math.max(0, finePolls - 2) : 1;
        const longestMs = Math.min(beatMs * 1.35 ** Math.max(0, forecaster.trust), maxMs);
        const earlyMs = forecast.samples < 3 ? 0.48 * remainingMs : Infinity;
        return Math.min(longestMs, Math.max(fineMs * growth, Math.min(earlyMs, aimMs)));
    }

    function withinBudget(delayMs: number): number {
        const isShortAndMoving = !forecaster.isErratic && forecaster.stillSamples < 2 && waitedMs < shortJobMs;
        const extra = isShortAndMoving ? extraRequests.moving : extraRequests.erratic;
        const isSpent = polls + 1 > plainPolls(waitedMs + delayMs) + extra;
        return isSpent ? Math.max(delayMs, beatMs - (waitedMs % beatMs)) : delayMs;
    }

    return {
        next(sample) {
            polls += 1;
            nowMs = Number.isFinite(sample.nowMs) ? Math.max(nowMs, sample.nowMs) : nowMs;
            firstMs ??= nowMs;
            const isTold = sample.progress !== undefined && sample.progress >= 0 && sample.progress <= 100;
            const forecast = isTold ? forecaster.add(nowMs, sample.progress) : undefined;
            const delayMs = forecast
                ? foreseen(forecast) * (1 + jitter.share * (random() - 0.5))
                : unforeseen(isTold);
            const clampedMs = Math.min(maxMs, Math.max(minMs, withinBudget(delayMs)));
            waitedMs += clampedMs;
            return clampedMs;
        },
    };
}
