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
    let fixture: ProviderFixture<BundleLifecycle, FakePlatform>;
    let state: BundleState;
    beforeEach(async () => {
        [tested, isRefused] = [[], true];
        fixture = new ProviderFixture(
            (clock) => new FakePlatform(clock),
            (runtime) =>
                new BundleLifecycle(
                    runtime,
                    new LinkTests((url) => {
                        tested.push(url);
                        return Promise.resolve(isRefused);
                    }),
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

    it("is renewed even if the platform's clock is behind", async () => {
        fixture.server.skewMs = -3600_000;
        const behind = (await fixture.lifecycle.create({ ...inputs, version: "2" })).outs as BundleState;
        const refreshed = await refresh({ ...behind, bundleUrl: temporary });
        assert.equal(
            (await fixture.lifecycle.diff(inputs.domain, refreshed, { ...inputs, version: "2" })).changes,
            true,
        );
    });

    it("keeps an accepted link in a refresh", async () => {
        isRefused = false;
        const olds = { ...state, bundleUrl: temporary };
        assert.deepEqual(await refresh(olds), olds);
        assert.deepEqual(tested, [temporary]);
    });

    it("is renewed an hour after it was received, without a request to the storage and without an export", async () => {
        fixture.server.linkQuery = "&X-Amz-Security-Token=t";
        fixture.server.linkTtlMs = 7 * 86_400_000;
        const received = (await fixture.lifecycle.update(inputs.domain, { ...state, bundleUrl: temporary }, inputs))
            .outs as BundleState;
        assert.equal(Date.parse(received.expiresAt ?? ""), Math.floor(fixture.clock.now() + 3600_000));
        fixture.clock.pass(3599_000);
        assert.equal(await changes(received), false);
        fixture.clock.pass(1000);
        assert.equal(await changes(received), true);
        const renewed = (await fixture.lifecycle.update(inputs.domain, received, inputs)).outs as BundleState;
        assert.notEqual(renewed.bundleUrl, received.bundleUrl);
        assert.equal(renewed.jobId, state.jobId);
        assert.deepEqual(tested, []);
    });

    it("expires when it says so if that is earlier", async () => {
        fixture.server.linkQuery = "&X-Amz-Security-Token=t";
        fixture.server.linkTtlMs = 600_000;
        const { expiresAt } = (await fixture.lifecycle.create({ ...inputs, version: "2" })).outs as BundleState;
        assert.ok(Date.parse(expiresAt ?? "") <= fixture.clock.now() + 600_000);
    });

    it("is tested at most once by a process, even if several bundles have the same link", async () => {
        const olds = { ...state, bundleUrl: temporary };
        const refreshed = await Promise.all([refresh(olds), refresh(olds)]);
        refreshed.push(await refresh(olds));
        assert.deepEqual(await Promise.all(refreshed.map(changes)), [true, true, true]);
        assert.deepEqual(tested, [temporary]);
    });

    it("is tested by neither a preview nor pulumi up", async () => {
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
