import * as curves from "./curves.js";
import { readRecordings, replay } from "./recordings.js";
import { between, integerBetween, logBetween, normal, pick, type Random } from "./random.js";

/** One job as a poller sees it. */
export interface JobTrace {
    readonly lengthMs: number;
    /** The round-trip time of one status request. */
    readonly latencyMs: number;
    /** The progress that the job reports at a time before its end. */
    readonly progressAt: (elapsedMs: number) => number | undefined;
}

export const families = [
    "steady",
    "front-loaded",
    "stalled",
    "bursty",
    "missing",
    "going back",
    "accelerating",
    "recorded",
] as const;

export type Family = (typeof families)[number];

const curveOf = {
    steady: curves.steady,
    "front-loaded": curves.frontLoaded,
    stalled: curves.stalled,
    bursty: curves.bursty,
    missing: curves.steady,
    "going back": curves.goingBack,
    accelerating: curves.accelerating,
} satisfies Record<Exclude<Family, "recorded">, (random: Random) => curves.Curve>;

const tellers = ["exact", "whole percent", "pages", "shaky"] as const;

type Teller = (work: number) => number | undefined;

/** Chooses how a job reports its progress: exactly, in whole percent, counted in pages, or with random errors. */
function createTeller(random: Random): Teller {
    switch (pick(random, tellers)) {
        case "exact":
            return (work) => 100 * work;
        case "whole percent":
            return (work) => Math.floor(100 * work);
        case "pages": {
            const pages = Math.round(logBetween(random, 20, 2000));
            return (work) => (100 * Math.floor(pages * work)) / pages;
        }
        case "shaky": {
            const points = between(random, 0.3, 1.5);
            return (work) => Math.min(100, Math.max(0, Math.round(100 * work + points * normal(random))));
        }
    }
}

/** Creates reports of progress that are missing, invalid, or too rare to be useful. */
function createMissingTeller(random: Random): Teller {
    const nonsense = pick(random, [undefined, undefined, Number.NaN, -1, 0, 1e9]);
    const rarely = random() < 0.25 ? 0.05 : 0;
    return (work) => (random() < rarely ? Math.floor(100 * work) : nonsense);
}

const recordings = readRecordings();

/**
 * Creates a job of the given length: either a stretched recording, or a generated job that may spend up to a tenth of
 * its time in a queue, and up to a fiftieth at 100 % while it packs the bundle.
 */
export function createTrace(family: Family, lengthMs: number, random: Random): JobTrace {
    const latencyMs = integerBetween(random, 20, 200);
    if (family === "recorded") {
        return { lengthMs, latencyMs, progressAt: replay(pick(random, recordings), lengthMs) };
    }
    const curve = curveOf[family](random);
    const teller = family === "missing" ? createMissingTeller(random) : createTeller(random);
    const queued = random() < 0.5 ? between(random, 0, 0.1) : 0;
    const packing = random() < 0.5 ? between(random, 0, 0.02) : 0;
    return {
        lengthMs,
        latencyMs,
        progressAt: (elapsedMs) =>
            teller(curve(Math.min(1, Math.max(0, elapsedMs / lengthMs - queued) / (1 - queued - packing)))),
    };
}
