import assert from "node:assert/strict";
import { updateType } from "@pulumi-static-export/contract";
import { exportsWhatWasUpdated } from "../../../../policy/src/policies/bundles/exports-what-was-updated.js";
import { bundle, bundleInPreview, exportJob, mirror } from "../../support/resources.js";
import { type TestResource, unknown, validate, validateStack } from "../../support/run-policy.js";

const update: TestResource = { type: updateType, name: "docs", props: { projectId: "docs" } };

/** Returns the rule's reports about a resource, which the rule receives first with inputs and then with outputs. */
async function check(inputs: TestResource, whole: TestResource[] = [inputs]) {
    const policy = { ...exportsWhatWasUpdated(), enforcementLevel: "mandatory" as const };
    assert.deepEqual(await validate(policy, inputs), []);
    return validateStack(policy, whole);
}

describe("exports-what-was-updated", () => {
    it("applies only if it is enabled", () => {
        assert.equal(exportsWhatWasUpdated().enforcementLevel, "disabled");
    });

    it("reports a bundle and a job without a version, job or trigger, even after the bundle is exported", async () => {
        const [violation, ...others] = await check(bundleInPreview(), [bundle()]);
        assert.deepEqual(others, []);
        assert.match(violation!.message, /\nStaticExportBundle "docs" has neither a version nor a trigger/);
        assert.match((await check(exportJob()))[0]!.message, /\nStaticExportJob "docs" has neither/);
    });

    for (const props of [{ version: "1" }, { version: unknown }, { jobId: "se_1" }, { jobId: unknown }]) {
        it(`accepts ${JSON.stringify(props)}`, async () => {
            assert.deepEqual(await check(bundleInPreview(props)), []);
        });
    }

    it("forgets a version that the program no longer sets", async () => {
        const policy = { ...exportsWhatWasUpdated(), enforcementLevel: "mandatory" as const };
        await validate(policy, bundleInPreview({ version: "1" }));
        await validate(policy, bundleInPreview());
        assert.equal((await validateStack(policy, [bundle()])).length, 1);
    });

    it("accepts one trigger of several that comes from an update", async () => {
        const other: TestResource = { type: "my:index:Clock", name: "clock" };
        const triggered = bundleInPreview({}, { from: { triggers: [other, update] } });
        assert.deepEqual(await check(triggered, [other, update, triggered]), []);
    });

    it("ignores other resources", async () => {
        const copy = mirror();
        const policy = { ...exportsWhatWasUpdated(), enforcementLevel: "mandatory" as const };
        assert.deepEqual(await validateStack(policy, [copy, update]), []);
    });

    it("accepts a trigger that comes from an update, and reports any other trigger", async () => {
        const triggered = (from: TestResource) => bundleInPreview({ triggers: ["a"] }, { from: { triggers: [from] } });
        assert.deepEqual(await check(triggered(update), [update, triggered(update)]), []);
        const ofPlugin = { ...update, type: "static-export:index:DocumentationUpdate" };
        assert.deepEqual(await check(triggered(ofPlugin), [ofPlugin, triggered(ofPlugin)]), []);
        const other = bundle({}, { name: "other" });
        assert.equal((await check(triggered(other), [triggered(other)])).length, 1);
    });
});
