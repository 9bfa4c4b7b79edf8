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
     * sample. Longer than 10 s only while the job's progress matches the forecast. Whatever the job does, at most 10
     * requests more are sent than by polling every 10 s.
     */
    next(sample: PollSample): number;
}

/** The pace of the plain loop (`sleep 10`), whose notice and requests this one is measured against in bench/. */
const beatMs = 10_000;
/** The first delays where no progress is told; later polls fall on the beat. */
const openingMs = [1_000, 1_500, 2_500, 5_000, 5_000, 5_000];
/** The first delays where progress is told but has not begun: it will tell more soon. */
const queuedOpeningMs = [1_000, 2_500, 5_000];
/** Up to this length a job may cost more requests than the plain loop spends on it, and from there on this many at least. */
const shortJob = { ms: 60_000, requests: 11 };
/** Requests beyond the plain loop's: at most, and at most for a short job whose progress keeps its promises. */
const extraRequests = { most: 5, shortJob: 10 };
/** What an erratic job may plan to spend, of what it may spend at most. */
const erraticReserve = 3;
/** With this many requests left there is no need to save any. */
const plenty = 12;
/** Then no delay is longer than this share of the time that is left, down to this much. */
const approach = { share: 0.25, leastMs: 6_000 };
/** Close to the end polls are this share of the job's length apart, and closer while requests abound. */
const fine = { share: 0.025, leastMs: 400, mostMs: 4_500, closer: 0.6 };
/** Each forecast that came true lets the next delay be longer by this factor. */
const trustGrowth = 1.33;
/** Polls near the end that all came too early grow apart by this factor. */
const missGrowth = 1.2;
/** Jobs started together drift apart: delays are shorter by up to this share, and beats earlier by up to this much. */
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

    /** Polls that the plain loop has sent after a wait in total: waits count, not the clock, so slow answers change nothing. */
    const plainPolls = (totalMs: number) => 1 + Math.floor(totalMs / beatMs);

    /** Without a forecast: often at first, since the job may be short, then on the beat, each job on its own phase of it. */
    function unforeseenDelay(isTold: boolean): number {
        const opening = (isTold ? queuedOpeningMs : openingMs)[polls - 1];
        if (opening !== undefined && polls < plainPolls(waitedMs) + extraRequests.most) {
            return opening;
        }
        const delayMs = beatMs - ((waitedMs + phaseMs) % beatMs);
        return delayMs < beatMs / 20 ? delayMs + beatMs : delayMs;
    }

    /** Coarse progress stands still for a sample or two; a job that does so for longer has stalled. */
    const isStill = () => forecaster.stillSamples >= 3;

    /** Requests that may still be spent if the job ends as forecast, the one that notices the end included. */
    function requestsLeft({ remainingMs }: ProgressForecast): number {
        const endMs = waitedMs + remainingMs;
        const plain = 1 + Math.ceil(endMs / beatMs);
        // Gradual instead of a step: the forecast of a job of about one minute moves back and forth across the limit.
        const extra = forecaster.isErratic
            ? erraticReserve
            : Math.min(extraRequests.most + 1, Math.max(0, (shortJob.ms - endMs) / 2_000));
        const least = endMs > 0.8 * shortJob.ms ? shortJob.requests : 0;
        return Math.max(plain + extra, least) - polls;
    }

    /** Aims at the forecast end: ahead of it by the margin while requests abound, past it by the margin with the last one. */
    function foreseenDelay(forecast: ProgressForecast): number {
        const { remainingMs, marginMs, slowing } = forecast;
        const left = requestsLeft(forecast);
        const [caution, margins] =
            left >= 4 ? [0.15, -1] : left >= 3 ? [0.4, -0.5] : left >= 2 ? [0.4, -0.2] : [0.4, 1.3];
        const aimMs = remainingMs * (1 + caution * slowing) + margins * marginMs;

        const lengthMs = nowMs - (firstMs ?? nowMs) + remainingMs;
        const fineMs =
            Math.min(fine.mostMs, Math.max(fine.leastMs, fine.share * lengthMs)) * (left >= 4 ? fine.closer : 1);
        finePolls = aimMs > fineMs ? 0 : finePolls + 1;
        const leastMs = left < plenty ? fineMs * missGrowth ** Math.max(0, finePolls - 1) : fineMs;

        // The pace of a first advance is little more than a guess.
        const guessMs = forecast.samples < 3 ? remainingMs / 2 : Infinity;
        const trustedMs = isStill() ? beatMs : beatMs * trustGrowth ** Math.max(0, forecaster.trust);
        const mostMs =
            left < plenty ? trustedMs : Math.min(trustedMs, Math.max(approach.leastMs, approach.share * remainingMs));
        return Math.min(maxMs, mostMs, Math.max(leastMs, Math.min(guessMs, aimMs)));
    }

    /** Puts a poll off to the plain loop's next one when all that may be spent is spent. */
    function withinBudget(delayMs: number): number {
        const isPromising = !forecaster.isErratic && !isStill() && waitedMs < shortJob.ms;
        const extra = isPromising ? extraRequests.shortJob : extraRequests.most;
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
                ? foreseenDelay(forecast) * (1 - jitter.share * random())
                : unforeseenDelay(isTold);
            const clampedMs = Math.min(maxMs, Math.max(minMs, withinBudget(delayMs)));
            waitedMs += clampedMs;
            return clampedMs;
        },
    };
}
