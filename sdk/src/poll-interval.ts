/** What the job told at one poll. */
export interface PollSample {
    /** Time of the answer, on any clock that does not go back. */
    readonly nowMs: number;
    /** The job's own progress in percent (0–100); anything else counts as not told. */
    readonly progress: number | undefined;
}

export interface PollIntervalOptions {
    /** @default 250 */
    minMs?: number;
    /** @default 10_000 */
    maxMs?: number;
    /** Source of the jitter, in [0, 1). @default Math.random */
    random?: () => number;
}

export interface PollInterval {
    /** The delay in ms until the next poll, always finite and within [minMs, maxMs]. The first poll's sample is the first call. */
    next(sample: PollSample): number;
}

/** Chooses how long to wait between two polls of one job, from the progress the job has told so far. */
export function createPollInterval(options: PollIntervalOptions = {}): PollInterval {
    const { minMs = 250, maxMs = 10_000, random = Math.random } = options;
    let first: { atMs: number; progress: number } | undefined;
    let polls = 0;

    return {
        next({ nowMs, progress }) {
            polls += 1;
            let delayMs = Math.min(maxMs, minMs * 2 ** Math.min(polls, 20));
            if (progress !== undefined && progress >= 0 && progress <= 100) {
                first ??= { atMs: nowMs, progress };
                const rate = (progress - first.progress) / (nowMs - first.atMs);
                if (rate > 0 && Number.isFinite(rate)) {
                    delayMs = (0.7 * (100 - progress)) / rate;
                }
            }
            const jittered = delayMs * (1 - 0.05 * random());
            return Math.min(maxMs, Math.max(minMs, jittered));
        },
    };
}
