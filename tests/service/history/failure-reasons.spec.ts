import assert from "node:assert/strict";
import { partsOf, reasonOf } from "../../../service/src/history/failure-reasons.js";

describe("The reason of a failure", () => {
    for (const [title, one, other, reason] of [
        [
            "leaves out names of files and lines",
            "The page guides/start.md:12 cannot be read.",
            "The page index.md cannot be read.",
            "The page … cannot be read.",
        ],
        [
            "leaves out addresses, and keeps what follows them",
            "Cannot fetch https://git.example.com/a/b.git: connection refused (10.0.0.7:443).",
            "Cannot fetch git@git.example.net:c/d.git: connection refused (192.0.2.1:22).",
            "Cannot fetch …: connection refused (…).",
        ],
        [
            "leaves out numbers and ids",
            "The build of commit 4f2a91b ended after 61 seconds.",
            "The build of commit 9c01d22 ended after 3 seconds.",
            "The build of commit … ended after … seconds.",
        ],
        [
            "leaves out quoted text of several words",
            'There is no branch "fix the start page".',
            'There is no branch "main".',
            "There is no branch ….",
        ],
        ["joins lines", "The build failed.\n\n  It said: no space", "The build failed. It said:  no space", ""],
    ] as const) {
        it(title, () => {
            assert.equal(reasonOf(one), reasonOf(other));
            assert.equal(reasonOf(one), reason === "" ? "The build failed. It said: no space" : reason);
        });
    }

    it("differs where the words do", () => {
        assert.notEqual(reasonOf("The page a.md cannot be read."), reasonOf("The page a.md is too large."));
    });

    it("is found again in each of its errors", () => {
        const error = 'Cannot fetch https://git.example.com/a.git: the branch "main" is gone (exit code 128).';
        for (const part of partsOf(reasonOf(error))) {
            assert.ok(error.toLowerCase().includes(part), part);
        }
    });

    it("takes time in proportion to its text, whatever the text is", () => {
        for (const text of ["<".repeat(100_000), '"a '.repeat(50_000), "….".repeat(50_000), ".,".repeat(50_000)]) {
            const beganMs = performance.now();
            reasonOf(text);
            assert.ok(performance.now() - beganMs < 500, text.slice(0, 5));
        }
    });
});
