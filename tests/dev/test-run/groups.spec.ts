import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { listFiles } from "../../../dev/test-run/changed-files.js";
import { specsOfChanges } from "../../../dev/test-run/changed-specs.js";
import { findSpecs, groupSpecs, isInAll, isInTest, isUnit, longForm } from "../../../dev/test-run/groups.js";

describe("groups of spec files", () => {
    it("contain each spec file of this checkout exactly once", () => {
        const files = groupSpecs(findSpecs()).flatMap((group) => group.files);
        assert.deepEqual(files.toSorted(), findSpecs().toSorted());
    });

    it("of unit specs import nothing that installs a tool, for which npm run check would wait", () => {
        const read = (file: string) => readFileSync(file, "utf8");
        const files = listFiles().filter((file) => /^tests\/.*\.ts$/.test(file));
        const installers = files.filter((file) => !file.endsWith(".spec.ts") && /\bensure[A-Z]\w*\(/.test(read(file)));
        const { specs } = specsOfChanges(installers, files, read, 0);
        const units = groupSpecs(specs).filter(isUnit);
        assert.deepEqual(
            units.flatMap(({ files: ofGroup }) => ofGroup),
            [],
        );
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

    it("differ in the limit on CPU time: only npm test has one", () => {
        const [unit] = groupSpecs(["tests/sdk/bundle/bundle.spec.ts"]);
        assert.ok(unit?.maxProcessorSeconds);
        assert.equal(longForm(unit).maxProcessorSeconds, undefined);
    });

    it("differ in the order: npm run test:all starts with the files that only it runs", () => {
        const [unit] = groupSpecs(["tests/contract/a.spec.ts", "tests/contract/b.long.spec.ts"]);
        assert.ok(unit);
        assert.deepEqual(longForm(unit).files, ["tests/contract/b.long.spec.ts", "tests/contract/a.spec.ts"]);
    });
});
