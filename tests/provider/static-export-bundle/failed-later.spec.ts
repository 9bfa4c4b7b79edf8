import assert from "node:assert/strict";
import type { BundleInputs, BundleState } from "../../../provider/src/static-export-bundle/model.js";
import type { FakeJob } from "../support/fake-platform.js";
import { LifecycleFixture } from "../support/lifecycle-fixture.js";
import { savedStateOf } from "../support/provider-fixture.js";

const inputs: BundleInputs = { domain: "docs.example.com", version: "1", __provider: "shim" };
const damaged = "The bundle was damaged, and the site has changed since: start a new export.";
const hour = 3600_000;

describe("A StaticExportBundle whose completed job", () => {
    let fixture: LifecycleFixture;
    let state: BundleState;
    beforeEach(async () => {
        fixture = new LifecycleFixture();
        state = await fixture.create(inputs);
    });
    afterEach(() => fixture.dispose());

    const change = (jobId: string, job: Partial<FakeJob>) =>
        Object.assign(fixture.platform.jobs.get(jobId) as FakeJob, job);
    const fail = (jobId: string) => change(jobId, { outcome: { failed: damaged } });
    /** The platform builds the bundle again, which takes this long. */
    const rebuild = (ms: number) =>
        change("se_1", { startedMs: fixture.clock.now(), endsMs: fixture.clock.now() + ms });
    const expire = () => {
        fixture.nextRun();
        fixture.clock.pass(2 * hour);
        fixture.lines.length = 0;
    };
    const refresh = async (olds: BundleState): Promise<BundleState> =>
        (await fixture.lifecycle.read(olds.domain, olds)).props as BundleState;
    const starts = () => fixture.platform.count("start");

    describe("has failed since", () => {
        it("is exported again once its link is due, and the log says why", async () => {
            fail("se_1");
            expire();
            const updated = await fixture.update(state, inputs);
            assert.equal(updated.jobId, "se_2");
            assert.match(
                fixture.lines.join("\n"),
                /se_1: this export failed: The bundle was damaged.*start a new export, so it is exported again$/m,
            );
            fixture.nextRun();
            assert.equal(await fixture.changes(updated, inputs), false);
            assert.equal(starts(), 2);
        });

        it("is exported again by the update after a refresh, which the preview says", async () => {
            fail("se_1");
            const refreshed = await refresh(state);
            assert.equal(refreshed.bundleUrl, state.bundleUrl);
            assert.match(fixture.lines.at(-1) ?? "", /se_1: this export has failed since it was completed: The bundle/);
            assert.equal(await fixture.changes(refreshed, inputs), true);
            assert.match(
                fixture.lines.at(-1) ?? "",
                /the last export job failed or was lost: an update runs one new export$/,
            );
            assert.equal((await fixture.update(refreshed, inputs)).jobId, "se_2");
            assert.equal(starts(), 2);
        });

        it("starts no second job if the first attempt to export again is interrupted", async () => {
            fail("se_1");
            expire();
            const pending = await savedStateOf(fixture.update(state, { ...inputs, timeoutSeconds: 1 }));
            assert.equal(pending.state.pendingJobId, "se_2");
            fixture.nextRun();
            assert.equal((await fixture.update(pending.state, inputs)).jobId, "se_2");
            assert.equal(starts(), 2);
        });

        it("is an error if the program names the job, and the error says what to do", async () => {
            const named = { ...inputs, jobId: "se_1" };
            const adopted = await fixture.update(state, named);
            fail("se_1");
            expire();
            const message = /se_1 of docs\.example\.com failed: The bundle was damaged.*remove jobId to export again/;
            await assert.rejects(fixture.update(adopted, named), message);
            assert.equal(starts(), 1);
        });

        it("keeps a pending job in a refresh, because the next update reports why it failed", async () => {
            fail("se_1");
            const pending = { ...state, pendingJobId: "se_1" };
            assert.deepEqual(await refresh(pending), pending);
        });
    });

    describe("runs again", () => {
        it("gets its link once the job is completed, without another export", async () => {
            expire();
            rebuild(10 * 60_000);
            const updated = await fixture.update(state, inputs);
            assert.equal(updated.jobId, "se_1");
            assert.notEqual(updated.bundleUrl, state.bundleUrl);
            assert.match(
                fixture.lines.join("\n"),
                /se_1: this export has no bundle at the moment: waiting for its job/,
            );
            assert.equal(starts(), 1);
        });

        it("is exported again if the job then fails", async () => {
            expire();
            rebuild(10 * 60_000);
            fail("se_1");
            assert.equal((await fixture.update(state, inputs)).jobId, "se_2");
            assert.equal(starts(), 2);
        });

        it("is exported again by the update after the one that resumed the job and saw it fail", async () => {
            expire();
            rebuild(hour);
            const pending = await savedStateOf(fixture.update(state, { ...inputs, timeoutSeconds: 60 }));
            assert.equal(pending.state.pendingJobId, "se_1");
            fail("se_1");
            fixture.nextRun();
            fixture.clock.pass(hour);
            const lost = await savedStateOf(fixture.update(pending.state, inputs));
            assert.match(lost.message, /failed: The bundle was damaged.*The next `pulumi up` starts a new job/);
            await fixture.changes(lost.state, inputs);
            assert.match(
                fixture.lines.at(-1) ?? "",
                /the last export job failed or was lost: an update runs one new export$/,
            );
            assert.equal((await fixture.update(lost.state, inputs)).jobId, "se_2");
            assert.equal(starts(), 2);
        });
    });
});
