import assert from "node:assert/strict";
import { BundleError } from "@pulumi-static-export/sdk";
import { throwWithoutSettings } from "@pulumi-static-export/sdk/internal";

function messageOf(error: Error): string {
    try {
        return throwWithoutSettings(error);
    } catch (thrown) {
        return (thrown as Error).message;
    }
}

describe("The error of a bundle that exceeds a limit", () => {
    for (const [problem, setting] of [
        ["too-many-bytes", "maxBytes"],
        ["too-many-files", "maxFiles"],
    ] as const) {
        it(`names the caller's setting ${setting}`, () => {
            assert.match(new BundleError(problem, "too large").message, new RegExp(`raise ${setting}`));
        });

        it(`does not name ${setting} for a caller without it`, () => {
            const message = messageOf(new BundleError(problem, "too large"));
            assert.match(message, /^Bundle refused: too large\. This limit cannot be raised/);
        });
    }

    it("is any other error otherwise", () => {
        const corrupt = new BundleError("corrupt", "the archive is damaged");
        assert.equal(messageOf(corrupt), corrupt.message);
        assert.equal(messageOf(new Error("no")), "no");
    });
});
