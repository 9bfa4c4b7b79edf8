import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { resolveLimits } from "../../../service/src/roles/service-limits.js";

describe("The cores of an export", () => {
    it("are those of the process, divided by the number of exports at the same time", () => {
        const coresOf = (concurrency: number) => resolveLimits({ concurrency }).exportLimits.cores;
        assert.equal(coresOf(1), availableParallelism());
        assert.equal(coresOf(2 * availableParallelism()), 1);
    });

    it("are the given number, which must be at least 1", () => {
        assert.equal(resolveLimits({ exportCores: 3 }).exportLimits.cores, 3);
        assert.throws(
            () => resolveLimits({ exportCores: 0 }),
            /exportCores must be a whole number of at least 1, got 0/,
        );
    });
});
