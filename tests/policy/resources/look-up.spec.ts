import assert from "node:assert/strict";
import { knownString, lookUp } from "../../../policy/src/resources/look-up.js";

describe("lookUp", () => {
    const values = { chart: { name: "docs", version: 1, none: null, missing: undefined } };

    it("finds a value at a path", () => {
        assert.deepEqual(lookUp(values, "chart", "name"), { kind: "known", value: "docs" });
        assert.deepEqual(lookUp(values), { kind: "known", value: values });
    });

    for (const path of [
        ["other"],
        ["chart", "none"],
        ["chart", "missing"],
        ["chart", "name", "length"],
        ["toString"],
    ]) {
        it(`finds nothing at ${path.join(".")}`, () => {
            assert.deepEqual(lookUp(values, ...path), { kind: "absent" });
        });
    }

    it("passes on an error other than that a value is unknown", () => {
        const broken = {
            get chart(): string {
                throw new Error("broken");
            },
        };
        assert.throws(() => lookUp(broken, "chart"), /broken/);
    });

    it("returns texts, and nothing for other values", () => {
        assert.deepEqual(
            [knownString(values, "chart", "name"), knownString(values, "chart", "version")],
            ["docs", undefined],
        );
    });
});
