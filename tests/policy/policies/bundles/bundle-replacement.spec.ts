import assert from "node:assert/strict";
import { bundleReplacement } from "../../../../policy/src/policies/bundles/bundle-replacement.js";
import { bundleInPreview, exportJob } from "../../support/resources.js";
import { validate } from "../../support/run-policy.js";

describe("bundle-replacement", () => {
    it("reports a bundle whose domain changes in a production stack, without showing either domain", async () => {
        const replaced = bundleInPreview({ replacesDomain: true }, { stack: "prod" });
        const [violation] = await validate(bundleReplacement, replaced);
        assert.match(violation!.message, /\nStaticExportBundle "docs" gets another domain, so Pulumi replaces it/);
        assert.doesNotMatch(violation!.message, /docs\.example\.com/);
        assert.equal(violation!.level, "advisory");
    });

    it("ignores other resources", async () => {
        const job = exportJob({ replacesDomain: true }, { stack: "prod" });
        assert.deepEqual(await validate(bundleReplacement, job), []);
    });

    it("ignores a bundle with an unchanged domain, and bundles in other stacks", async () => {
        assert.deepEqual(await validate(bundleReplacement, bundleInPreview({}, { stack: "prod" })), []);
        assert.deepEqual(await validate(bundleReplacement, bundleInPreview({ replacesDomain: true })), []);
    });
});
