import assert from "node:assert/strict";
import { BundleLifecycle } from "../../../provider/src/static-export-bundle/lifecycle.js";
import { LinkTests } from "../../../provider/src/static-export-bundle/link-tests.js";
import type { BundleInputs, BundleState } from "../../../provider/src/static-export-bundle/model.js";
import { FakePlatform } from "../support/fake-platform.js";
import { ProviderFixture } from "../support/provider-fixture.js";

const inputs: BundleInputs = { domain: "docs.example.com", version: "1", __provider: "shim" };
const ordinary = "https://bucket.example.com/se_1.tar.gz?X-Amz-Signature=0";
const temporary = `${ordinary}&X-Amz-Security-Token=t`;

describe("A bundle whose link may expire early", () => {
    let tested: string[];
    let isRefused: boolean;
    let isUp: boolean;
    let fixture: ProviderFixture<BundleLifecycle, FakePlatform>;
    let state: BundleState;
    beforeEach(async () => {
        [tested, isRefused, isUp] = [[], true, false];
        fixture = new ProviderFixture(
            (clock) => new FakePlatform(clock),
            (runtime) =>
                new BundleLifecycle(
                    runtime,
                    new LinkTests(
                        (url) => {
                            tested.push(url);
                            return Promise.resolve(isRefused);
                        },
                        () => Promise.resolve(isUp),
                    ),
                ),
        );
        state = (await fixture.lifecycle.create(inputs)).outs as BundleState;
    });
    afterEach(() => fixture.dispose());

    const refresh = async (olds: BundleState): Promise<BundleState> =>
        (await fixture.lifecycle.read(olds.domain, olds)).props as BundleState;
    const changes = async (olds: BundleState): Promise<boolean | undefined> =>
        (await fixture.lifecycle.diff(olds.domain, olds, inputs)).changes;

    it("is renewed by the update after a refresh that found its link refused, without an export", async () => {
        const refreshed = await refresh({ ...state, bundleUrl: temporary });
        assert.deepEqual(tested, [temporary]);
        assert.equal(await changes(refreshed), true);
        const renewed = (await fixture.lifecycle.update(inputs.domain, refreshed, inputs)).outs as BundleState;
        assert.notEqual(renewed.bundleUrl, temporary);
        assert.equal(renewed.jobId, state.jobId);
        assert.equal(await changes(renewed), false);
    });

    it("keeps an accepted link in a refresh", async () => {
        isRefused = false;
        const olds = { ...state, bundleUrl: temporary };
        assert.deepEqual(await refresh(olds), olds);
        assert.deepEqual(tested, [temporary]);
    });

    it("is renewed by pulumi up, which tests the link once, without an export", async () => {
        isUp = true;
        const olds = { ...state, bundleUrl: temporary };
        assert.equal(await changes(olds), true);
        assert.equal(await changes(olds), true);
        assert.deepEqual(tested, [temporary]);
        assert.match(
            fixture.lines.at(-1) ?? "",
            /^docs.example.com: the storage refuses its link, .* exports nothing$/,
        );
        const renewed = (await fixture.lifecycle.update(inputs.domain, olds, inputs)).outs as BundleState;
        assert.notEqual(renewed.bundleUrl, temporary);
        assert.equal(renewed.jobId, state.jobId);
    });

    it("does not change in pulumi up while the storage accepts its link", async () => {
        [isUp, isRefused] = [true, false];
        assert.equal(await changes({ ...state, bundleUrl: temporary }), false);
        assert.deepEqual(tested, [temporary]);
    });

    it("is not tested in a preview", async () => {
        assert.equal(await changes({ ...state, bundleUrl: temporary }), false);
        assert.deepEqual(tested, []);
    });

    for (const [what, change] of [
        ["an ordinary link", { bundleUrl: ordinary }],
        ["a link that the program does not renew", { bundleUrl: temporary, renewLink: false }],
        ["the link of an earlier export while a job is pending", { bundleUrl: temporary, pendingJobId: "se_1" }],
    ] as const) {
        it(`is not tested in a refresh with ${what}`, async () => {
            const olds = { ...state, ...change };
            assert.deepEqual(await refresh(olds), olds);
            assert.deepEqual(tested, []);
        });
    }
});
