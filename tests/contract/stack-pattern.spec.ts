import assert from "node:assert/strict";
import { matchesStack } from "@pulumi-static-export/contract";

describe("The patterns that match stack names", () => {
    for (const [stack, pattern, isMatch] of [
        ["production", "prod*", true],
        ["my-prod", "prod*", false],
        ["prod", "prod*", true],
        ["prod", "prod", true],
        ["production", "prod", false],
        ["eu-live-1", "*-live-*", true],
        ["live", "*-live-*", false],
        ["a-live", "*-live-*", false],
        ["anything", "*", true],
        ["a.b", "a.b", true],
        ["a-b", "a.b", false],
        ["ab", "a*b", true],
        ["aba", "aba*aba", false],
        ["abba", "ab*ba", true],
        ["aba", "ab*ba", false],
        ["a1b2a1c", "a*1c", true],
    ] as const) {
        it(`${isMatch ? "match" : "do not match"}: ${pattern} and the stack ${stack}`, () => {
            assert.equal(matchesStack(stack, [pattern]), isMatch);
            assert.equal(matchesStack(stack, ["other", pattern]), isMatch);
        });
    }

    it("match quickly even with many asterisks", () => {
        const started = performance.now();
        assert.equal(matchesStack("a".repeat(100), [`${"*a".repeat(50)}*b`]), false);
        assert.ok(performance.now() - started < 500);
    });
});
