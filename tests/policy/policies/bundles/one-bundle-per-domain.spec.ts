import assert from "node:assert/strict";
import { oneBundlePerDomain } from "../../../../policy/src/policies/bundles/one-bundle-per-domain.js";
import { bundle, bundleInPreview, exportJob, mirror } from "../../support/resources.js";
import { unknown, validateStack } from "../../support/run-policy.js";

describe("one-bundle-per-domain", () => {
    it("refuses a second bundle of the same domain, regardless of case, and names both bundles", async () => {
        const second = bundle({ domain: "DOCS.example.com" }, { name: "second" });
        for (const order of [
            [bundleInPreview(), second],
            [second, bundleInPreview()],
        ]) {
            const [violation, ...others] = await validateStack(oneBundlePerDomain, order);
            assert.deepEqual(others, []);
            assert.match(
                violation!.message,
                /\nStaticExportBundle "second" exports the same domain as StaticExportBundle "docs"/,
            );
            assert.match(violation!.urn, /::second$/);
        }
    });

    it("accepts mirrors, and bundles with different or unknown domains", async () => {
        const resources = [
            bundle(),
            mirror(),
            exportJob({}, { name: "job" }),
            bundle({ domain: "api.example.com" }, { name: "api" }),
            bundleInPreview({ domain: unknown }, { name: "a" }),
            bundleInPreview({ domain: unknown }, { name: "b" }),
        ];
        assert.deepEqual(await validateStack(oneBundlePerDomain, resources), []);
    });
});
