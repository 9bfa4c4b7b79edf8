import assert from "node:assert/strict";
import type { AgentJobInputs } from "../../../provider/src/agent-job/model.js";
import { AgentFixture } from "./agent-fixture.js";

const inputs: AgentJobInputs = { projectId: "docs", prompt: "Fix typos.", __provider: "shim" };
const identity = {
    project: "docs",
    stack: "production",
    type: "pulumi-nodejs:dynamic/static-export:AgentJob",
    name: "typos",
};

describe("An AgentJob whose machine was lost", () => {
    let fixture: AgentFixture;
    beforeEach(() => {
        fixture = new AgentFixture();
        fixture.agents.honoursKeys = true;
        fixture.identity = identity;
        enter("GITHUB_RUN_ID=1");
    });
    afterEach(() => fixture.dispose());

    function enter(run: string | undefined): void {
        fixture.pipelineRun = run;
        fixture.freshMachine();
    }

    async function loseMachine(work: () => Promise<unknown>): Promise<void> {
        const asked = fixture.agents.requested("get");
        fixture.agents.hang = "get";
        work().catch(() => undefined);
        await asked;
        enter(fixture.pipelineRun);
        fixture.agents.hang = undefined;
    }

    it("is found by the next machine, by another run of the pipeline and by a laptop", async () => {
        await loseMachine(() => fixture.create(inputs));
        for (const run of ["GITHUB_RUN_ID=1", "GITHUB_RUN_ID=2", undefined]) {
            enter(run);
            assert.equal((await fixture.create(inputs)).jobId, "aj_1");
        }
        assert.equal(fixture.agents.jobs.size, 1);
    });

    it("is found while it runs, however long that takes", async () => {
        fixture.agents.jobMs = 5 * 3600_000;
        await loseMachine(() => fixture.create(inputs));
        fixture.clock.pass(4 * 3600_000);
        assert.equal((await fixture.create({ ...inputs, timeoutSeconds: 86_400 })).jobId, "aj_1");
    });

    for (const [what, passedMs] of [
        ["an hour later", 3600_000],
        ["days later", 6 * 86_400_000],
    ] as const) {
        it(`runs a new job for a resource that was deleted and declared again ${what}`, async () => {
            const state = await fixture.create(inputs);
            await fixture.lifecycle.delete("docs", state);
            fixture.clock.pass(passedMs);
            enter("GITHUB_RUN_ID=2");
            assert.equal((await fixture.create(inputs)).jobId, "aj_2");
            assert.match(fixture.lines.join("\n"), /but its agent job was completed more than 15 minutes ago/);
        });
    }

    it("runs a new job for another prompt, other triggers or another resource", async () => {
        await loseMachine(() => fixture.create(inputs));
        assert.equal((await fixture.create({ ...inputs, prompt: "Fix links." })).jobId, "aj_2");
        assert.equal((await fixture.create({ ...inputs, triggers: 2 })).jobId, "aj_3");
        fixture.identity = { ...identity, name: "other" };
        enter(undefined);
        assert.equal((await fixture.create(inputs)).jobId, "aj_4");
    });

    it("reports a failed job that its own retry found, and starts no other job", async () => {
        fixture.agents.nextOutcome = "failed";
        fixture.agents.jobMs = 0;
        fixture.agents.faults.create = ["lost"];
        await assert.rejects(fixture.create(inputs), /aj_1 of project docs failed/);
        assert.equal(fixture.agents.jobs.size, 1);
    });

    for (const [what, honoursKeys, lose] of [
        ["of another machine, by the key of its start", true, () => enter("GITHUB_RUN_ID=1")],
        ["of a killed run, by the journal", false, () => fixture.restart()],
    ] as const) {
        it(`adopts a failed job ${what}, if failOnFailedJob is false, and otherwise starts another`, async () => {
            for (const [failOnFailedJob, expected] of [
                [false, ["aj_1", "failed"]],
                [true, ["aj_3", "completed"]],
            ] as const) {
                const asked = fixture.agents.requested("get");
                Object.assign(fixture.agents, { honoursKeys, nextOutcome: "failed", hang: "get" });
                const declared = { ...inputs, failOnFailedJob, triggers: failOnFailedJob };
                fixture.create(declared).catch(() => undefined);
                await asked;
                Object.assign(fixture.agents, { nextOutcome: "completed", hang: undefined });
                fixture.clock.pass(60_000);
                lose();
                const { jobId, status } = await fixture.create(declared);
                assert.deepEqual([jobId, status], expected);
            }
        });
    }

    it("runs a new job when triggers change back", async () => {
        const first = await fixture.create({ ...inputs, triggers: 1 });
        const second = await fixture.update(first, { ...inputs, triggers: 2 });
        enter("GITHUB_RUN_ID=1");
        const third = await fixture.update(second, { ...inputs, triggers: 1 });
        assert.deepEqual([first.jobId, second.jobId, third.jobId], ["aj_1", "aj_2", "aj_3"]);
    });

    it("resends a message in the same run if the job failed after the first, as the error announced", async () => {
        const created = await fixture.create(inputs);
        const news = { ...inputs, prompt: "Fix links." };
        fixture.agents.nextOutcome = "failed";
        await assert.rejects(fixture.update(created, news), /The next `pulumi up` sends the message again/);
        fixture.agents.nextOutcome = "completed";
        enter(fixture.pipelineRun);
        assert.equal((await fixture.update(created, news)).status, "completed");
        assert.equal(fixture.agents.count("message"), 2 + 1);
    });

    it("reports that a job failed after the message of a killed run, and sends no second message", async () => {
        const created = await fixture.create(inputs);
        const news = { ...inputs, prompt: "Fix links." };
        Object.assign(fixture.agents, { honoursKeys: false, nextOutcome: "failed" });
        const sent = fixture.agents.requested("message");
        fixture.update(created, news).catch(() => undefined);
        await sent;
        fixture.agents.hang = "get";
        await fixture.agents.requested("get");
        fixture.agents.hang = undefined;
        fixture.clock.pass(60_000);
        fixture.restart();
        await assert.rejects(fixture.update(created, news), /aj_1 of project docs failed/);
        assert.equal(fixture.agents.count("message"), 1);
    });

    it("resends a prompt when the program changes back to it, outside of pipelines", async () => {
        enter(undefined);
        let state = await fixture.create(inputs);
        for (const prompt of ["Fix links.", "Fix typos.", "Fix links."]) {
            fixture.nextRun();
            state = await fixture.update(state, { ...inputs, prompt });
        }
        assert.equal(fixture.agents.effects.length, 4);
    });

    it("does not wait for the job to end if startOnly is set", async () => {
        const state = await fixture.create({ ...inputs, startOnly: true });
        assert.deepEqual([state.jobId, state.status], ["aj_1", "active"]);
        assert.equal(fixture.agents.count("get"), 1);
    });
});
