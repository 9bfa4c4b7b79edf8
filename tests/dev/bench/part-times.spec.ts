import assert from "node:assert/strict";
import { simulateCores } from "../../../dev/bench/site/part-times.js";

describe("The simulated time of an export on idle cores", () => {
    const one = { before: 1, meanwhile: 10, after: 1, workers: 0, others: 2 };
    // The start of a worker takes one second.
    const two = { before: 1, meanwhile: 2, after: 1, workers: 10, others: 2 };

    it("is the CPU time of one thread on one core", () => {
        assert.deepEqual(simulateCores(one, two, 1), { seconds: 14, limit: "the core" });
    });

    it("divides what is not in order by the number of cores, and adds the start of each worker", () => {
        assert.deepEqual(simulateCores(one, two, 2), { seconds: 1 + (8 + 2 + 2 + 2) / 2 + 1, limit: "the cores" });
    });

    it("is at least the time of the main thread", () => {
        assert.deepEqual(simulateCores(one, { ...two, meanwhile: 9, workers: 3 }, 8), {
            seconds: 1 + 9 + 1,
            limit: "the main thread",
        });
    });
});
