import assert from "node:assert/strict";
import type { BundleInputs } from "../../../provider/src/static-export-bundle/model.js";
import type { Operation } from "../support/fake-platform.js";
import type { Fault } from "../support/fake-server.js";
import { LifecycleFixture } from "../support/lifecycle-fixture.js";

const inputs: BundleInputs = { domain: "docs.example.com", timeoutSeconds: 60, __provider: "shim" };
const comeBackLater: Fault = { status: 429, retryAfter: "90" };

describe("the deadline of a StaticExportBundle", () => {
    let fixture: LifecycleFixture;
    beforeEach(() => {
        fixture = new LifecycleFixture();
    });
    afterEach(() => fixture.dispose());

    const secondsOfFailing = async (failing: Promise<unknown>) => {
        const startedMs = fixture.clock.now();
        await assert.rejects(failing);
        return (fixture.clock.now() - startedMs) / 1000;
    };

    for (const operation of ["start", "get", "bundle"] as Operation[]) {
        it(`applies even if the platform asks to wait longer (${operation})`, async () => {
            fixture.platform.faults[operation] = Array<Fault>(20).fill(comeBackLater);
            const seconds = await secondsOfFailing(fixture.create(inputs));
            assert.ok(seconds <= 60, `${seconds} s`);
        });
    }

    it("applies to the renewal of a link", async () => {
        const state = await fixture.create(inputs);
        fixture.clock.pass(2 * 3600_000);
        fixture.platform.faults.bundle = Array<Fault>(20).fill(comeBackLater);
        assert.ok((await secondsOfFailing(fixture.update(state, inputs))) <= 60);
    });

    it("leaves a job that completes at the last moment enough time to create its bundle", async () => {
        fixture.platform.jobMs = 60_000;
        fixture.platform.faults.bundle = [{ status: 503 }, { status: 409 }];
        assert.ok((await fixture.create(inputs)).bundleUrl);
    });

    it("prevents a queued start whose turn comes too late", async () => {
        fixture.platform.hang = "start";
        const inTime = ["a", "b"].map((name) => fixture.create({ ...inputs, domain: `${name}.example.com` }));
        while (fixture.platform.count("start") < LifecycleFixture.startsAtOnce) {
            await fixture.platform.requested("start");
        }
        const late = fixture.create(inputs);
        fixture.clock.pass(60_000);
        fixture.platform.release();
        await assert.rejects(
            late,
            /docs\.example\.com: timed out while it waited for earlier starts\. This run started nothing/,
        );
        await Promise.allSettled(inTime);
        assert.equal(fixture.platform.count("start"), 2);
    });
});
