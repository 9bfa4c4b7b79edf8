import { between, integerBetween, normal, pick, type Random } from "./random.js";

/** Returns the share of the work that is done (0–1) after a share of the job's time (0–1). */
export type Curve = (time: number) => number;

/** Interpolates linearly between points whose times and work are sorted. */
export function through(points: readonly (readonly [time: number, work: number])[]): Curve {
    return (time) => {
        let low = 0;
        let high = points.length - 1;
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if ((points[middle]?.[0] ?? 1) <= time) {
                low = middle;
            } else {
                high = middle;
            }
        }
        const [fromTime, fromWork] = points[low] ?? [0, 0];
        const [toTime, toWork] = points[high] ?? [1, 1];
        const share = toTime > fromTime ? (time - fromTime) / (toTime - fromTime) : 1;
        return Math.min(1, fromWork + (toWork - fromWork) * Math.min(1, Math.max(0, share)));
    };
}

/** Creates a curve from the relative durations and sizes of pieces of work. */
function fromPieces(durations: readonly number[], works: readonly number[]): Curve {
    const totalDuration = durations.reduce((sum, piece) => sum + piece, 0);
    const totalWork = works.reduce((sum, piece) => sum + piece, 0);
    let time = 0;
    let work = 0;
    const points: [number, number][] = [[0, 0]];
    durations.forEach((duration, index) => {
        time += duration / totalDuration;
        work += (works[index] ?? 0) / totalWork;
        points.push([time, work]);
    });
    return through(points);
}

/** Simulates pages of varying cost, one after the other: progress is linear on average, but never exactly. */
export function steady(random: Random): Curve {
    const pieces = integerBetween(random, 30, 120);
    const spread = between(random, 0.1, 0.6);
    const durations = Array.from({ length: pieces }, () => Math.exp(spread * normal(random)));
    return fromPieces(
        durations,
        durations.map(() => 1),
    );
}

/** Simulates work that is fast at first and slow at the end: a root, two phases, or easing out. */
export function frontLoaded(random: Random): Curve {
    const base = steady(random);
    const shape = pick(random, ["root", "two phases", "ease out"]);
    if (shape === "root") {
        const power = between(random, 0.4, 0.85);
        return (time) => base(time) ** power;
    }
    if (shape === "ease out") {
        const power = between(random, 1.2, 2);
        return (time) => 1 - (1 - base(time)) ** power;
    }
    const turn = through([
        [0, 0],
        [between(random, 0.2, 0.5), between(random, 0.6, 0.85)],
        [1, 1],
    ]);
    return (time) => turn(base(time));
}

/** Simulates work that is slow at first and fast at the end. */
export function accelerating(random: Random): Curve {
    const base = steady(random);
    const power = between(random, 1.3, 3);
    return (time) => base(time) ** power;
}

/** Simulates linear work with one to three stalls; one job in four stalls at the very end. */
export function stalled(random: Random): Curve {
    const base = steady(random);
    const stalls = Array.from({ length: integerBetween(random, 1, 3) }, (_, index) => ({
        work: index === 0 && random() < 0.25 ? between(random, 0.97, 1) : random(),
        duration: between(random, 0.1, 0.6),
    })).sort((a, b) => a.work - b.work);
    const total = 1 + stalls.reduce((sum, stall) => sum + stall.duration, 0);
    const points: [number, number][] = [[0, 0]];
    let passed = 0;
    for (const { work, duration } of stalls) {
        points.push([(work + passed) / total, work]);
        passed += duration;
        points.push([(work + passed) / total, work]);
    }
    const warp = through([...points, [1, 1]]);
    return (time) => base(warp(time));
}

/** Simulates bursts of work at random times, with no progress between them; the last burst ends the job. */
export function bursty(random: Random): Curve {
    const bursts = integerBetween(random, 2, 12);
    const points: [number, number][] = [[0, 0]];
    let time = 0;
    let work = 0;
    const gaps = Array.from({ length: bursts }, () => -Math.log(1 - random()));
    const sizes = Array.from({ length: bursts }, () => -Math.log(1 - random()));
    const allGaps = gaps.reduce((sum, gap) => sum + gap, 0);
    const allSizes = sizes.reduce((sum, size) => sum + size, 0);
    gaps.forEach((gap, index) => {
        time += gap / allGaps;
        points.push([time, work]);
        work += (sizes[index] ?? 0) / allSizes;
        points.push([time, work]);
    });
    return through(points);
}

/**
 * Simulates progress that decreases: several phases that each start from zero, or a drop by part of the work done.
 */
export function goingBack(random: Random): Curve {
    const base = steady(random);
    if (random() < 0.5) {
        const phases = integerBetween(random, 2, 4);
        const cuts = Array.from({ length: phases - 1 }, () => between(random, 0.05, 0.95)).sort((a, b) => a - b);
        const edges = [0, ...cuts, 1];
        return (time) => {
            const index = Math.max(0, Math.min(phases - 1, edges.findIndex((edge) => edge > time) - 1));
            const [from, to] = [edges[index] ?? 0, edges[index + 1] ?? 1];
            return base(Math.min(1, (time - from) / Math.max(1e-9, to - from)));
        };
    }
    const setBacks = Array.from({ length: integerBetween(random, 1, 4) }, () => ({
        at: between(random, 0.1, 0.95),
        by: between(random, 0.05, 0.4),
    }));
    const reach = 1 + setBacks.reduce((sum, { by }) => sum + by, 0);
    return (time) => {
        const lost = setBacks.reduce((sum, { at, by }) => (time >= at ? sum + by : sum), 0);
        return Math.max(0, base(time) * reach - lost);
    };
}
