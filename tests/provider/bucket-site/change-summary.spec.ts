import assert from "node:assert/strict";
import { summariseChanges } from "../../../provider/src/bucket-site/model.js";

describe("The summary of a site's changed paths", () => {
    for (const [what, count, summary] of [
        ["names no path if none has changed", 0, "0 paths"],
        ["names a single path", 1, "1 path: /0"],
        ["names ten paths", 10, "10 paths: /0, /1, /2, /3, /4, /5, /6, /7, /8, /9"],
        ["counts the rest", 411, "411 paths: /0, /1, /2, /3, /4, /5, /6, /7, /8, /9 and 401 more"],
    ] as const) {
        it(what, () => {
            const paths = Array.from({ length: count }, (_, index) => `/${index}`);
            assert.equal(summariseChanges(paths), summary);
        });
    }

    it("says that every path has changed", () => {
        assert.equal(summariseChanges(["/*"]), "every path");
    });
});
