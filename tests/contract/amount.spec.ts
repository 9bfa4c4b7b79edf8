import assert from "node:assert/strict";
import { amount, describeBytes } from "@pulumi-static-export/contract";

describe("An amount", () => {
    it("has its noun in the singular only for one", () => {
        assert.deepEqual(
            [0, 1, 2].map((count) => amount(count, "page", "pages")),
            ["0 pages", "1 page", "2 pages"],
        );
    });

    it("of bytes has a unit that keeps it short", () => {
        const sizes = [0, 1, 999, 1000, 12_345, 999_949_999, 5e15];
        const texts = ["0 bytes", "1 byte", "999 bytes", "1.0 kB", "12.3 kB", "999.9 MB", "5000.0 TB"];
        assert.deepEqual(sizes.map(describeBytes), texts);
    });
});
