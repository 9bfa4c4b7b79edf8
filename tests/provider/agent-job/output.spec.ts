import assert from "node:assert/strict";
import type { AgentJobInputs } from "../../../provider/src/agent-job/model.js";
import { savedStateOf } from "../support/provider-fixture.js";
import { AgentFixture } from "./agent-fixture.js";

const inputs: AgentJobInputs = { projectId: "docs", prompt: "Describe the endpoint.", __provider: "code" };

describe("The output about an AgentJob", () => {
    let fixture: AgentFixture;
    beforeEach(() => {
        fixture = new AgentFixture();
    });
    afterEach(() => fixture.dispose());

    it("names its project, each step and its pull request", async () => {
        const olds = await fixture.create(inputs);
        assert.equal(fixture.lines[0], "docs aj_1: agent job created");
        assert.equal(fixture.lines.at(-1), "docs aj_1: completed: https://git.example.com/pulls/aj_1/1");
        fixture.nextRun();
        fixture.lines.length = 0;
        await fixture.update(olds, { ...inputs, prompt: "Shorter, please." });
        assert.equal(fixture.lines[0], "docs aj_1: message sent");
        assert.equal(fixture.lines.at(-1), "docs aj_1: completed: https://git.example.com/pulls/aj_1/2");
    });

    it("says that a completed job may have changed nothing, but not that of a failed job", async () => {
        fixture.agents.faults.get = Array.from({ length: 50 }, () => ({ altered: { prLink: null } }));
        await fixture.create(inputs);
        assert.equal(fixture.lines.at(-1), "docs aj_1: completed: nothing changed, or no pull request opened");
        fixture.agents.nextOutcome = "failed";
        await fixture.create({ ...inputs, prompt: "Other.", failOnFailedJob: false });
        assert.equal(fixture.lines.at(-1), "docs aj_2: failed");
    });

    it("names the job in the error of a refresh", async () => {
        const { id, outs } = await fixture.lifecycle.create(inputs);
        assert.equal(id, "docs");
        fixture.agents.faults.get = [{ status: 403 }];
        await assert.rejects(fixture.lifecycle.read(id, outs!), (error: Error) => {
            assert.equal(String(error), "Agent job aj_1 of project docs could not be refreshed");
            return true;
        });
    });
});

describe("A refresh of an AgentJob", () => {
    let fixture: AgentFixture;
    beforeEach(() => {
        fixture = new AgentFixture();
    });
    afterEach(() => fixture.dispose());

    it("keeps the state while its job is pending", async () => {
        const { state } = await savedStateOf(fixture.create({ ...inputs, timeoutSeconds: 1 }));
        assert.deepEqual(await fixture.lifecycle.read("docs", state), { id: "docs", props: state });
    });

    it("removes the resource if its job is gone and nothing says that it had ended", async () => {
        const state = { ...inputs, jobId: "aj_9" };
        assert.deepEqual(await fixture.lifecycle.read("docs", state), { id: "" });
        const active = { ...state, status: "active" };
        assert.deepEqual(await fixture.lifecycle.read("docs", active), { id: "" });
    });
});
