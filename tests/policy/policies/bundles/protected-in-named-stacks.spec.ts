import assert from "node:assert/strict";
import { protectedInNamedStacks } from "../../../../policy/src/policies/bundles/protected-in-named-stacks.js";
import { bundleInPreview, link, release } from "../../support/resources.js";
import { validate } from "../../support/run-policy.js";

const site = release({ staticExport: { enabled: true, bundleUrl: link } });

describe("protected-in-named-stacks", () => {
    for (const [kind, resource] of [
        ["StaticExportBundle", bundleInPreview()],
        ["Release", site],
    ] as const) {
        it(`reports an unprotected ${kind} in a production stack`, async () => {
            const [violation] = await validate(protectedInNamedStacks, { ...resource, stack: "prod" });
            assert.match(violation!.message, new RegExp(`\\n${kind} "docs" is not protected.*Set protect: true`));
            assert.equal(violation!.level, "advisory");
        });

        it(`accepts a ${kind} that is protected, or in another stack`, async () => {
            assert.deepEqual(await validate(protectedInNamedStacks, { ...resource, stack: "prod", protect: true }), []);
            assert.deepEqual(await validate(protectedInNamedStacks, { ...resource, stack: "dev" }), []);
        });
    }

    it("ignores other releases, and other resources with such values", async () => {
        assert.deepEqual(await validate(protectedInNamedStacks, { ...release({ replicas: 2 }), stack: "prod" }), []);
        assert.deepEqual(
            await validate(protectedInNamedStacks, { ...site, type: "my:index:Release", stack: "prod" }),
            [],
        );
    });
});
