import assert from "node:assert/strict";
import { releaseLinkSource } from "../../../../policy/src/policies/releases/release-link-source.js";
import { bundle, bundleInPreview, link, mirror, mirrorInPreview, release } from "../../support/resources.js";
import { type TestResource, unknown, validateStack } from "../../support/run-policy.js";

describe("release-link-source", () => {
    const check = (bundleUrl: unknown, from: TestResource[] = [], config: object = {}) =>
        validateStack(
            releaseLinkSource,
            [...from, release({ staticExport: { enabled: true, ...(bundleUrl ? { bundleUrl } : {}) } }, from)],
            config,
        );

    it("accepts the link of a bundle and the address of a mirror", async () => {
        assert.deepEqual(await check(link, [bundle()]), []);
        assert.deepEqual(await check(mirror().props!["url" as never], [bundle(), mirror()]), []);
    });

    it("accepts an unknown link", async () => {
        assert.deepEqual(await check(undefined, [bundleInPreview()]), []);
        assert.deepEqual(await check(undefined, [mirrorInPreview()]), []);
        assert.deepEqual(await check(unknown, [bundleInPreview()]), []);
        assert.deepEqual(await validateStack(releaseLinkSource, [release(unknown, [bundleInPreview()])]), []);
    });

    it("accepts an address that is derived from a bundle's link, such as the address of a proxy", async () => {
        assert.deepEqual(await check(link.replace("bundles.example.com", "proxy.internal"), [bundle()]), []);
        assert.deepEqual(await check(`https://proxy.internal/?from=${encodeURIComponent(link)}`, [bundle()]), []);
    });

    it("refuses a literal link that shares only a short name with the link of a bundle", async () => {
        const short = bundle({ bundleUrl: "https://bundles.example.com/abc", jobId: "se" });
        assert.equal((await check("https://abc.example.com/se/other.tar.gz", [short])).length, 1);
        assert.deepEqual(await check("https://bundles.example.com/abc", [short]), []);
    });

    it("accepts an address that contains the bundle's job", async () => {
        assert.deepEqual(await check("https://proxy.internal/exports/se_1", [bundle()]), []);
    });

    it("ignores other resources with such values", async () => {
        const other = { ...release({ staticExport: { enabled: true, bundleUrl: link } }), type: "my:index:Release" };
        assert.deepEqual(await validateStack(releaseLinkSource, [other]), []);
    });

    it("compares the file names of links, whose jobs may be unknown", async () => {
        const pending = bundle({ jobId: unknown });
        assert.deepEqual(await check(link.replace("bundles.example.com", "proxy.internal"), [pending]), []);
        assert.equal((await check("https://proxy.internal/other.tar.gz", [pending])).length, 1);
    });

    it("refuses a link that is not a text", async () => {
        assert.equal((await check(42, [bundle()])).length, 1);
    });

    it("accepts the output of a component that contains the bundle", async () => {
        const component: TestResource = { type: "my:index:Docs", name: "docs" };
        const inner: TestResource = { type: "my:index:Part", name: "docs", parent: component };
        const served = release({ staticExport: { enabled: true, bundleUrl: link } }, [component]);
        for (const parent of [component, inner]) {
            const inside = bundle({}, { parent });
            assert.deepEqual(await validateStack(releaseLinkSource, [component, inner, inside, served]), []);
        }
        assert.equal((await validateStack(releaseLinkSource, [component, inner, bundle(), served])).length, 1);
    });

    it("accepts the links of several bundles, in one release and in several releases", async () => {
        const other = bundle({ bundleUrl: link.replace("se_1", "se_22"), jobId: "se_22" }, { name: "other" });
        assert.deepEqual(await check(link, [other, bundle()]), []);
    });

    it("refuses a literal link without showing the link", async () => {
        const [violation] = await check(link);
        assert.match(
            violation!.message,
            /\nRelease "docs" has a link in values\.staticExport\.bundleUrl that comes from/,
        );
        assert.match(
            violation!.message,
            /Set values\.staticExport\.bundleUrl to the bundleUrl of a StaticExportBundle/,
        );
        assert.doesNotMatch(violation!.message, /example\.com|5ecret|se_1/);
        assert.equal(violation!.level, "mandatory");
    });

    for (const [state, from] of [
        ["is there", bundle({ bundleUrl: link.replace("se_1", "se_22"), jobId: "se_22" })],
        ["is about to change", bundleInPreview()],
    ] as const) {
        it(`refuses a literal link next to the version of a bundle if the export ${state}`, async () => {
            const [violation] = await check(link, [from]);
            assert.match(violation!.message, /Take the whole section from one export/);
        });
    }

    it("refuses a link from another stack, and explains how to adopt its job", async () => {
        const [violation] = await check(link, [{ type: "pulumi:pulumi:StackReference", name: "staging" }]);
        assert.match(violation!.message, /comes from another stack.*with the jobId of that stack's export/);
    });

    it("refuses the output of another resource, unless its type is configured", async () => {
        const store = { type: "my:index:ArtifactStore", name: "store" };
        assert.equal((await check(link, [store])).length, 1);
        assert.deepEqual(await check(link, [store], { allowedSources: [store.type] }), []);
    });
});
