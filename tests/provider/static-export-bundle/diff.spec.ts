import assert from "node:assert/strict";
import { decideUpdate, describeUpdate, diffBundle } from "../../../provider/src/static-export-bundle/diff.js";
import type { BundleInputs, BundleState } from "../../../provider/src/static-export-bundle/model.js";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const now = Date.parse("2026-11-20T12:00:00Z");
const inputs: BundleInputs = { domain: "docs.example.com", version: "1", paths: ["/a"], triggers: { commit: "x" } };
const state: BundleState = {
    ...inputs,
    jobId: "se_1",
    bundleUrl: "https://bundles.example.com/se_1.tar.gz?signature=x",
    expiresAt: "2026-11-20T13:00:00Z",
    exportedAt: "2026-11-20T11:00:00Z",
};

const diff = (olds: BundleState, news: BundleInputs, atMs = now) => diffBundle(decideUpdate(olds, news, atMs));
const lineOf = (olds: BundleState, news: BundleInputs, atMs = now) =>
    describeUpdate(decideUpdate(olds, news, atMs), olds, news);

function changes(olds: Partial<BundleState>, news: Partial<BundleInputs>, atMs = now): boolean | undefined {
    const result = diff({ ...state, ...olds }, { ...inputs, ...news }, atMs);
    assert.deepEqual(result.replaces ?? [], []);
    return result.changes;
}

describe("the reason for an update of a StaticExportBundle", () => {
    const why = (olds: Partial<BundleState>, news: Partial<BundleInputs>, atMs = now) =>
        lineOf({ ...state, ...olds }, { ...inputs, ...news }, atMs);

    it("ignores null values that an earlier release stored for missing inputs", () => {
        const olds = { ...state, version: null, paths: null, triggers: null } as unknown as BundleState;
        assert.equal(lineOf(olds, { domain: state.domain }), undefined);
        assert.deepEqual(diff(olds, { domain: state.domain }), { changes: false });
    });

    it("is undefined if nothing changed", () => {
        assert.equal(why({}, {}), undefined);
    });

    for (const [cause, olds, news, says] of [
        ["another version", {}, { version: "2" }, "version changed: this update runs one new export"],
        [
            "a version that is not known yet",
            {},
            { version: unknown },
            "version may change: this update runs one new export",
        ],
        [
            "other paths and triggers",
            {},
            { paths: ["/b"], triggers: 1 },
            "paths changed and triggers changed: this update runs one new export",
        ],
        [
            "another version and a job that another resource starts in the same run",
            {},
            { version: "2", jobId: unknown },
            "version changed: this update adopts a job that is known later and exports nothing",
        ],
        [
            "another domain and a job",
            {},
            { domain: "b.example.com", jobId: "se_2" },
            "the domain was docs.example.com: the replacement adopts job se_2 and exports nothing",
        ],
        [
            "a job that is not known yet",
            {},
            { jobId: unknown },
            "jobId changes: this update adopts a job that is known later and exports nothing",
        ],
        ["another job", {}, { jobId: "se_2" }, "jobId changes: this update adopts job se_2 and exports nothing"],
        [
            "a job that failed or was lost, and that the program names",
            { jobId: undefined },
            { jobId: "se_1" },
            "the last export job failed or was lost: an update adopts job se_1 and exports nothing",
        ],
        [
            "a job instead of a pending one",
            { jobId: undefined, pendingJobId: "se_2" },
            { jobId: "se_3" },
            "jobId changes: this update adopts job se_3 and exports nothing",
        ],
        [
            "a link that is missing",
            { bundleUrl: undefined, expiresAt: undefined },
            {},
            "its link is missing: an update renews it and exports nothing",
        ],
        [
            "a job that is pending",
            { pendingJobId: "se_2" },
            {},
            "job se_2 is still pending: an update resumes it and starts no other job",
        ],
        [
            "a link that is due",
            {},
            { renewBeforeSeconds: 7200 },
            "its link expires at 2026-11-20T13:00:00Z: an update renews it and exports nothing",
        ],
        [
            "another domain",
            {},
            { domain: "b.example.com" },
            "the domain was docs.example.com: the replacement runs one new export",
        ],
    ] as const) {
        it(`names the cause and the effect of the update: ${cause}`, () => {
            assert.equal(why({ ...olds } as Partial<BundleState>, { ...news } as Partial<BundleInputs>), says);
        });
    }
});

