import assert from "node:assert/strict";
import { unknownValue } from "@pulumi-static-export/contract";
import { checkBundleCheck } from "../../../provider/src/bundle-check/check.js";

const sha256 = "ab".repeat(32);
const mirror = { bucket: "docs-bundles", prefix: "docs/", endpoint: "https://storage.example.com", sha256 };

const failuresOf = (news: Record<string, unknown>) =>
    (checkBundleCheck({ jobId: "se_42", ...news }).failures ?? []).map(
        ({ property, reason }) => `${property} ${reason}`,
    );

describe("BundleCheck: check", () => {
    it("accepts a mirror's copy, and a copy that is not known yet", () => {
        assert.deepEqual(failuresOf({ mirror }), []);
        assert.deepEqual(failuresOf({ mirror: unknownValue }), []);
        assert.deepEqual(failuresOf({ mirror: { ...mirror, sha256: unknownValue, bucket: unknownValue } }), []);
    });

    for (const [what, news, says] of [
        ["a text", { mirror: "s3://docs-bundles" }, /^mirror must say where the copy is, got "s3/],
        [
            "no digest",
            { mirror: { ...mirror, sha256: undefined } },
            /^mirror\.sha256 is required: the mirror's sha256$/,
        ],
        ["a wrong digest", { mirror: { ...mirror, sha256: "abc" } }, /^mirror\.sha256 must be a SHA-256 digest/],
        [
            "a wrong place",
            { mirror: { ...mirror, prefix: "/docs" } },
            /^mirror\.prefix must be empty or end in a slash/,
        ],
        ["no bucket", { mirror: { sha256 } }, /^mirror\.bucket is required/],
        ["a wrong job, once", { mirror, jobId: "se/42" }, /^jobId must be the id of a static export job/],
    ] as const) {
        it(`refuses a mirror's copy with ${what}`, () => {
            const failures = failuresOf(news);
            assert.equal(failures.length, 1);
            assert.match(failures[0]!, says);
        });
    }

    it("accepts a digest in any case, and nothing longer or shorter", () => {
        assert.deepEqual(failuresOf({ expectedSha256: sha256.toUpperCase() }), []);
        for (const expectedSha256 of [`x${sha256}`, `${sha256}0`, sha256.slice(1), `${sha256.slice(1)}g`, 7]) {
            assert.match(failuresOf({ expectedSha256 }).join(), /^expectedSha256 must be a SHA-256 digest of 64/);
        }
    });

    it("treats a mirror that is null as missing", () => {
        assert.deepEqual(failuresOf({ mirror: null }), []);
    });

    for (const name of ["expectedSha256", "maxBytes", "maxArchiveBytes", "maxFiles", "refuseLinks", "access"]) {
        it(`refuses a wrong ${name}`, () => {
            assert.deepEqual(
                failuresOf({ [name]: "x" }).map((failure) => failure.split(" ")[0]),
                [name],
            );
        });
    }
});
