import assert from "node:assert/strict";
import { findSpecs, groupSpecs } from "../../../dev/test-run/groups.js";
import { withLongForm } from "../../../dev/test-run/long-forms.js";

describe("groups of spec files", () => {
    it("hold each spec file of this checkout once", () => {
        const files = groupSpecs(findSpecs()).flatMap((group) => group.files);
        assert.deepEqual(files.toSorted(), findSpecs().toSorted());
    });

    it("run what needs a cluster one file at a time, and count a new spec among the unit specs", () => {
        const groups = groupSpecs(["tests/e2e/kubernetes/new.spec.ts", "tests/sdk/new/new.spec.ts"]);
        const places = groups.map(({ name, jobs, files }) => ({ name, jobs, files }));
        assert.deepEqual(places, [
            { name: "cluster", jobs: 1, files: ["tests/e2e/kubernetes/new.spec.ts"] },
            { name: "unit", jobs: 3, files: ["tests/sdk/new/new.spec.ts"] },
        ]);
    });

    it("name the specs that have a longer form by where they are", () => {
        const files = findSpecs().filter((file) => withLongForm.test(file));
        assert.ok(files.includes("tests/provider/properties/fault-schedules.spec.ts"));
        assert.ok(files.includes("tests/e2e/packages/matrix.spec.ts"));
    });
});
