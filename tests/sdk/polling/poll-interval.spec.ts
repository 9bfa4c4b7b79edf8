import assert from "node:assert/strict";
import fc from "fast-check";
import { PollInterval } from "../../../sdk/src/polling/poll-interval.js";

type Progress = (elapsedMs: number) => number | undefined;

const minuteMs = 60_000;
const middle = () => 0.5;

/** Returns the times at which a job is polled, on a virtual clock with immediate responses. */
function pollTimes(progress: Progress, untilMs: number, random = middle): number[] {
    const interval = new PollInterval(random);
    const times: number[] = [];
    for (let nowMs = 0; nowMs <= untilMs; nowMs += interval.next({ nowMs, progress: progress(nowMs) })) {
        times.push(nowMs);
    }
    return times;
}

/** Returns the time between the end of a job of this length and the next poll. */
function noticeMs(progress: Progress, lengthMs: number): number {
    const interval = new PollInterval(middle);
    let nowMs = 0;
    while (nowMs < lengthMs) {
        nowMs += interval.next({ nowMs, progress: progress(nowMs) });
    }
    return nowMs - lengthMs;
}

const delaysOf = (times: readonly number[]) => times.slice(1).map((time, index) => time - (times[index] ?? 0));
const evenly =
    (lengthMs: number): Progress =>
    (elapsedMs) =>
        Math.floor((100 * elapsedMs) / lengthMs);

describe("a poller, for a job that reports its progress,", () => {
    for (const seconds of [5, 20, 61, 300, 1800, 7200]) {
        it(`notices the end of a steady job of ${seconds} s within 5 % of its length or 2 s`, () => {
            const lengthMs = seconds * 1000;

            assert.ok(noticeMs(evenly(lengthMs), lengthMs) <= Math.max(2_000, 0.05 * lengthMs));
        });
    }

    it("needs fewer requests for a steady ten-minute job than polling every 10 s", () => {
        const polls = pollTimes(evenly(10 * minuteMs), 10 * minuteMs).length;

        assert.ok(polls < 45, `${polls} polls`);
    });

    it("waits for more than 10 s only after the job has matched the forecast", () => {
        const delays = delaysOf(pollTimes(evenly(20 * minuteMs), 10 * minuteMs));

        const firstLong = delays.findIndex((delayMs) => delayMs > 11_000);
        assert.ok(firstLong >= 5, `after ${firstLong} polls`);
    });

    it("waits for 10 s from the first percent of a slow job on", () => {
        const delays = delaysOf(pollTimes(evenly(20 * minuteMs), 2 * minuteMs));

        assert.ok(
            delays.slice(8, -1).every((delayMs) => delayMs >= 9_000),
            delays.join(),
        );
    });

    for (const percent of [0, 100]) {
        it(`polls quickly again after progress has changed from 50 to ${percent} %`, () => {
            const times = pollTimes((ms) => (ms < 5 * minuteMs ? 50 : percent), 6 * minuteMs);

            const delays = delaysOf(times.filter((time) => time >= 5 * minuteMs));
            assert.ok((delays[0] ?? Infinity) <= 1_000, delays.join());
        });
    }

    it("returns to at most 10 s after progress has gone back", () => {
        const restarts: Progress = (ms) => (ms < 5 * minuteMs ? ms / 6_000 : (ms - 5 * minuteMs) / 60_000);

        const later = pollTimes(restarts, 8 * minuteMs).filter((time) => time > 5 * minuteMs);

        assert.ok(Math.max(...delaysOf(later)) <= 10_500);
    });

    it("forecasts a job that has begun again from its new pace", () => {
        const again = evenly(20 * minuteMs);
        const restarts: Progress = (ms) => (ms < 5 * minuteMs ? ms / 6_000 : again(ms - 5 * minuteMs));

        const later = pollTimes(restarts, 8 * minuteMs).filter((time) => time > 5.5 * minuteMs);
        assert.ok(
            delaysOf(later).every((delayMs) => delayMs >= 9_000),
            delaysOf(later).join(),
        );
    });

    it("returns to at most 10 s after progress has stalled", () => {
        const stalls: Progress = (ms) => Math.min(60, ms / 6_000);

        const later = pollTimes(stalls, 20 * minuteMs).filter((time) => time > 8 * minuteMs);

        assert.ok(Math.max(...delaysOf(later)) <= 10_500);
    });

    it("does not mistake a fraction from 0 to 1 for the first percent of a long job", () => {
        const delays = delaysOf(pollTimes((ms) => ms / (10 * minuteMs), 10 * minuteMs));

        assert.ok(Math.max(...delays) <= 10_500);
    });

    it("keeps polling at 100 % without a busy loop, because packing may take time", () => {
        const polls = pollTimes((ms) => Math.min(100, ms / 600), 10 * minuteMs).length;

        assert.ok(polls <= 1 + 60 + 10, `${polls} polls`);
    });
});

