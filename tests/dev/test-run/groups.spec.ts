import assert from "node:assert/strict";
import { findSpecs, groupSpecs } from "../../../dev/test-run/groups.js";
import { isInAll, isInAttack, isInTest } from "../../../dev/test-run/long-forms.js";

describe("groups of spec files", () => {
    it("contain each spec file of this checkout exactly once", () => {
        const files = groupSpecs(findSpecs()).flatMap((group) => group.files);
        assert.deepEqual(files.toSorted(), findSpecs().toSorted());
    });

    it("run specs that need a cluster one file at a time, and treat new specs as unit specs", () => {
        const groups = groupSpecs(["tests/e2e/kubernetes/new.spec.ts", "tests/sdk/new/new.spec.ts"]);
        const places = groups.map(({ name, jobs, files }) => ({ name, jobs, files }));
        assert.deepEqual(places, [
            { name: "cluster", jobs: 1, files: ["tests/e2e/kubernetes/new.spec.ts"] },
            { name: "unit", jobs: 2, files: ["tests/sdk/new/new.spec.ts"] },
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

    it("both run a spec file that also has a longer version", () => {
        const file = "tests/provider/properties/fault-schedules.spec.ts";
        assert.deepEqual([isInTest(file), isInAll(file)], [true, true]);
    });

    it("run longer repetitions only in npm run test:all", () => {
        const file = "tests/e2e/packages/matrix.spec.ts";
        assert.deepEqual([isInTest(file), isInAll(file)], [false, true]);
    });
});

describe("npm run test:attack", () => {
    for (const file of [
        "tests/cli/redaction/planted-secrets.spec.ts",
        "tests/cli/report/long-texts.spec.ts",
        "tests/e2e/agent/leftovers.spec.ts",
        "tests/exporter/render/body/damaged-cache.spec.ts",
        "tests/service/database/damaged-data.spec.ts",
    ]) {
        it(`runs ${file}`, () => {
            assert.ok(findSpecs().includes(file));
            assert.ok(isInAttack(file));
        });
    }
});
