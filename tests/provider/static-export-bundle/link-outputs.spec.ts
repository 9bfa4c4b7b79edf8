import assert from "node:assert/strict";
import { linkOutputs } from "../../../provider/src/static-export-bundle/link-outputs.js";

const now = Date.parse("2026-11-20T12:00:00Z");
const after = (ms: number) => new Date(now + ms).toISOString();
const ordinary = "https://bundles.example.com/se_1.tar.gz?X-Amz-Signature=0";
const temporary = `${ordinary}&X-Amz-Security-Token=t`;

const outputsOf = (link: { bundleUrl?: string; expiresAt?: string; serverTimeAt?: string }) =>
    linkOutputs({ jobId: "se_1", bundleUrl: ordinary, ...link }, now);

describe("The outputs of a link", () => {
    it("store how far the platform's clock is ahead or behind from five seconds on", () => {
        const skews = [undefined, after(4999), after(-4999), after(5000), after(-5000)].map(
            (serverTimeAt) => outputsOf(serverTimeAt === undefined ? {} : { serverTimeAt }).clockSkewMs,
        );
        assert.deepEqual(skews, [undefined, undefined, undefined, 5000, -5000]);
    });

    it("contain its lifetime by the platform's clock, unless it has expired or its expiry is unknown", () => {
        assert.equal(outputsOf({ expiresAt: after(90_000), serverTimeAt: after(30_000) }).linkLifetimeSeconds, 60);
        for (const expiresAt of [after(499), after(0), after(-60_000)]) {
            assert.equal(outputsOf({ expiresAt }).linkLifetimeSeconds, undefined);
        }
        assert.deepEqual(outputsOf({}), { jobId: "se_1", bundleUrl: ordinary });
    });

    it("trust a link of temporary credentials for an hour by the platform's clock, or until its own expiry", () => {
        const hour = 3600_000;
        for (const [expiresAt, trusted] of [
            [undefined, hour],
            [hour + 1, hour],
            [hour, hour],
            [hour - 1, hour - 1],
        ] as const) {
            const link = { bundleUrl: temporary, ...(expiresAt === undefined ? {} : { expiresAt: after(expiresAt) }) };
            assert.equal(outputsOf(link).expiresAt, after(trusted));
        }
        const ahead = outputsOf({ bundleUrl: temporary, serverTimeAt: after(hour) });
        assert.equal(ahead.expiresAt, after(2 * hour));
        assert.equal(outputsOf({ expiresAt: after(2 * hour) }).expiresAt, after(2 * hour));
    });
});
