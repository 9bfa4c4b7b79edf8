import assert from "node:assert/strict";
import type { BundleInputs } from "../../../provider/src/static-export-bundle/model.js";
import { LifecycleFixture } from "../support/lifecycle-fixture.js";
import { savedStateOf } from "../support/provider-fixture.js";

const inputs: BundleInputs = { domain: "docs.example.com", version: "1", __provider: "shim" };

describe("a StaticExportBundle with a jobId in the program", () => {
    let fixture: LifecycleFixture;
    beforeEach(() => {
        fixture = new LifecycleFixture();
    });
    afterEach(() => fixture.dispose());

    const rejectsUnsaved = (failing: Promise<unknown>, message: RegExp) =>
        assert.rejects(failing, (error: Error & { id?: string }) => {
            assert.match(error.message, message);
            return error.id === undefined;
        });

    it("never starts another job, even if the platform no longer has the named job", async () => {
        await fixture.create(inputs);
        const named = { ...inputs, jobId: "se_1" };
        const state = await fixture.create(named);
        fixture.platform.jobs.clear();
        fixture.clock.pass(2 * 3600_000);
        await rejectsUnsaved(fixture.update(state, named), /se_1 of docs\.example\.com: the server answered 404/);
        assert.equal(fixture.platform.count("start"), 1);
    });

    it("saves nothing when the wait for the named job times out", async () => {
        fixture.platform.jobMs = 60_000;
        await savedStateOf(fixture.create({ ...inputs, timeoutSeconds: 1 }));
        const named = { ...inputs, domain: "live.example.com", jobId: "se_1" };
        await rejectsUnsaved(fixture.create({ ...named, timeoutSeconds: 1 }), /was not done after 1 s/);
        assert.equal((await fixture.create(named)).jobId, "se_1");
        assert.equal(fixture.platform.count("start"), 1);
    });

    for (const [what, status] of [
        ["does not exist", 404],
        ["cannot be looked at", 403],
    ] as const) {
        it(`keeps the pending job if the named job ${what}`, async () => {
            const { state } = await savedStateOf(fixture.create({ ...inputs, timeoutSeconds: 1 }));
            fixture.platform.faults.get = [{ status }];
            await rejectsUnsaved(fixture.update(state, { ...inputs, jobId: "se_wrong" }), new RegExp(`${status}`));
            assert.equal((await fixture.update(state, inputs)).jobId, "se_1");
            assert.equal(fixture.platform.count("start"), 1);
        });
    }
});
