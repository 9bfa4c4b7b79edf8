import assert from "node:assert/strict";
import { releaseLinkEnabled } from "../../../../policy/src/policies/releases/release-link-enabled.js";
import { bundle, bundleInPreview, link, mirrorInPreview, release } from "../../support/resources.js";
import { type TestResource, unknown, validate, validateStack } from "../../support/run-policy.js";

describe("release-link-enabled", () => {
    const check = (staticExport: unknown) => validate(releaseLinkEnabled, release({ staticExport }));
    const checkStack = (staticExport: unknown, from: TestResource[] = []) =>
        validateStack(releaseLinkEnabled, [...from, release({ staticExport }, from)]);

    it("accepts an enabled section with a link", async () => {
        assert.deepEqual(await check({ enabled: true, bundleUrl: link }), []);
        assert.deepEqual(await checkStack({ enabled: true, bundleUrl: link }, [bundle()]), []);
    });

    it("accepts an unknown or omitted link before the job has run", async () => {
        assert.deepEqual(await check({ enabled: true }), []);
        assert.deepEqual(await checkStack({ enabled: true }, [bundleInPreview()]), []);
        assert.deepEqual(await checkStack({ enabled: true }, [mirrorInPreview()]), []);
        assert.deepEqual(await check({ enabled: true, bundleUrl: unknown }), []);
    });

    it("accepts a disabled section without a link", async () => {
        for (const staticExport of [{ enabled: false }, { enabled: false, bundleUrl: "" }]) {
            assert.deepEqual(await check(staticExport), []);
            assert.deepEqual(await checkStack(staticExport), []);
        }
    });

    for (const [title, enabled] of [
        ["is off", { enabled: false }],
        ["is left out", {}],
        ["is a string", { enabled: "true" }],
    ] as const) {
        it(`refuses a link if enabled ${title}, before changing the release and without showing the link`, async () => {
            const [violation, ...others] = await check({ ...enabled, bundleUrl: link });
            assert.equal(others.length, 0);
            assert.match(violation!.message, /\nRelease "docs" has a link in values\.staticExport\.bundleUrl, but/);
            assert.match(violation!.message, /Set values\.staticExport\.enabled to true, or remove the link\.$/);
            assert.doesNotMatch(violation!.message, /example\.com|5ecret/);
            assert.equal(violation!.level, "mandatory");
        });
    }

    it("refuses an unknown link if enabled is false", async () => {
        const [violation] = await checkStack({ enabled: false }, [bundleInPreview()]);
        assert.match(violation!.message, /Release "docs" has a link/);
        assert.match(violation!.urn, /::docs$/);
    });

    it("accepts a section without enabled while the link is unknown, because enabled may also be unknown", async () => {
        assert.deepEqual(await checkStack({ version: "1" }, [bundleInPreview()]), []);
        assert.deepEqual(await checkStack({ enabled: false }, [bundle()]), []);
    });

    it("finds a section with other keys if its values come from an export", async () => {
        const [violation] = await checkStack({ enabled: true, outputDir: "out" }, [bundle()]);
        assert.match(violation!.message, /sets values\.staticExport\.enabled to true without a link/);
    });

    it("ignores other resources with such values", async () => {
        const other = { ...release({ staticExport: { enabled: false, bundleUrl: link } }), type: "my:index:Release" };
        assert.deepEqual(await validate(releaseLinkEnabled, other), []);
    });

    it("reports a known link for the resource, and not again for the stack", async () => {
        assert.deepEqual(await checkStack({ enabled: false, bundleUrl: link }, [bundle()]), []);
    });

    for (const [title, bundleUrl] of [
        ["left out", {}],
        ["empty", { bundleUrl: "" }],
        ["null", { bundleUrl: null }],
    ] as const) {
        it(`refuses an enabled section if the link is ${title}`, async () => {
            for (const from of [[], [bundle()]]) {
                const [violation] = await checkStack({ enabled: true, ...bundleUrl }, from);
                assert.match(violation!.message, /Release "docs" sets values\.staticExport\.enabled to true without/);
            }
        });
    }

    it("reports nothing if enabled, the section or all values are unknown", async () => {
        assert.deepEqual(await check({ enabled: unknown, bundleUrl: link }), []);
        assert.deepEqual(await check(unknown), []);
        assert.deepEqual(await validate(releaseLinkEnabled, release(unknown)), []);
        assert.deepEqual(await checkStack({ enabled: unknown }, [bundleInPreview()]), []);
        assert.deepEqual(await validateStack(releaseLinkEnabled, [release(unknown, [bundleInPreview()])]), []);
    });

    it("ignores a link that may come from another resource", async () => {
        const store = { type: "my:index:ArtifactStore", name: "store" };
        assert.deepEqual(await checkStack({ enabled: true }, [store]), []);
    });

    it("finds the section of a subchart, and names its path", async () => {
        const [violation] = await validate(
            releaseLinkEnabled,
            release({ docs: { staticExport: { enabled: false, bundleUrl: link } } }),
        );
        assert.match(violation!.message, /Set values\.docs\.staticExport\.enabled to true/);
    });

    for (const staticExport of [true, "out", ["a"], {}, { enabled: true, outputDir: "out" }, { folder: "out" }]) {
        it(`ignores a chart that uses the section differently: ${JSON.stringify(staticExport)}`, async () => {
            assert.deepEqual(await check(staticExport), []);
            assert.deepEqual(await checkStack(staticExport), []);
        });
    }
});
