import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { writeAttributes } from "../../../exporter/src/html/html-attributes.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const heapBytes = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
};

describe("attributes of HTML", () => {
    it("are spelled as HTML and SVG require", () => {
        const names = { className: "a", htmlFor: "b", strokeWidth: "c", viewBox: "d", ariaLabel: "e", dataPlace: "f" };
        const written = ' class="a" for="b" stroke-width="c" viewBox="d" aria-label="e" data-place="f"';
        assert.equal(writeAttributes(names), written);
        assert.equal(writeAttributes({ "data-place": 1, unknown: true }), ' data-place="1" unknown');
    });

    it("may share a name with a property of every JavaScript object", () => {
        assert.equal(writeAttributes({ constructor: "a", CONSTRUCTOR: "b" }), ' constructor="a" CONSTRUCTOR="b"');
    });

    it("do not accumulate in memory, regardless of the number of names", () => {
        const before = heapBytes();
        for (let number = 0; number < 20_000; number += 1) {
            writeAttributes({ [`${"x".repeat(500)}${number}`]: "" });
        }
        const grownBytes = heapBytes() - before;
        assert.ok(grownBytes < 5_000_000, `${grownBytes} bytes`);
    });
});
