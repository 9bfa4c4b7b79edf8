import assert from "node:assert/strict";
import { brokenBounds, chance } from "../../../dev/bench/polling/bounds.js";
import { compare } from "../../../dev/bench/polling/measure.js";
import { drawPlot } from "../../../dev/bench/polling/plot.js";
import { fixedPolling, simulate } from "../../../dev/bench/polling/simulate.js";
import { everyLength, quantile, summarize } from "../../../dev/bench/polling/summary.js";
import { families } from "../../../dev/bench/polling/traces.js";

/** A smaller version of `npm run bench polling`: one job in eight, with a different seed. */
const reduced = { jobs: 800, seed: 7 };

describe("the polling simulation", () => {
    for (const family of families) {
        it(`stays within the bounds on ${family} jobs from 2 s to 2 h`, () => {
            const summary = summarize(family, everyLength, compare(family, reduced.jobs, reduced.seed));

            assert.deepEqual(brokenBounds(summary, chance(reduced.jobs)), []);
        });
    }

    it("reports which bounds a fixed interval of 10 s would exceed", () => {
        const jobs = compare("steady", 100, reduced.seed).map((job) => ({ ...job, adaptive: job.fixed }));

        const broken = brokenBounds(summarize("steady", everyLength, jobs));

        assert.match(broken.join("\n"), /^steady, all: the median notice is \d+ % of 2 % or 500 ms\n/);
    });

    it("reports a family whose jobs are noticed later than with a fixed interval, or need too many requests", () => {
        const jobs = compare("bursty", 100, reduced.seed).map((job) => ({
            ...job,
            adaptive: { noticeMs: job.fixed.noticeMs + 1, requests: job.fixed.requests + 6 },
        }));

        const broken = brokenBounds(summarize("bursty", everyLength, jobs));

        assert.equal(broken.length, 3, broken.join("\n"));
    });

    it("produces the same figures for the same seed", () => {
        assert.deepEqual(compare("going back", 50, 3), compare("going back", 50, 3));
        assert.notDeepEqual(compare("going back", 50, 3), compare("going back", 50, 4));
    });

    it("models a fixed interval as an immediate poll, followed by a poll 10 s after each response", () => {
        const job = { lengthMs: 25_000, latencyMs: 100, progressAt: () => undefined };

        assert.deepEqual(simulate(job, fixedPolling), { noticeMs: 5_400, requests: 4 });
    });

    it("reports measured values as quantiles", () => {
        assert.equal(quantile([3, 1, 2, 4], 0.5), 2);
        assert.equal(quantile([3, 1, 2, 4], 0.95), 4);
    });

    it("draws one panel per family", () => {
        const plot = drawPlot(new Map(families.map((family) => [family, compare(family, 48, 1)])));

        assert.equal(plot.match(/<g /g)?.length, families.length);
        assert.doesNotMatch(plot, /NaN|undefined/);
    });
});
