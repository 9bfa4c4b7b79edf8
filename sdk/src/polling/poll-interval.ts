import { ProgressForecaster, type ProgressForecast } from "./progress-forecast.js";

/** The result of one poll. */
export interface PollSample {
    /** Time of the response, in milliseconds on any clock. */
    readonly nowMs: number;
    /** The job's reported progress in percent. Any value other than a number from 0 to 100 counts as not reported. */
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

interface PollInterval {
    /**
     * Returns the delay until the next poll in milliseconds: finite, from `minMs` to `maxMs`. The first call takes the
     * sample of the first poll. The delay exceeds 10 s only while the job's progress matches the forecast. In every
     * case, a wait sends at most 10 more requests than polling every 10 s would.
     */
    next(sample: PollSample): number;
}

/**
 * The interval of a plain loop (`sleep 10`). dev/bench/ compares the delays and requests of this poller with those of
 * the loop.
 */
const beatMs = 10_000;
/** The first delays if no progress is reported; later polls are `beatMs` apart. */
const openingMs = [1_000, 1_500, 2_500, 5_000, 5_000, 5_000];
/** The first delays if the reported progress is still 0. */
const queuedOpeningMs = [1_000, 2_500, 5_000];
/**
 * Jobs up to this length may take more requests than the plain loop; longer jobs may always take at least this many
 * requests.
 */
const shortJob = { ms: 60_000, requests: 11 };
/** Maximum number of requests beyond the plain loop's, in general and for a short job that matches its forecast. */
const extraRequests = { max: 5, shortJob: 10 };
/** How many extra requests to reserve for a job with erratic progress. */
const erraticReserve = 3;
/** With this many requests left, polls need not be saved. */
const plenty = 12;
/** With many requests left, the maximum delay is this share of the remaining time, but at least this long. */
const approach = { share: 0.25, minDelayMs: 6_000 };
/** Close to the end, polls are this share of the job's length apart, and closer if many requests are left. */
const fine = { share: 0.025, minDelayMs: 400, maxDelayMs: 4_500, closer: 0.6 };
/** Each accurate forecast allows the next delay to be longer by this factor. */
const trustGrowth = 1.33;
/** Consecutive polls near the end that came too early grow apart by this factor. */
const missGrowth = 1.2;
/**
 * Spreads the polls of jobs that were started together: shortens delays by up to this share, and shifts beats by up to
 * this much.
 */
const jitter = { share: 0.04, beatMs: 2_000 };

/** Chooses the delay between two polls of a job from the progress that the job has reported so far. */
export function createPollInterval(options: PollIntervalOptions = {}): PollInterval {
    const { minMs = 250, maxMs = 30_000, random = Math.random } = options;
    const forecaster = new ProgressForecaster();
    const phaseMs = jitter.beatMs * random();
    let firstMs: number | undefined;
    let nowMs = 0;
    let polls = 0;
    let waitedMs = 0;
    let finePolls = 0;

    /**
     * Number of polls of the plain loop after this total wait. Counts only waiting time, so slow responses do not
     * matter.
     */
    const plainPolls = (totalMs: number) => 1 + Math.floor(totalMs / beatMs);

    /** The delay without a forecast: short at first, because the job may be short, then at the job's beats. */
    function unforeseenDelay(isTold: boolean): number {
        const opening = (isTold ? queuedOpeningMs : openingMs)[polls - 1];
        if (opening !== undefined && polls < plainPolls(waitedMs) + extraRequests.max) {
            return opening;
        }
        const delayMs = beatMs - ((waitedMs + phaseMs) % beatMs);
        return delayMs < beatMs / 20 ? delayMs + beatMs : delayMs;
    }

    /**
     * Rounded progress may stay the same for one or two samples; if it stays the same for longer, the job has stalled.
     */
    const isStill = () => forecaster.stillSamples >= 3;

    /** Number of requests left if the job ends as forecast, including the request that detects its end. */
    function requestsLeft({ remainingMs }: ProgressForecast): number {
        const endMs = waitedMs + remainingMs;
        const plain = 1 + Math.ceil(endMs / beatMs);
        // Gradual instead of a step, because the forecast of a one-minute job moves back and forth across the limit.
        const extra = forecaster.isErratic
            ? erraticReserve
            : Math.min(extraRequests.max + 1, Math.max(0, (shortJob.ms - endMs) / 2_000));
        const minRequests = endMs > 0.8 * shortJob.ms ? shortJob.requests : 0;
        return Math.max(plain + extra, minRequests) - polls;
    }

    /** Aims at the forecast end: earlier by the margin if many requests are left, later for the last request. */
    function foreseenDelay(forecast: ProgressForecast): number {
        const { remainingMs, marginMs, slowing } = forecast;
        const left = requestsLeft(forecast);
        const [caution, margins] =
            left >= 4 ? [0.15, -1] : left >= 3 ? [0.4, -0.5] : left >= 2 ? [0.4, -0.2] : [0.4, 1.3];
        const aimMs = remainingMs * (1 + caution * slowing) + margins * marginMs;

        const lengthMs = nowMs - (firstMs ?? nowMs) + remainingMs;
        const fineMs =
            Math.min(fine.maxDelayMs, Math.max(fine.minDelayMs, fine.share * lengthMs)) * (left >= 4 ? fine.closer : 1);
        finePolls = aimMs > fineMs ? 0 : finePolls + 1;
        const minDelayMs = left < plenty ? fineMs * missGrowth ** Math.max(0, finePolls - 1) : fineMs;

        // The pace computed from the first increase is only a rough estimate.
        const guessMs = forecast.samples < 3 ? remainingMs / 2 : Infinity;
        const trustedMs = isStill() ? beatMs : beatMs * trustGrowth ** Math.max(0, forecaster.trust);
        const maxDelayMs =
            left < plenty
                ? trustedMs
                : Math.min(trustedMs, Math.max(approach.minDelayMs, approach.share * remainingMs));
        return Math.min(maxMs, maxDelayMs, Math.max(minDelayMs, Math.min(guessMs, aimMs)));
    }

    /** If no extra requests are left, delays a poll until the next poll of the plain loop. */
    function withinBudget(delayMs: number): number {
        const isPromising = !forecaster.isErratic && !isStill() && waitedMs < shortJob.ms;
        const extra = isPromising ? extraRequests.shortJob : extraRequests.max;
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
