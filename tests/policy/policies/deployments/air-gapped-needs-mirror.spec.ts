import assert from "node:assert/strict";
import { airGappedNeedsMirror } from "../../../../policy/src/policies/deployments/air-gapped-needs-mirror.js";
import { bundle, bundleInPreview, link, mirror, mirrorInPreview, release, site } from "../../support/resources.js";
import { type TestResource, validateStack } from "../../support/run-policy.js";

const values = { staticExport: { enabled: true, bundleUrl: link } };

describe("air-gapped-needs-mirror", () => {
    const check = (from: TestResource[], deploymentType?: string, parent?: TestResource) =>
        validateStack(
            airGappedNeedsMirror,
            [...(parent ? [parent] : []), ...from, { ...release(values, from), ...(parent && { parent }) }],
            deploymentType ? { deploymentType } : {},
        );

    for (const [state, make, copy] of [
        ["is there", bundle, mirror],
        ["is about to be made", bundleInPreview, mirrorInPreview],
    ] as const) {
        it(`refuses an air-gapped release with the platform's link, if the export ${state}`, async () => {
            const [violation] = await check([make()], "air-gapped");
            assert.match(violation!.message, /\nRelease "docs" runs air-gapped.*Declare a BundleMirror/);
            assert.equal(violation!.level, "mandatory");
        });

        it(`accepts an air-gapped release with a mirror's address, if the export ${state}`, async () => {
            assert.deepEqual(await check([copy(), make()], "air-gapped"), []);
        });
    }

    it("reads the deployment type of a DocumentationSite instead of the configured type", async () => {
        assert.equal((await check([bundle()], "cloud", site("air-gapped"))).length, 1);
        assert.deepEqual(await check([bundle()], "air-gapped", site("cloud")), []);
    });

    it("reads the deployment type of a DocumentationSite further above", async () => {
        const component: TestResource = { type: "my:index:Docs", name: "docs", parent: site("air-gapped") };
        const inside = { ...release(values, [bundle()]), parent: component };
        const all = [component.parent!, component, bundle(), inside];
        assert.equal((await validateStack(airGappedNeedsMirror, all)).length, 1);
    });

    it("uses the configured type if a DocumentationSite has an unknown one", async () => {
        assert.equal((await check([bundle()], "air-gapped", site("moon"))).length, 1);
        assert.equal((await check([bundle()], "air-gapped", site(undefined))).length, 1);
    });

    it("ignores a disabled release, and a link that comes from no export", async () => {
        const disabled = release({ staticExport: { enabled: false, bundleUrl: link } }, [bundle()]);
        const config = { deploymentType: "air-gapped" };
        assert.deepEqual(await validateStack(airGappedNeedsMirror, [bundle(), disabled], config), []);
        assert.deepEqual(await validateStack(airGappedNeedsMirror, [release(values)], config), []);
    });

    it("ignores other deployments and missing deployment types", async () => {
        assert.deepEqual(await check([bundle()], "cloud"), []);
        assert.deepEqual(await check([bundle()], "client-hosted"), []);
        assert.deepEqual(await check([bundle()]), []);
    });
});
