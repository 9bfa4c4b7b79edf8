import assert from "node:assert/strict";
import { parse, resolve } from "node:path";
import { assertReplaceable } from "../../../cli/src/build/output-folder.js";

describe("The output of a build", () => {
    it("cannot be a whole disk, even with --force", () => {
        const { root } = parse(resolve("."));
        for (const force of [false, true]) {
            assert.throws(() => assertReplaceable(root, "docs", force), /is a whole disk: choose a folder on it/);
        }
    });
});
