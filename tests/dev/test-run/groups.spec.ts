import assert from "node:assert/strict";
import { findSpecs, groupSpecs, isInAll, isInTest } from "../../../dev/test-run/groups.js";

describe("groups of spec files", () => {
    it("contain each spec file of this checkout exactly once", () => {
        const files = groupSpecs(findSpecs()).flatMap((group) => group.files);
        assert.deepEqual(files.toSorted(), findSpecs().toSorted());
    });

    it("run cluster specs one at a time, and treat files without a requirement as unit specs", () => {
        const groups = groupSpecs(["tests/charts/new.long.cluster.spec.ts", "tests/e2e/new.spec.ts"]);
        const places = groups.map(({ name, jobs, files }) => ({ name, jobs, files }));
        assert.deepEqual(places, [
            { name: "cluster", jobs: 1, files: ["tests/charts/new.long.cluster.spec.ts"] },
            { name: "unit", jobs: 2, files: ["tests/e2e/new.spec.ts"] },
        ]);
    });
});

describe("npm test and npm run test:all", () => {
    it("together run each spec file of this checkout", () => {
        assert.deepEqual(
            findSpecs().filter((file) => !isInTest(file) && !isInAll(file)),
            [],
        );
    });

    it("both run a spec file that also has a longer form", () => {
        const file = "tests/provider/properties/fault-schedules.process.spec.ts";
        assert.deepEqual([isInTest(file), isInAll(file)], [true, true]);
    });

    it("differ for a file with .long in its name: only npm run test:all runs it", () => {
        const file = "tests/e2e/packages/matrix.long.packages.spec.ts";
        assert.deepEqual([isInTest(file), isInAll(file)], [false, true]);
    });

    it("differ for a file without a longer form: only npm test runs it", () => {
        const file = "tests/dev/test-run/groups.spec.ts";
        assert.deepEqual([isInTest(file), isInAll(file)], [true, false]);
    });
});