describe("a poller, for a job without usable progress,", () => {
    for (const [name, told] of [
        ["missing", undefined],
        ["not a number", Number.NaN],
        ["negative", -1],
        ["over 100", 1e9],
        ["infinite", Infinity],
    ] as const) {
        it(`polls quickly at first and every 10 s later if progress is ${name}`, () => {
            const times = pollTimes(() => told, 5 * minuteMs);
            const delays = delaysOf(times);

            assert.ok((times[1] ?? Infinity) <= 1_000);
            assert.ok(delays.every((delayMs) => delayMs <= 10_500));
            assert.deepEqual(new Set(delays.slice(9)), new Set([10_000]));
        });
    }

    for (const [name, told] of [
        ["falls below 0", (ms) => -1 - ms / 1000],
        ["rises above 100", (ms) => 101 + ms / 1000],
        ["stays at 50", () => 50],
    ] as readonly [string, Progress][]) {
        it(`polls as without progress if progress ${name}`, () => {
            assert.deepEqual(
                pollTimes(told, 5 * minuteMs),
                pollTimes(() => undefined, 5 * minuteMs),
            );
        });
    }

    it("waits for half of the time since the start, at least a second and at most 10 s", () => {
        const none = () => undefined;
        const times = pollTimes(none, 5 * minuteMs, () => 0);

        const expected = times.slice(0, 8).map((time) => Math.round(Math.min(10_000, Math.max(1_000, time / 2))));
        assert.deepEqual(delaysOf(times).slice(0, 8), expected);
    });

    it("spreads the polls of jobs that were started together", () => {
        const [early, late] = [0.1, 0.9].map((random) =>
            pollTimes(
                () => undefined,
                5 * minuteMs,
                () => random,
            ).at(-1),
        );

        assert.ok(Math.abs((early ?? 0) - (late ?? 0)) >= 1_000);
    });
});

describe("the poll interval for arbitrary reports", () => {
    const anyProgress = fc.oneof(
        fc.constant(undefined),
        fc.integer({ min: 0, max: 100 }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.double(),
    );
    const anyRandom = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
    const randomOf = (stream: IterableIterator<number>) => () => Number(stream.next().value);

    it("is a delay from 250 ms to 30 s on any clock", () => {
        const anySample = fc.record({ nowMs: fc.double(), progress: anyProgress });
        fc.assert(
            fc.property(fc.array(anySample, { maxLength: 200 }), anyRandom, (samples, randoms) => {
                const interval = new PollInterval(randomOf(randoms));
                return samples.every((sample) => {
                    const delayMs = interval.next(sample);
                    return delayMs >= 250 && delayMs <= 30_000;
                });
            }),
        );
    });

    for (const [name, anyJob] of [
        ["leaps at random", fc.array(anyProgress, { minLength: 1, maxLength: 200 })],
        ["stands still", anyProgress.map((progress) => Array.from({ length: 200 }, () => progress))],
    ] as const) {
        it(`costs at most 10 requests more than polling every 10 s if progress ${name}`, () => {
            fc.assert(fc.property(anyJob, anyRandom, (told, randoms) => extraRequests(told, randomOf(randoms)) <= 10));
        });
    }

    it("costs at most 10 extra requests for the reports that cause the fastest polls", () => {
        assert.ok(extraRequests(tellMalicious(rising)) <= 10);
        assert.ok(extraRequests(tellMalicious((last) => [...rising(last), undefined, last - 4, 50, 1])) <= 10);
    });

    it("costs at most 10 extra requests for the fastest polls after progress has gone back", () => {
        assert.ok(extraRequests(tellMalicious(rising, [0, 50, 10])) <= 10);
    });

    it("keeps its forecast if the clock is wrong for one response", () => {
        const interval = new PollInterval(middle);
        const lengthMs = 2 * 60 * minuteMs;
        const delays: number[] = [];
        for (let nowMs = 0; nowMs < lengthMs / 2; nowMs += delays.at(-1) ?? 0) {
            const wrongMs = [Number.NaN, 0][delays.length - 100];
            delays.push(interval.next({ nowMs: wrongMs ?? nowMs, progress: (100 * nowMs) / lengthMs }));
        }

        assert.ok(delays.length > 110);
        assert.ok(Math.min(...delays.slice(95)) > 20_000);
    });
});

type Told = readonly (number | undefined)[];

/**
 * Returns the maximum number of additional polls for a job with these reports, compared with a plain loop that polls
 * immediately and then every 10 s.
 */
function extraRequests(told: Told, random: () => number = middle): number {
    const interval = new PollInterval(random);
    let nowMs = 0;
    let most = 0;
    told.forEach((progress, index) => {
        most = Math.max(most, index - Math.floor(nowMs / 10_000));
        nowMs += interval.next({ nowMs, progress });
    });
    return most;
}

const rising = (last: number): number[] => [0, 0.01, 0.1, 0.5, 1].map((share) => last + (100 - last) * share);

/** Returns the reports that cause the most polls: each report is the choice that causes the earliest next poll. */
function tellMalicious(choices: (last: number) => Told, beginning: Told = [0]): Told {
    const told = [...beginning];
    while (told.length < 60) {
        const untilNext = (choice: number | undefined) => {
            const interval = new PollInterval(middle);
            return [...told, choice].reduce<number>((nowMs, progress) => nowMs + interval.next({ nowMs, progress }), 0);
        };
        const last = told.findLast((progress) => progress !== undefined) ?? 0;
        told.push(choices(last).reduce((best, choice) => (untilNext(choice) < untilNext(best) ? choice : best)));
    }
    return told;
}
