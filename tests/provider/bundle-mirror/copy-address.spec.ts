import assert from "node:assert/strict";
import { addressOf, keyOf } from "../../../provider/src/bundle-mirror/storage/copy-address.js";

describe("The place of a mirror's copy", () => {
    it("is named after the job that is served, in the mirror's folder", () => {
        const mirror = { bucket: "docs", jobId: "se_2" };
        assert.equal(keyOf(mirror), "static-exports/se_2.tar.gz");
        assert.equal(keyOf({ ...mirror, prefix: "" }), "se_2.tar.gz");
        assert.equal(addressOf({ ...mirror, pin: "se_1" }), "s3://docs/static-exports/se_1.tar.gz");
    });
});
