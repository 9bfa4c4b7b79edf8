import assert from "node:assert/strict";
import type { AgentJobInputs } from "../../../provider/src/agent-job/model.js";
import { savedStateOf } from "../support/provider-fixture.js";
import { AgentFixture } from "./agent-fixture.js";

const inputs: AgentJobInputs = { projectId: "docs", prompt: "Describe the endpoint.", __provider: "code" };
const shorter = { ...inputs, prompt: "Shorter, please." };

describe("A run of an AgentJob", () => {
    let fixture: AgentFixture;
    beforeEach(() => {
        fixture = new AgentFixture();
    });
    afterEach(() => fixture.dispose());

    it("runs a job for each prompt and each trigger, also at the same time", async () => {
        const all = [inputs, shorter, { ...inputs, triggers: ["2"] }];
        const states = await Promise.all(all.map((each) => fixture.create(each)));
        assert.deepEqual(states.map(({ jobId }) => jobId).sort(), ["aj_1", "aj_2", "aj_3"]);
    });

    it("logs the progress of its job, and how it ended", async () => {
        await fixture.create(inputs);
        const texts = fixture.lines.join("\n");
        assert.match(texts, /aj_1: agent job created[^]*aj_1: active[^]*aj_1: completed: https:\/\/git/);
    });

    it("makes no request for a run that was cancelled", async () => {
        const olds = await fixture.create({ ...inputs, startOnly: true });
        fixture.nextRun();
        fixture.interruption.abort(new Error("Ctrl-C"));
        await assert.rejects(fixture.create({ ...inputs, jobId: "aj_1", startOnly: true }), /Ctrl-C/);
        await assert.rejects(fixture.update(olds, { ...inputs, prompt: "Another." }), /Ctrl-C/);
        await assert.rejects(fixture.lifecycle.read("docs", olds), /could not be refreshed/);
        assert.deepEqual(fixture.agents.sent(), ["create"]);
    });

    it("takes the result of a job that ended between two runs at once", async () => {
        const { state } = await savedStateOf(fixture.create({ ...inputs, timeoutSeconds: 10 }));
        fixture.nextRun();
        fixture.clock.pass(60_000);
        const startedMs = fixture.clock.now();
        const { status, jobId } = await fixture.update(state, inputs);
        assert.deepEqual([status, jobId, fixture.clock.now() - startedMs], ["completed", "aj_1", 0]);
    });

    it("runs a prompt again, and sends a message again, after their outcomes were saved and replaced", async () => {
        const first = await fixture.create(inputs);
        fixture.restart();
        const second = await fixture.update(first, shorter);
        fixture.restart();
        await fixture.update(second, { ...shorter, triggers: ["2"] });
        fixture.restart();
        assert.deepEqual(fixture.agents.sent(), ["create", "message aj_1", "create"]);
        await fixture.create(inputs);
        await fixture.update(first, shorter);
        assert.deepEqual(fixture.agents.sent().slice(3), ["create", "message aj_1"]);
    });
});
