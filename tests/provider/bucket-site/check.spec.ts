import assert from "node:assert/strict";
import { checkBucketSite } from "../../../provider/src/bucket-site/check.js";
import { diffBucketSite } from "../../../provider/src/bucket-site/diff.js";
import type { BucketSiteState } from "../../../provider/src/bucket-site/model.js";

const failuresOf = (news: Record<string, unknown>) =>
    (checkBucketSite(news).failures ?? []).map(({ property, reason }) => `${property} ${reason}`);

describe("BucketSite: check", () => {
    it("accepts a bucket or a folder", () => {
        assert.deepEqual(failuresOf({ jobId: "se_1", bucket: "docs", prefix: "a/b/", cacheControl: "max-age=60" }), []);
        assert.deepEqual(failuresOf({ jobId: "se_1", folder: "/srv/docs", keep: 0, graceSeconds: 0 }), []);
        assert.deepEqual(
            failuresOf({ jobId: "se_1", container: "$web", prefix: "docs/", endpoint: "https://a.b" }),
            [],
        );
    });

    it("requires exactly one storage place: a bucket, container or folder", () => {
        assert.match(
            failuresOf({ jobId: "se_1" }).join(),
            /^bucket is required: .* unless container or folder is set$/,
        );
        assert.equal(failuresOf({ bucket: null }).length, 2, "the job is missing, too");
        const both = failuresOf({ jobId: "se_1", bucket: "docs", region: "eu-central-1", folder: "/srv/docs" });
        const why = "contradicts folder: remove one of them";
        assert.deepEqual(both, [`bucket ${why}`, `region ${why}`]);
        const azure = failuresOf({ jobId: "se_1", bucket: "docs", container: "$web", region: "eu", prefix: "docs/" });
        assert.deepEqual(
            azure,
            ["bucket", "region"].map((name) => `${name} contradicts container: remove one of them`),
        );
    });

    it("accepts addresses as objects for buckets, as rules for folders, and neither with restricted access", () => {
        const bucketSite = { jobId: "se_1", bucket: "docs" };
        const folderSite = { jobId: "se_1", folder: "/srv/docs" };
        assert.deepEqual(failuresOf({ ...bucketSite, addresses: "objects" }), []);
        assert.deepEqual(failuresOf({ ...folderSite, addresses: "rules" }), []);
        const wrong = [
            { ...bucketSite, addresses: "rules" },
            { ...folderSite, addresses: "objects" },
        ].map(failuresOf);
        assert.deepEqual(wrong.flat(), [
            'addresses "rules" needs a folder, from which Cloudflare Pages or Netlify takes the site: a bucket has no rules',
            'addresses "objects" needs a bucket: in a folder, /guide cannot be next to /guide/start',
        ]);
        const separate = { ...bucketSite, addresses: "objects", switching: "releases", access: "edge" };
        assert.match(failuresOf(separate).join(), /^addresses "objects" is not possible with access/);
    });

    it("accepts restricted access only with whole releases", () => {
        const site = { jobId: "se_1", bucket: "docs", access: "edge" };
        assert.deepEqual(failuresOf({ ...site, switching: "releases" }), []);
        assert.deepEqual(failuresOf({ ...site, switching: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }), []);
        assert.match(failuresOf(site).join(), /^access "edge" needs switching "releases", because /);
        assert.match(failuresOf({ ...site, switching: "files" }).join(), /^access "edge" needs /);
    });

    for (const [property, value] of [
        ["bucket", "Not A Bucket"],
        ["prefix", "docs"],
        ["prefix", "docs/.static-export/files/"],
        ["folder", "relative/path"],
        ["container", "No Container"],
        ["endpoint", "ftp://storage"],
        ["owner", 'a "quoted" name'],
        ["keep", -1],
        ["cacheControl", "a\r\nb: c"],
        ["graceSeconds", -1],
        ["timeoutSeconds", 0],
        ["pin", "../se_1"],
        ["switching", "at once"],
        ["access", "everybody"],
        ["addresses", "guess"],
        ["purge", "everything"],
    ] as const) {
        it(`rejects ${JSON.stringify(value)} as ${property}`, () => {
            const place = ["folder", "container"].includes(property) ? {} : { bucket: "docs" };
            const failures = failuresOf({ jobId: "se_1", ...place, [property]: value });
            assert.equal(failures.length, 1);
            assert.ok(failures[0]!.startsWith(`${property} must be `), failures[0]);
        });
    }
});

const inputs = { jobId: "se_1", bucket: "docs" };
const state: BucketSiteState = {
    ...inputs,
    ...{
        servedJobId: "se_1",
        releasePrefix: "",
        sha256: "ab",
        fileCount: 1,
        sizeBytes: 1,
        uploadedFiles: 1,
        uploadedBytes: 1,
    },
    ...{ changedPaths: [], changeSummary: "0 paths", earlierJobIds: [], recordedOwner: "docs/dev/site" },
    removalDueAt: "2026-11-21T00:00:00.000Z",
};
const now = Date.parse("2026-11-20T12:00:00Z");

describe("BucketSite: diff", () => {
    it("shows no diff while nothing has changed", () => {
        assert.deepEqual(diffBucketSite(state, inputs, now), { changes: false });
    });

    it("treats a missing prefix as an empty one", () => {
        assert.deepEqual(diffBucketSite(state, { ...inputs, prefix: "" }, now), { changes: false });
        assert.deepEqual(diffBucketSite({ ...state, prefix: "" }, inputs, now), { changes: false });
    });

    it("requests an update when a refresh found changed files, or another job is live", () => {
        assert.deepEqual(diffBucketSite({ ...state, driftedPaths: ["/start"] }, inputs, now), { changes: true });
        assert.deepEqual(diffBucketSite({ ...state, driftedPaths: [] }, inputs, now), { changes: false });
        assert.deepEqual(diffBucketSite({ ...state, servedJobId: "se_0" }, inputs, now), { changes: true });
    });

    it("requests an update when files are due for removal", () => {
        assert.deepEqual(diffBucketSite(state, inputs, Date.parse("2026-11-21T00:00:00Z")), { changes: true });
    });

    for (const change of [{ bucket: "other" }, { prefix: "docs/" }]) {
        it(`replaces the site when ${Object.keys(change).join()} changes`, () => {
            const diff = diffBucketSite(state, { ...inputs, ...change }, now);
            assert.deepEqual(diff, { changes: true, replaces: Object.keys(change) });
        });
    }

    it("replaces a site in a container when the endpoint changes, because the account differs", () => {
        const container = { jobId: "se_1", container: "$web", endpoint: "https://a.example.com" };
        const { bucket: _bucket, ...rest } = state;
        const news = { ...container, endpoint: "https://b.example.com" };
        assert.deepEqual(diffBucketSite({ ...rest, ...container }, news, now), {
            changes: true,
            replaces: ["endpoint"],
        });
        assert.deepEqual(diffBucketSite({ ...rest, ...container }, container, now), { changes: false });
        const bucket = { ...inputs, endpoint: "https://b.example.com" };
        assert.deepEqual(diffBucketSite(state, bucket, now), { changes: true });
    });

    for (const change of [
        { jobId: "se_2" },
        { pin: "se_0" },
        { keep: 1 },
        { cacheControl: "no-store" },
        { owner: "a" },
    ]) {
        it(`updates in place when ${Object.keys(change).join()} changes`, () => {
            assert.deepEqual(diffBucketSite(state, { ...inputs, ...change }, now), { changes: true });
        });
    }
});
