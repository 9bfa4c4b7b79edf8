import assert from "node:assert/strict";
import { BundleLifecycle } from "../../../provider/src/static-export-bundle/lifecycle.js";
import type { BundleInputs, BundleState } from "../../../provider/src/static-export-bundle/model.js";
import { FakePlatform } from "../support/fake-platform.js";
import { ProviderFixture } from "../support/provider-fixture.js";

const inputs: BundleInputs = { domain: "docs.example.com", version: "1", __provider: "shim" };
const ordinary = "https://bucket.example.com/se_1.tar.gz?X-Amz-Signature=0";
const temporary = `${ordinary}&X-Amz-Security-Token=t`;

describe("A refresh of a bundle whose link may expire early", () => {
    let tested: string[];
    let isRefused: boolean;
    let fixture: ProviderFixture<BundleLifecycle, FakePlatform>;
    let state: BundleState;
    beforeEach(async () => {
        [tested, isRefused] = [[], true];
        fixture = new ProviderFixture(
            (clock) => new FakePlatform(clock),
            (runtime) =>
                new BundleLifecycle(runtime, (url) => {
                    tested.push(url);
                    return Promise.resolve(isRefused);
                }),
        );
        state = (await fixture.lifecycle.create(inputs)).outs as BundleState;
    });
    afterEach(() => fixture.dispose());

    const refresh = async (olds: BundleState): Promise<BundleState> =>
        (await fixture.lifecycle.read(olds.domain, olds)).props as BundleState;
    const changes = async (olds: BundleState): Promise<boolean | undefined> =>
        (await fixture.lifecycle.diff(olds.domain, olds, inputs)).changes;

    it("lets the next update renew a refused link, without an export", async () => {
        const refreshed = await refresh({ ...state, bundleUrl: temporary });
        assert.deepEqual(tested, [temporary]);
        assert.equal(await changes(refreshed), true);
        const renewed = (await fixture.lifecycle.update(inputs.domain, refreshed, inputs)).outs as BundleState;
        assert.notEqual(renewed.bundleUrl, temporary);
        assert.equal(renewed.jobId, state.jobId);
        assert.equal(await changes(renewed), false);
    });

    it("keeps an accepted link", async () => {
        isRefused = false;
        const olds = { ...state, bundleUrl: temporary };
        assert.deepEqual(await refresh(olds), olds);
        assert.deepEqual(tested, [temporary]);
    });

    for (const [what, change] of [
        ["an ordinary link", { bundleUrl: ordinary }],
        ["a link that the program does not renew", { bundleUrl: temporary, renewLink: false }],
        ["the link of an earlier export while a job is pending", { bundleUrl: temporary, pendingJobId: "se_1" }],
    ] as const) {
        it(`does not test ${what}`, async () => {
            const olds = { ...state, ...change };
            assert.deepEqual(await refresh(olds), olds);
            assert.deepEqual(tested, []);
        });
    }
});
