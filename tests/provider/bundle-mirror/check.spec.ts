import assert from "node:assert/strict";
import { checkMirror } from "../../../provider/src/bundle-mirror/check.js";

const good = { jobId: "se_42", bucket: "docs-bundles" };
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const bad: Record<string, [unknown, RegExp]> = {
    jobId: ["se_42/../x", /id of a static export job/],
    bucket: ["docs/site", /name of a bucket/],
    prefix: ["/docs", /must be empty or end in a slash/],
    endpoint: ["storage.example.com", /http\(s\) address/],
    region: ["eu central", /a region/],
    pathStyle: ["yes", /true or false/],
    publicUrl: ["https://user:s3cr3t@bundles.example.com", /without user name/],
    urlExpirySeconds: [604_801, /from 60 to 604800/],
    deleteOnRemoval: [1, /true or false/],
    keep: [0, /whole number above 0/],
    pin: ["se_1/../x", /id of a static export job/],
    timeoutSeconds: [0, /from 1 to 86400/],
    bundleUrl: ["https://x/?sig=s3cr3t", /is not an input/],
};

describe("BundleMirror: check", () => {
    it("accepts job and bucket alone, or all inputs together", () => {
        assert.deepEqual(checkMirror(good), { inputs: good, failures: [] });
        const all = {
            ...good,
            prefix: "docs/exports/",
            endpoint: "http://127.0.0.1:7070",
            region: "eu-central-1",
            pathStyle: true,
            publicUrl: "https://bundles.example.com/docs",
            urlExpirySeconds: 3600,
            deleteOnRemoval: true,
            timeoutSeconds: 60,
        };
        assert.deepEqual(checkMirror(all).failures, []);
        assert.deepEqual(checkMirror({ ...good, prefix: "" }).failures, []);
    });

    for (const [property, [value, reason]] of Object.entries(bad)) {
        it(`refuses ${property}: ${JSON.stringify(value)}`, () => {
            const { failures = [] } = checkMirror({ ...good, [property]: value });
            assert.deepEqual(
                failures.map((failure) => failure.property),
                [property],
            );
            assert.match(String(failures[0]?.reason), reason);
            assert.doesNotMatch(JSON.stringify(failures), /s3cr3t/);
        });
    }

    for (const prefix of ["../", "./docs/", "docs/../other/", ".static-export/docs/", "docs", 7]) {
        it(`refuses a prefix that names another folder, or none: ${prefix}`, () => {
            const { failures = [] } = checkMirror({ ...good, prefix });
            assert.deepEqual(
                failures.map(({ property }) => property),
                ["prefix"],
            );
        });
    }

    it("accepts the names of encryptions and of keys, and nothing longer or with other characters", () => {
        const key = "arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab";
        for (const encryption of ["AES256", "aws:kms", key, "k", "k".repeat(2048)]) {
            assert.deepEqual(checkMirror({ ...good, encryption }).failures, []);
        }
        for (const encryption of ["", "aws kms", "(AES256", "AES256)", "k".repeat(2049), 7]) {
            assert.match(checkMirror({ ...good, encryption }).failures?.[0]?.reason ?? "", /"AES256", "aws:kms"/);
        }
    });

    it("refuses a number as an endpoint", () => {
        assert.match(checkMirror({ ...good, endpoint: 7 }).failures?.[0]?.reason ?? "", /must be an http\(s\) address/);
    });

    it("refuses keep together with deleteOnRemoval", () => {
        const { failures = [] } = checkMirror({ ...good, keep: 2, deleteOnRemoval: true });
        assert.deepEqual(
            failures.map(({ property, reason }) => `${property} ${reason.slice(0, 27)}`),
            ["keep contradicts deleteOnRemoval"],
        );
        assert.deepEqual(checkMirror({ ...good, keep: 2, pin: "se_1", deleteOnRemoval: false }).failures, []);
    });

    it("treats null as a missing input", () => {
        assert.deepEqual(checkMirror({ ...good, prefix: null, endpoint: null, timeoutSeconds: null }), {
            inputs: good,
            failures: [],
        });
    });

    it("requires job and bucket", () => {
        const { failures = [] } = checkMirror({});
        assert.deepEqual(
            failures.map((failure) => failure.property),
            ["jobId", "bucket"],
        );
    });

    it("accepts unknown values", () => {
        assert.deepEqual(checkMirror({ jobId: unknown, bucket: unknown, deleteOnRemoval: unknown }).failures, []);
    });
});
