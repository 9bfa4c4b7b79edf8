import assert from "node:assert/strict";
import { linkOutlivesPods } from "../../../../policy/src/policies/releases/link-outlives-pods.js";
import { bundle, bundleInPreview, link, mirror, mirrorInPreview, release } from "../../support/resources.js";
import { type TestResource, unknown, validate, validateStack } from "../../support/run-policy.js";

describe("link-outlives-pods", () => {
    const check = (from: TestResource[], values: object = {}, config: object = {}) =>
        validateStack(
            linkOutlivesPods(),
            [...from, release({ staticExport: { enabled: true, bundleUrl: link }, ...values }, from)],
            config,
        );

    for (const [state, make, copy] of [
        ["is there", bundle, mirror],
        ["is about to be made", bundleInPreview, mirrorInPreview],
    ] as const) {
        describe(`if the export ${state}`, () => {
            it("accepts a link that is renewed before it expires", async () => {
                assert.deepEqual(await check([make({ renewBeforeSeconds: 3600 })]), []);
                assert.deepEqual(await check([make({ renewBeforeSeconds: unknown })]), []);
            });

            it("accepts a cache, even if its setting is unknown", async () => {
                assert.deepEqual(await check([make()], { cache: { enabled: true } }), []);
                assert.deepEqual(await check([make()], { cache: { enabled: unknown } }), []);
            });

            it("accepts a mirror with a public address, or with a long-lived link", async () => {
                assert.deepEqual(await check([copy(), make({ renewLink: false })]), []);
                assert.deepEqual(await check([copy({ publicUrl: null })]), []);
                assert.deepEqual(await check([copy({ publicUrl: null, urlExpirySeconds: 86400 })]), []);
            });

            for (const props of [{}, { renewBeforeSeconds: 0 }, { renewBeforeSeconds: 3600, renewLink: false }]) {
                it(`reports a bundle if nothing renews its link in time: ${JSON.stringify(props)}`, async () => {
                    const [violation] = await check([make(props)], { cache: { enabled: false } });
                    assert.match(
                        violation!.message,
                        /\nRelease "docs" serves the link of StaticExportBundle "docs", which/,
                    );
                    assert.match(violation!.message, /set renewBeforeSeconds/);
                    assert.equal(violation!.level, "advisory");
                });
            }

            it("reports a mirror whose link has a shorter lifetime than the configured minimum", async () => {
                const [violation] = await check([copy({ publicUrl: null, urlExpirySeconds: 3600 })]);
                assert.match(violation!.message, /BundleMirror "docs" that expires too early.*at least 86400/);
                const config = { minMirrorLinkSeconds: 3600 };
                assert.deepEqual(await check([copy({ publicUrl: null, urlExpirySeconds: 3600 })], {}, config), []);
            });
        });
    }

    it("follows the program, whose changed renewBeforeSeconds causes no diff and so changes no output", async () => {
        for (const [input, output, count] of [
            [3600, 0, 0],
            [0, 3600, 1],
        ] as const) {
            const policy = linkOutlivesPods();
            const exported = bundle({ renewBeforeSeconds: output });
            await validate(policy, bundleInPreview({ renewBeforeSeconds: input }));
            const served = release({ staticExport: { enabled: true, bundleUrl: link } }, [exported]);
            assert.equal((await validateStack(policy, [exported, served])).length, count);
        }
    });

    it("reports a link that lives shorter than renewBeforeSeconds", async () => {
        const day = 86_400;
        const [violation] = await check([bundle({ renewBeforeSeconds: day, linkLifetimeSeconds: 3600 })]);
        assert.match(violation!.message, /valid for only 3600 seconds, less than renewBeforeSeconds \(86400\)/);
        assert.deepEqual(await check([bundle({ renewBeforeSeconds: day, linkLifetimeSeconds: 7 * day })]), []);
    });

    it("advises an earlier renewal only if the link is valid for longer than a day, so that advice ends the report", async () => {
        for (const [linkLifetimeSeconds, isAdvised] of [
            [unknown, true],
            [3600, false],
            [7 * 86_400, true],
        ] as const) {
            const [violation] = await check([bundle({ renewBeforeSeconds: 0, linkLifetimeSeconds })]);
            assert.equal(violation!.message.includes("set renewBeforeSeconds"), isAdvised);
            assert.match(violation!.message, /put a BundleMirror between them/);
        }
    });

    it("compares the link's lifetime with renewBeforeSeconds exactly", async () => {
        const count = async (renewBeforeSeconds: number, linkLifetimeSeconds: number) =>
            (await check([bundle({ renewBeforeSeconds, linkLifetimeSeconds })])).length;
        assert.deepEqual([await count(3600, 3600), await count(3600, 3601), await count(1, 3600)], [1, 0, 0]);
    });

    it("does not advise an earlier renewal of a link that is valid for exactly a day", async () => {
        const [violation] = await check([bundle({ renewBeforeSeconds: 0, linkLifetimeSeconds: 86_400 })]);
        assert.doesNotMatch(violation!.message, /set renewBeforeSeconds/);
    });

    it("reports a mirror's short link only if the mirror has no public address", async () => {
        assert.deepEqual(await check([mirror({ urlExpirySeconds: 60 })]), []);
        assert.deepEqual(await check([mirror({ publicUrl: null, urlExpirySeconds: unknown })]), []);
        assert.deepEqual(await check([mirror({ publicUrl: unknown, urlExpirySeconds: 60 })]), []);
    });

    it("accepts a link whose renewal is unknown or on, and any that is not a number", async () => {
        const renewed = { renewBeforeSeconds: 3600 };
        for (const renewLink of [true, unknown]) {
            assert.deepEqual(await check([bundle({ ...renewed, renewLink })]), []);
        }
        assert.deepEqual(await check([bundle({ ...renewed, linkLifetimeSeconds: unknown })]), []);
        assert.deepEqual(await check([bundle({ renewBeforeSeconds: unknown, linkLifetimeSeconds: 60 })]), []);
        assert.equal((await check([bundle({ renewBeforeSeconds: "3600" })])).length, 1);
    });

    it("reports a release whose cache is off, even if the setting is a text", async () => {
        assert.equal((await check([bundle()], { cache: { enabled: "true" } })).length, 1);
    });

    it("reports the bundle of several whose link is not renewed", async () => {
        const other = bundle({ renewBeforeSeconds: 0 }, { name: "other" });
        const [violation, ...others] = await check([bundle({ renewBeforeSeconds: 3600 }), other]);
        assert.match(violation!.message, /StaticExportBundle "other"/);
        assert.deepEqual(others, []);
    });

    it("reports a release if one of its sections has no cache", async () => {
        const section = { staticExport: { enabled: true, bundleUrl: link } };
        const values = { one: { ...section, cache: { enabled: true } }, two: section };
        const all = [bundle(), release(values, [bundle()])];
        assert.equal((await validateStack(linkOutlivesPods(), all)).length, 1);
    });

    it("ignores a disabled release, and a release without an export", async () => {
        assert.deepEqual(await check([bundle()], { staticExport: { enabled: false } }), []);
        assert.deepEqual(await check([]), []);
    });
});
