import assert from "node:assert/strict";
import { BuildProgress } from "../../../service/src/builds/build-progress.js";

function readAll(...lines: string[]): ({ progress: number; pageCount: number } | undefined)[] {
    const progress = new BuildProgress();
    return lines.map((line) => progress.read(line));
}

describe("The progress of a build", () => {
    it("follows the percentages and counts in the builder's log, and never goes back", () => {
        assert.deepEqual(
            readAll("reading sources... [ 50%] index", "writing output... [ 20%] index", "[100%] search", "200% sure"),
            [{ progress: 45, pageCount: 0 }, undefined, { progress: 90, pageCount: 0 }, undefined],
        );
        assert.deepEqual(readAll("Generating static pages (3/12)"), [{ progress: 22, pageCount: 12 }]);
    });

    it("contains the number of pages that builders name", () => {
        const lines = [
            "12 page(s) built in 3.2s",
            "  Pages            │ 13 ",
            "Wrote 14 files in 0.2 s",
            "Creating 15 pages",
        ];
        assert.deepEqual(
            readAll(...lines).map((each) => each?.pageCount),
            [12, 13, 14, 15],
        );
    });

    it("ignores numbers that no builder can mean", () => {
        const digits = "9".repeat(32);
        assert.deepEqual(readAll(`Wrote ${digits} files`, `${"1".repeat(400)} page(s) built`), [undefined, undefined]);
    });

    it("does not change with other lines", () => {
        assert.deepEqual(readAll("Building.", "took (2 s)", "0 % of pages"), [undefined, undefined, undefined]);
    });
});
