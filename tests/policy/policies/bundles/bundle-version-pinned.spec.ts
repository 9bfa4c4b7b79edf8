import assert from "node:assert/strict";
import { bundleVersionPinned } from "../../../../policy/src/policies/bundles/bundle-version-pinned.js";
import { bundleInPreview, exportJob, release } from "../../support/resources.js";
import { unknown, validate } from "../../support/run-policy.js";

describe("bundle-version-pinned", () => {
    const check = (props: object, stack: string, config: object = {}) =>
        validate(bundleVersionPinned, bundleInPreview(props, { stack }), config);

    it("refuses a bundle without a version in a production stack", async () => {
        const [violation] = await check({}, "production");
        assert.match(violation!.message, /\nStaticExportBundle "docs" has no version, so it exports whatever/);
        assert.equal(violation!.level, "mandatory");
    });

    it("refuses a StaticExportJob without a version, and accepts the bundle that waits for it", async () => {
        const stack = "production";
        const [violation] = await validate(bundleVersionPinned, exportJob({}, { stack }));
        assert.match(violation!.message, /\nStaticExportJob "docs" has no version/);
        assert.deepEqual(await check({ jobId: unknown }, stack), []);
    });

    for (const props of [{ version: "1" }, { version: unknown }, { jobId: "se_1" }, { jobId: unknown }]) {
        it(`accepts ${JSON.stringify(props)}`, async () => {
            assert.deepEqual(await check(props, "prod"), []);
        });
    }

    it("ignores other stacks and other resources", async () => {
        assert.deepEqual(await check({}, "dev"), []);
        assert.deepEqual(await validate(bundleVersionPinned, { ...release({}), stack: "prod" }), []);
    });

    for (const [pattern, stack, holds] of [
        ["live", "live", true],
        ["live", "live-eu", false],
        ["live-*", "live-eu", true],
        ["*-eu", "live-eu", true],
        ["l*e-*", "live-eu", true],
        ["*", "anything", true],
        ["a*a", "a", false],
        ["li.e", "live", false],
    ] as const) {
        it(`${holds ? "applies" : "does not apply"} in the stack ${stack} if ${pattern} is configured`, async () => {
            assert.equal((await check({}, stack, { stacks: [pattern] })).length, holds ? 1 : 0);
        });
    }

    it("matches a pattern with many asterisks quickly", async () => {
        assert.deepEqual(await check({}, "a".repeat(200), { stacks: [`${"*a".repeat(60)}*b`] }), []);
    });
});
