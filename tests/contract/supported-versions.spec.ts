import assert from "node:assert/strict";
import { isAtLeast, isOlder } from "@pulumi-static-export/contract";

const names = { older: "older than", "at least": "at least", neither: "not to be compared with" } as const;

describe("The comparison of versions", () => {
    for (const [version, other, order] of [
        ["3.215.9", "3.216.0", "older"],
        ["3.216.0", "3.216.0", "at least"],
        ["3.99.0", "3.216.0", "older"],
        ["4.0.0", "3.216.0", "at least"],
        ["v20.19.0", "20.19", "at least"],
        ["v20.18.3", "20.19", "older"],
        ["3.216.0-alpha.1", "3.216.0", "at least"],
        ["workspace", "3.216.0", "neither"],
        ["3.216.0", "*", "neither"],
        ["release-3.216.0", "3.0.0", "neither"],
    ] as const) {
        it(`considers ${version} ${names[order]} ${other}`, () => {
            assert.equal(isOlder(version, other), order === "older");
            assert.equal(isAtLeast(version, other), order === "at least");
        });
    }
});