describe("a StaticExportBundle that is compared with its state", () => {
    it("renews a link after half of its lifetime if that lifetime is at most renewBeforeSeconds", () => {
        const olds = { linkLifetimeSeconds: 3600 };
        const news = { renewBeforeSeconds: 86_400 };
        assert.equal(changes(olds, news, Date.parse("2026-11-20T12:29:59Z")), false);
        assert.equal(changes(olds, news, Date.parse("2026-11-20T12:30:00Z")), true);
    });

    it("shows no diff while nothing has changed and the link works", () => {
        assert.equal(changes({}, {}), false);
    });

    it("is replaced when the domain changes", () => {
        const result = diff(state, { ...inputs, domain: "other.example.com" });
        assert.deepEqual(result, { changes: true, replaces: ["domain"] });
    });

    for (const change of [{ version: "2" }, { paths: ["/a", "/b"] }, { triggers: { commit: "y" } }]) {
        it(`updates in place when ${Object.keys(change)[0]} changes`, () => {
            assert.equal(changes({}, change), true);
        });
    }

    it("updates in place when the version is removed", () => {
        const { version, ...rest } = inputs;
        assert.equal(diff(state, rest).changes, true);
    });

    it("updates in place when a trigger is unknown", () => {
        assert.equal(changes({}, { triggers: unknown }), true);
    });

    it("updates in place when the program names another job", () => {
        assert.equal(changes({}, { jobId: "se_2" }), true);
    });

    it("shows no diff when the program names the current job", () => {
        assert.equal(changes({}, { jobId: "se_1" }), false);
    });

    it("shows no diff when the program no longer names a job", () => {
        assert.equal(changes({ jobId: "se_1" }, {}), false);
    });

    it("shows no diff when only timeouts or renewal settings change", () => {
        assert.equal(changes({}, { timeoutSeconds: 5, renewBeforeSeconds: 60, renewLink: false }), false);
    });

    it("shows no diff when the serialised provider changes", () => {
        assert.equal(changes({ __provider: "old code" }, { __provider: "new code" }), false);
    });

    it("updates in place when an earlier run's job is still pending", () => {
        assert.equal(changes({ pendingJobId: "se_2" }, {}), true);
    });

    it("updates in place when the link expires, not earlier", () => {
        assert.equal(changes({}, {}, Date.parse("2026-11-20T12:59:59.999Z")), false);
        assert.equal(changes({}, {}, Date.parse("2026-11-20T13:00:00Z")), true);
    });

    it("updates in place renewBeforeSeconds before the link expires, not earlier", () => {
        assert.equal(changes({}, { renewBeforeSeconds: 3599 }), false);
        assert.equal(changes({}, { renewBeforeSeconds: 3600 }), true);
    });

    it("ignores an expired link if renewLink is false", () => {
        assert.equal(changes({}, { renewLink: false }, Date.parse("2026-12-20T12:00:00Z")), false);
    });

    it("ignores a link with an unknown expiry", () => {
        const { expiresAt, ...rest } = state;
        assert.equal(diff(rest, inputs, Date.parse("2027-11-20T12:00:00Z")).changes, false);
    });

    it("uses the platform's clock to check the link if this machine's clock is wrong", () => {
        const minutes = (count: number) => count * 60_000;
        // The platform's clock showed 12:00 when it created the link for 60 s; this machine's clock is five minutes
        // ahead.
        const ahead = { expiresAt: "2026-11-20T12:01:00Z", clockSkewMs: -minutes(5) };
        assert.equal(changes(ahead, {}, now + minutes(5) + 30_000), false);
        assert.equal(changes(ahead, {}, now + minutes(5) + 60_000), true);
        // The same link on a machine whose clock is five minutes behind.
        const behind = { expiresAt: "2026-11-20T12:01:00Z", clockSkewMs: minutes(5) };
        assert.equal(changes(behind, {}, now - minutes(5) + 30_000), false);
        assert.equal(changes(behind, {}, now - minutes(5) + 60_000), true);
    });
});
