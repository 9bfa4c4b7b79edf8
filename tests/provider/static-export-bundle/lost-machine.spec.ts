import assert from "node:assert/strict";
import type { BundleInputs } from "../../../provider/src/static-export-bundle/model.js";
import { LifecycleFixture } from "../support/lifecycle-fixture.js";
import { savedStateOf } from "../support/provider-fixture.js";

const inputs: BundleInputs = { domain: "docs.example.com", version: "1", __provider: "shim" };
const identity = {
    project: "docs",
    stack: "production",
    type: "pulumi-nodejs:dynamic/static-export:StaticExportBundle",
    name: "site",
};
const hourMs = 3600_000;

describe("A StaticExportBundle whose machine was lost", () => {
    let fixture: LifecycleFixture;
    beforeEach(() => {
        fixture = new LifecycleFixture();
        fixture.platform.honoursKeys = true;
        fixture.identity = identity;
        enter("GITHUB_RUN_ID=1");
    });
    afterEach(() => fixture.dispose());

    function enter(run: string | undefined): void {
        fixture.pipelineRun = run;
        fixture.freshMachine();
    }

    /** Starts a job whose machine dies while it waits. */
    async function loseMachine(): Promise<void> {
        const asked = fixture.platform.requested("get");
        fixture.platform.hang = "get";
        fixture.createUnheard(inputs);
        await asked;
        enter(fixture.pipelineRun);
        fixture.platform.hang = undefined;
    }

    it("finds its job on the next machine of a retried run", async () => {
        await loseMachine();
        assert.equal((await fixture.create(inputs)).jobId, "se_1");
        assert.deepEqual([...fixture.platform.jobs.keys()], ["se_1"]);
        assert.match(fixture.lines.join("\n"), /se_1: adopted: the platform found it by the Idempotency-Key/);
    });

    it("exports again in another run, for another resource, and if the run is unknown", async () => {
        await loseMachine();
        enter("GITHUB_RUN_ID=2");
        assert.equal((await fixture.create(inputs)).jobId, "se_2");
        fixture.identity = { ...identity, name: "other" };
        enter("GITHUB_RUN_ID=1");
        assert.equal((await fixture.create(inputs)).jobId, "se_3");
        fixture.identity = identity;
        for (const jobId of ["se_4", "se_5"]) {
            enter(undefined);
            assert.equal((await fixture.create(inputs)).jobId, jobId);
        }
    });

    it("adopts its run's recent export after a destroy, on any machine", async () => {
        const created = await fixture.create(inputs);
        await fixture.lifecycle.delete(inputs.domain, created);
        fixture.nextRun();
        assert.equal((await fixture.create(inputs)).jobId, "se_1");
        enter("GITHUB_RUN_ID=1");
        fixture.clock.pass(2 * hourMs);
        assert.equal((await fixture.create(inputs)).jobId, "se_2");
    });

    it("exports again if an update's state is lost with the machine, because no state names the job", async () => {
        const state = await fixture.create(inputs);
        const news = { ...inputs, version: "2" };
        await fixture.update(state, news);
        enter("GITHUB_RUN_ID=1");
        assert.equal((await fixture.update(state, news)).jobId, "se_2");
        enter("GITHUB_RUN_ID=1");
        assert.equal((await fixture.create(news)).jobId, "se_3");
    });

    it("does not warn about a second job if the previous run timed out after finding an old job", async () => {
        await fixture.create(inputs);
        enter("GITHUB_RUN_ID=1");
        fixture.clock.pass(2 * hourMs);
        fixture.platform.faults.start = [{ delayMs: 1000 }];
        await assert.rejects(fixture.create({ ...inputs, timeoutSeconds: 1 }), /timed out/);
        fixture.nextRun();
        fixture.lines.length = 0;
        assert.equal((await fixture.create(inputs)).jobId, "se_2");
        assert.doesNotMatch(fixture.lines.join("\n"), /got no response/);
    });

    it("exports again if Pulumi does not identify the resource", async () => {
        fixture.identity = undefined;
        await loseMachine();
        assert.equal((await fixture.create(inputs)).jobId, "se_2");
    });

    it("chooses the same next job on every machine after a job has failed", async () => {
        fixture.platform.nextOutcome = { failed: "out of disk" };
        await loseMachine();
        fixture.clock.pass(hourMs / 2);
        fixture.platform.nextOutcome = "completed";
        await loseMachine();
        assert.equal((await fixture.create(inputs)).jobId, "se_2");
        assert.match(fixture.lines.join("\n"), /se_1: the platform found this job .*, but it failed: out of disk/);
        assert.equal(fixture.platform.jobs.size, 2);
    });

    it("chooses the same next job on every machine after a job has become too old", async () => {
        await loseMachine();
        fixture.clock.pass(2 * hourMs);
        await loseMachine();
        assert.equal((await fixture.create(inputs)).jobId, "se_2");
        assert.match(fixture.lines.join("\n"), /se_1: .*, but its export was completed more than 60 minutes ago/);
        assert.equal(fixture.platform.jobs.size, 2);
    });

    it("exports again for a replacement in the same run, because the state already contains the first job", async () => {
        const state = await fixture.create(inputs);
        enter("GITHUB_RUN_ID=1");
        await fixture.changes(state, inputs);
        assert.equal((await fixture.create(inputs)).jobId, "se_2");
    });

    it("exports again in the same run when inputs change back", async () => {
        const first = await fixture.create(inputs);
        const second = await fixture.update(first, { ...inputs, version: "2" });
        enter("GITHUB_RUN_ID=1");
        const third = await fixture.update(second, inputs);
        assert.deepEqual([first.jobId, second.jobId, third.jobId], ["se_1", "se_2", "se_3"]);
    });

    it("explains what to do if the platform cannot return the status of the job that was found", async () => {
        await loseMachine();
        fixture.platform.faults.get.push(...Array<{ status: number }>(5).fill({ status: 503 }));
        await assert.rejects(
            fixture.create(inputs),
            /se_1 of docs\.example\.com: .*503.*started nothing.*run `pulumi up` again/s,
        );
        assert.equal((await fixture.create(inputs)).jobId, "se_1");
    });

    describe("on the platform, while the response to its own request was lost,", () => {
        beforeEach(() => {
            fixture.platform.faults.start = ["lost"];
        });

        it("waits for the job of that request, and reports why it failed", async () => {
            fixture.platform.jobMs = 1;
            fixture.platform.nextOutcome = { failed: "out of disk" };
            await assert.rejects(fixture.create(inputs), /se_1 of docs\.example\.com failed: out of disk/);
            assert.equal(fixture.platform.jobs.size, 1);
        });

        it("saves the job if its status is not available", async () => {
            fixture.platform.faults.get = Array<{ status: number }>(50).fill({ status: 403 });
            const { state } = await savedStateOf(fixture.create(inputs));
            assert.equal(state.pendingJobId, "se_1");
        });

        it("does not take an old job with the same key for the job of that request", async () => {
            fixture.platform.faults.start = [];
            await loseMachine();
            fixture.clock.pass(2 * hourMs);
            fixture.platform.faults.start = ["lost"];
            assert.equal((await fixture.create(inputs)).jobId, "se_2");
        });
    });

    it("starts nothing if the platform returns the same failed job for every key", async () => {
        fixture.platform.nextOutcome = { failed: "out of disk" };
        await loseMachine();
        fixture.clock.pass(hourMs / 2);
        fixture.platform.jobOfEveryKey = "se_1";
        await assert.rejects(fixture.create(inputs), /returns job se_1 for different Idempotency-Keys/);
    });
});
