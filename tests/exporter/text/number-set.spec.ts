import assert from "node:assert/strict";
import fc from "fast-check";
import { NumberSet } from "../../../exporter/src/text/number-set.js";

describe("A set of numbers", () => {
    it("contains exactly the numbers that were added", () => {
        const number = fc.oneof(fc.nat(50), fc.integer({ min: 0, max: 2 ** 31 - 1 }));
        fc.assert(
            fc.property(fc.array(number, { maxLength: 5000 }), fc.array(number), (added, others) => {
                const numbers = new NumberSet();
                added.forEach((each) => numbers.add(each));
                const expected = new Set(added);
                [...added, ...others].forEach((each) => assert.equal(numbers.has(each), expected.has(each)));
            }),
        );
    });

    it("grows without losing a number", () => {
        const numbers = new NumberSet();
        for (let each = 0; each < 100_000; each += 1) {
            numbers.add(each * 3);
        }
        for (let each = 0; each < 300_000; each += 1) {
            assert.equal(numbers.has(each), each % 3 === 0);
        }
    });
});
