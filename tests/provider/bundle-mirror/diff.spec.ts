import assert from "node:assert/strict";
import { diffMirror } from "../../../provider/src/bundle-mirror/diff.js";
import type { MirrorState } from "../../../provider/src/bundle-mirror/model.js";

const inputs = { jobId: "se_42", bucket: "docs-bundles", timeoutSeconds: 60 };
const now = Date.parse("2026-11-20T12:00:00Z");
const state: MirrorState = {
    ...inputs,
    key: "static-exports/se_42.tar.gz",
    url: "https://storage.example.com/docs-bundles/static-exports/se_42.tar.gz?X-Amz-Signature=abc",
    urlExpiresAt: "2026-11-27T00:00:00.000Z",
    urlRenewAt: "2026-11-23T12:00:00.000Z",
    sha256: "ab".repeat(32),
    sizeBytes: 1,
};

describe("a BundleMirror that is compared with its state", () => {
    it("shows no diff while the export and the destination are unchanged, even if the export's link changes", () => {
        assert.deepEqual(diffMirror(state, inputs, now), { changes: false });
    });

    for (const change of [{ jobId: "se_43" }, { bucket: "other" }, { prefix: "docs/" }]) {
        it(`replaces the copy when ${Object.keys(change).join()} changes, and keeps the old copy until then`, () => {
            const diff = diffMirror(state, { ...inputs, ...change }, now);
            assert.deepEqual(diff, { changes: true, replaces: Object.keys(change) });
        });
    }

    for (const change of [
        { endpoint: "https://storage.example.com" },
        { region: "eu-central-1" },
        { pathStyle: true },
        { publicUrl: "https://bundles.example.com" },
        { urlExpirySeconds: 3600 },
        { deleteOnRemoval: true },
        { keep: 3 },
        { pin: "se_42" },
    ]) {
        it(`updates in place when ${Object.keys(change).join()} changes, because the object may stay the same`, () => {
            assert.deepEqual(diffMirror(state, { ...inputs, ...change }, now), { changes: true });
        });
    }

    it("treats a missing prefix as the default prefix, because a replacement would delete its own new copy", () => {
        assert.deepEqual(diffMirror(state, { ...inputs, prefix: "static-exports/" }, now), { changes: false });
        const explicit = { ...state, prefix: "static-exports/" };
        assert.deepEqual(diffMirror(explicit, inputs, now), { changes: false });
        assert.deepEqual(diffMirror(state, { ...inputs, prefix: "" }, now).replaces, ["prefix"]);
    });

    it("replaces the copy when the pinned job changes, but not for a new export while a job is pinned", () => {
        assert.deepEqual(diffMirror(state, { ...inputs, pin: "se_41" }, now), { changes: true, replaces: ["pin"] });
        const pinned = { ...state, pin: "se_41" };
        assert.deepEqual(diffMirror(pinned, { ...inputs, pin: "se_41" }, now), { changes: false });
        assert.deepEqual(diffMirror(pinned, { ...inputs, jobId: "se_43", pin: "se_41" }, now), { changes: true });
        assert.deepEqual(diffMirror(pinned, inputs, now), { changes: true, replaces: ["pin"] });
    });

    it("shows no diff when a timeout changes", () => {
        assert.deepEqual(diffMirror(state, { ...inputs, timeoutSeconds: 61 }, now), { changes: false });
    });

    it("renews a presigned link after half of its lifetime, but never a public address", () => {
        const due = Date.parse(String(state.urlRenewAt));
        assert.deepEqual(diffMirror(state, inputs, due - 1), { changes: false });
        assert.deepEqual(diffMirror(state, inputs, due), { changes: true });
        const publicState: MirrorState = { ...state };
        delete publicState.urlRenewAt;
        assert.deepEqual(diffMirror(publicState, inputs, due + 1e12), { changes: false });
    });
});
