import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { placeOf } from "../../../provider/src/bucket-site/model.js";

describe("The place of a BucketSite, which identifies it", () => {
    it("is the address of a bucket, a container or a folder", () => {
        assert.equal(placeOf({ bucket: "docs" }), "s3://docs/");
        assert.equal(placeOf({ bucket: "docs", prefix: "guide/" }), "s3://docs/guide/");
        assert.equal(placeOf({ container: "$web" }), "az://$web/");
        assert.equal(placeOf({ container: "$web", prefix: "guide/" }), "az://$web/guide/");
        // Windows adds the drive.
        assert.equal(placeOf({ folder: "/srv/docs" }), `${pathToFileURL(resolve("/srv/docs")).href}/`);
    });
});
