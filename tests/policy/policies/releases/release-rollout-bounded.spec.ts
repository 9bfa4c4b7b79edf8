import assert from "node:assert/strict";
import { releaseRolloutBounded } from "../../../../policy/src/policies/releases/release-rollout-bounded.js";
import { link, release } from "../../support/resources.js";
import { remediate, secret, unknown, validate } from "../../support/run-policy.js";

const good = { atomic: true, cleanupOnFail: true, timeout: 600 };

describe("release-rollout-bounded", () => {
    const values = { staticExport: { enabled: true, bundleUrl: link } };

    it("does not change a release that is atomic, cleans up and has a bounded timeout", async () => {
        assert.equal(await remediate(releaseRolloutBounded, release(values, [], good)), undefined);
        assert.deepEqual(await validate(releaseRolloutBounded, release(values, [], good)), []);
    });

    for (const [title, props, remedied] of [
        ["nothing is set", {}, good],
        ["it is not atomic", { ...good, atomic: false }, good],
        ["it does not clean up", { ...good, cleanupOnFail: false }, good],
        ["there is no timeout", { atomic: true, cleanupOnFail: true }, good],
        ["the timeout is 0", { ...good, timeout: 0 }, good],
        ["the timeout is too long", { ...good, timeout: 7200 }, good],
    ] as const) {
        it(`remediates a release if ${title}, and reports it if the remediation is off`, async () => {
            const remediated = await remediate(releaseRolloutBounded, release(values, [], props));
            const { atomic, cleanupOnFail, timeout } = remediated!;
            assert.deepEqual({ atomic, cleanupOnFail, timeout }, remedied);
            const [violation] = await validate(releaseRolloutBounded, release(values, [], props));
            assert.match(violation!.message, /\nRelease "docs" may leave an incomplete rollout behind: set /);
        });
    }

    it("names every setting that is missing", async () => {
        const [violation] = await validate(releaseRolloutBounded, release(values));
        assert.match(
            violation!.message,
            /: set atomic: true, cleanupOnFail: true, timeout to between 1 and 1800 seconds\.$/,
        );
    });

    for (const [timeout, isAccepted] of [
        [0.5, false],
        [1, true],
        [1800, true],
        [1801, false],
        ["600", false],
    ] as const) {
        it(`${isAccepted ? "accepts" : "reports"} the timeout ${JSON.stringify(timeout)}`, async () => {
            const violations = await validate(releaseRolloutBounded, release(values, [], { ...good, timeout }));
            assert.equal(violations.length, isAccepted ? 0 : 1);
        });
    }

    it("preserves secrets, unknown values and the serialised provider", async () => {
        const props = { __provider: "text", postrender: unknown, description: secret("5ecret"), extra: [unknown] };
        const given = { staticExport: { enabled: true, bundleUrl: secret(unknown) }, password: secret("5ecret") };
        const remediated = await remediate(releaseRolloutBounded, release(given, [], props));
        assert.deepEqual(remediated, { ...release(given, [], props).props, ...good });
    });

    it("finds the section if all values are a single secret, and keeps the values secret", async () => {
        const remediated = await remediate(releaseRolloutBounded, release(secret(values)));
        assert.deepEqual(remediated?.values, secret(values));
        assert.equal(remediated?.atomic, true);
    });

    it("does not change unknown settings", async () => {
        const props = { atomic: unknown, cleanupOnFail: unknown, timeout: unknown };
        assert.equal(await remediate(releaseRolloutBounded, release(values, [], props)), undefined);
        assert.deepEqual(await validate(releaseRolloutBounded, release(values, [], props)), []);
    });

    it("ignores releases without an export, and other resources", async () => {
        assert.equal(await remediate(releaseRolloutBounded, release({ replicas: 2 })), undefined);
        assert.equal(await remediate(releaseRolloutBounded, release(unknown)), undefined);
        const other = { ...release(values), type: "my:index:Release" };
        assert.equal(await remediate(releaseRolloutBounded, other), undefined);
    });

    it("reads its limits from the configuration", async () => {
        const config = { maxTimeoutSeconds: 300, timeoutSeconds: 600 };
        assert.equal((await remediate(releaseRolloutBounded, release(values, [], good), config))?.timeout, 300);
    });
});
