import assert from "node:assert/strict";
import type { AgentJobInputs } from "../../../provider/src/agent-job/model.js";
import type { Fault } from "../support/fake-server.js";
import { savedStateOf } from "../support/provider-fixture.js";
import { AgentFixture } from "./agent-fixture.js";

const inputs: AgentJobInputs = { projectId: "docs", prompt: "Describe the endpoint.", __provider: "code" };
const shorter = { ...inputs, prompt: "Shorter, please." };
const hurried = { ...inputs, timeoutSeconds: 10 };

describe("AgentJob", () => {
    let fixture: AgentFixture;
    beforeEach(() => {
        fixture = new AgentFixture();
    });
    afterEach(() => fixture.dispose());

    const changes = async (olds: object, news: AgentJobInputs) =>
        (await fixture.lifecycle.diff("docs", olds as AgentJobInputs, news)).changes;

    it("runs one job and returns its fields without null values", async () => {
        const state = await fixture.create(inputs);
        assert.deepEqual(fixture.agents.sent(), ["create"]);
        assert.deepEqual(state, {
            ...inputs,
            jobId: "aj_1",
            status: "completed",
            prLink: "https://git.example.com/pulls/aj_1/1",
            sourceRepository: "https://git.example.com/docs",
            model: "m",
            createdAt: "2026-11-20T12:00:00Z",
        });
        assert.equal(await changes(state, inputs), false);
    });

    it("sends one message when the prompt changes, and waits until the job has answered it", async () => {
        const olds = await fixture.create(inputs);
        fixture.nextRun();
        fixture.agents.staleMs = 3_000;
        assert.equal(await changes(olds, shorter), true);
        const state = await fixture.update(olds, shorter);
        assert.deepEqual(fixture.agents.sent(), ["create", "message aj_1"]);
        assert.deepEqual([state.jobId, state.prLink], ["aj_1", "https://git.example.com/pulls/aj_1/2"]);
    });

    it("sends a message again when the prompt changes back", async () => {
        let state = await fixture.create(inputs);
        for (const next of [shorter, inputs, shorter]) {
            fixture.nextRun();
            state = await fixture.update(state, next);
        }
        assert.deepEqual(fixture.agents.jobs.get("aj_1")?.prompts, [
            inputs.prompt,
            shorter.prompt,
            inputs.prompt,
            shorter.prompt,
        ]);
    });

    it("runs a new job when triggers change, and is replaced when the project changes", async () => {
        const olds = await fixture.create(inputs);
        fixture.nextRun();
        const state = await fixture.update(olds, { ...inputs, triggers: ["v2"] });
        assert.equal(state.jobId, "aj_2");
        const moved = await fixture.lifecycle.diff("docs", state, { ...inputs, projectId: "blog" });
        assert.deepEqual(moved.replaces, ["projectId"]);
    });

    it("adopts the job that the program names instead of creating one", async () => {
        await fixture.create(inputs);
        fixture.nextRun();
        const named = { ...inputs, prompt: "Other.", jobId: "aj_1" };
        const state = await fixture.create(named);
        assert.deepEqual(fixture.agents.sent(), ["create"]);
        assert.equal(await changes(state, named), false);
    });

    it("saves a job that misses the deadline, and waits for it in the next update", async () => {
        const { state, message } = await savedStateOf(fixture.create(hurried));
        assert.equal(state.pendingJobId, "aj_1");
        assert.equal(state.__provider, "code");
        assert.match(message, /Job aj_1 is saved in the stack's state: the next `pulumi up` resumes it\./);
        fixture.nextRun();
        assert.equal(await changes(state, inputs), true);
        const done = await fixture.update(state, inputs);
        assert.deepEqual([done.status, done.pendingJobId], ["completed", undefined]);
        assert.deepEqual(fixture.agents.sent(), ["create"]);
    });

    it("saves a message that is not answered before the deadline, and does not send it again", async () => {
        const olds = await fixture.create(inputs);
        fixture.nextRun();
        const { state } = await savedStateOf(fixture.update(olds, { ...shorter, timeoutSeconds: 10 }));
        assert.deepEqual([state.pendingJobId, state.prompt], ["aj_1", shorter.prompt]);
        fixture.nextRun();
        await fixture.update(state, shorter);
        assert.deepEqual(fixture.agents.sent(), ["create", "message aj_1"]);
    });

    it("resends a killed run's message if another message was sent after it", async () => {
        const olds = await fixture.create(inputs);
        fixture.nextRun();
        await fixture.update(olds, shorter);
        fixture.restart();
        const state = await fixture.update(olds, { ...inputs, prompt: "Other." });
        fixture.nextRun();
        await fixture.update(state, shorter);
        assert.deepEqual(fixture.agents.jobs.get("aj_1")?.prompts.slice(1), [shorter.prompt, "Other.", shorter.prompt]);
    });

    it("does not retry a create request or message that may have reached a platform that ignores keys", async () => {
        fixture.agents.honoursKeys = false;
        fixture.agents.faults.create = Array<Fault>(1).fill("lost");
        await assert.rejects(fixture.create(inputs), /and the request was not repeated.*jobId: "aj_…"/);
        assert.deepEqual(fixture.agents.sent(), ["create"]);
    });

    it("creates only one job if an error hook makes the engine call create again", async () => {
        fixture.agents.nextOutcome = "failed";
        for (let call = 0; call < 3; call += 1) {
            await assert.rejects(fixture.create(inputs), /Agent job aj_1 of project docs failed/);
        }
        const pending = { ...inputs, prompt: "Slow.", timeoutSeconds: 10 };
        fixture.agents.nextOutcome = "completed";
        await savedStateOf(fixture.create(pending));
        await fixture.create({ ...pending, timeoutSeconds: 60 });
        assert.deepEqual(fixture.agents.sent(), ["create", "create"]);
    });

    it("sends one message per run if an error hook makes the engine call update again", async () => {
        const olds = await fixture.create(inputs);
        fixture.nextRun();
        fixture.agents.nextOutcome = "failed";
        for (let call = 0; call < 3; call += 1) {
            await assert.rejects(
                fixture.update(olds, shorter),
                /Agent job aj_1 of project docs failed.* The next `pulumi up` sends the message again\./,
            );
        }
        assert.deepEqual(fixture.agents.sent(), ["create", "message aj_1"]);
        fixture.nextRun();
        fixture.agents.nextOutcome = "completed";
        assert.equal((await fixture.update(olds, shorter)).prLink, "https://git.example.com/pulls/aj_1/3");
    });

    it("reports that the next update resends a lost message, and then reports the resending", async () => {
        const olds = await fixture.create(inputs);
        fixture.nextRun();
        fixture.agents.honoursKeys = false;
        fixture.agents.faults.message = ["lost"];
        await assert.rejects(
            fixture.update(olds, shorter),
            /may or may not have received the prompt.*The next `pulumi up` sends the message again/,
        );
        fixture.nextRun();
        await fixture.update(olds, shorter);
        assert.match(fixture.lines.join("\n"), /so its message may have arrived\. Sending it again\./);
    });

    it("does not mistake an earlier result for the answer to a message when it resumes a wait", async () => {
        const olds = await fixture.create(inputs);
        fixture.nextRun();
        Object.assign(fixture.agents, { staleMs: 10_000, jobMs: 12_000 });
        const { state } = await savedStateOf(fixture.update(olds, { ...shorter, timeoutSeconds: 1 }));
        assert.equal(state.pendingJobId, "aj_1");
        fixture.nextRun();
        assert.equal((await fixture.update(state, shorter)).prLink, "https://git.example.com/pulls/aj_1/2");
    });

    it("runs a new job if the job that should receive a message no longer exists", async () => {
        const olds = await fixture.create(inputs);
        fixture.nextRun();
        fixture.agents.forgetAll();
        const { state, message } = await savedStateOf(fixture.update(olds, shorter));
        assert.match(message, /The next `pulumi up` starts a new job\./);
        fixture.nextRun();
        assert.equal((await fixture.update(state, shorter)).jobId, "aj_2");
    });

    it("keeps the job that the program names when triggers change, and creates no other job", async () => {
        const olds = await fixture.create({ ...inputs, jobId: (await fixture.create(inputs)).jobId ?? "" });
        const news = { ...inputs, jobId: "aj_1", triggers: ["v2"] };
        const state = await fixture.update(olds, news);
        assert.deepEqual([state.jobId, await changes(state, news)], ["aj_1", false]);
        assert.deepEqual(fixture.agents.sent(), ["create"]);
    });

    it("saves an unanswered message even if the program names the job", async () => {
        await fixture.create(inputs);
        const named = { ...inputs, jobId: "aj_1" };
        const olds = await fixture.create(named);
        fixture.nextRun();
        const news = { ...named, prompt: shorter.prompt };
        const { state } = await savedStateOf(fixture.update(olds, { ...news, timeoutSeconds: 10 }));
        assert.deepEqual([state.pendingJobId, state.prompt], ["aj_1", shorter.prompt]);
        fixture.nextRun();
        await fixture.update(state, news);
        assert.deepEqual(fixture.agents.sent(), ["create", "message aj_1"]);
    });

    it("fails when its job fails, and creates another job in the next update", async () => {
        fixture.agents.nextOutcome = "failed";
        await assert.rejects(fixture.create(inputs), /The next `pulumi up` starts a new job\./);
        fixture.nextRun();
        fixture.agents.nextOutcome = "completed";
        assert.equal((await fixture.create(inputs)).jobId, "aj_2");
    });

    it("accepts a failed job as a result if failOnFailedJob is false", async () => {
        fixture.agents.nextOutcome = "failed";
        const state = await fixture.create({ ...inputs, failOnFailedJob: false });
        assert.deepEqual([state.status, state.prLink], ["failed", undefined]);
    });

    it("sends a message whose job failed again in each update, as the error announces", async () => {
        const olds = await fixture.create(inputs);
        fixture.agents.nextOutcome = "failed";
        for (let run = 0; run < 2; run += 1) {
            fixture.nextRun();
            await assert.rejects(fixture.update(olds, shorter), /The next `pulumi up` sends the message again/);
        }
        assert.deepEqual(fixture.agents.sent(), ["create", "message aj_1", "message aj_1"]);
    });

    it("sends such a message only once if failOnFailedJob is false", async () => {
        const olds = await fixture.create(inputs);
        fixture.agents.nextOutcome = "failed";
        fixture.nextRun();
        const news = { ...shorter, failOnFailedJob: false };
        const state = await fixture.update(olds, news);
        assert.equal(state.status, "failed");
        fixture.nextRun();
        assert.equal(await changes(state, news), false);
        assert.deepEqual(fixture.agents.sent(), ["create", "message aj_1"]);
    });

    it("sends no message to an archived job, and reports the remedy", async () => {
        const olds = await fixture.create(inputs);
        fixture.nextRun();
        Object.assign(fixture.agents.jobs.get("aj_1") ?? {}, { archived: true });
        await assert.rejects(
            fixture.update(olds, shorter),
            /Agent job aj_1 of project docs is archived and accepts no messages\. .* change triggers\./,
        );
        assert.deepEqual(fixture.agents.sent(), ["create"]);
    });

    it("stops waiting when the job is archived before its work is done", async () => {
        const { state } = await savedStateOf(fixture.create(hurried));
        Object.assign(fixture.agents.jobs.get("aj_1") ?? {}, { archived: true });
        fixture.nextRun();
        const { status, archivedAt } = await fixture.update(state, inputs);
        assert.deepEqual([status, archivedAt], ["archived", "2026-11-20T13:00:00Z"]);
    });

    it("reads the job's fields during a refresh", async () => {
        const state = await fixture.create(inputs);
        Object.assign(fixture.agents.jobs.get("aj_1") ?? {}, { archived: true });
        const { props } = await fixture.lifecycle.read("docs", state);
        assert.deepEqual([props?.status, props?.prLink], ["archived", undefined]);
    });

    it("is not changed by a refresh if the platform has removed the ended job, so no agent repeats it", async () => {
        const state = await fixture.create(inputs);
        fixture.agents.jobs.clear();
        assert.deepEqual(await fixture.lifecycle.read("docs", state), { id: "docs", props: state });
    });

    it("is removed by a refresh if its unfinished job is gone", async () => {
        const { state } = await savedStateOf(fixture.create(hurried));
        fixture.agents.jobs.clear();
        assert.deepEqual(await fixture.lifecycle.read("docs", state), { id: "" });
    });

    it("makes no request when deleted", async () => {
        const state = await fixture.create(inputs);
        const before = fixture.agents.requests.length;
        await fixture.lifecycle.delete("docs", state);
        assert.equal(fixture.agents.requests.length, before);
    });

    it("keeps its prompt, which may be secret, out of log lines, errors and the journal", async () => {
        const secret = { ...hurried, prompt: "hush 5ecret" };
        const { state, message } = await savedStateOf(fixture.create(secret));
        await savedStateOf(fixture.update(state, { ...secret, prompt: "more 5ecret" }));
        assert.doesNotMatch([message, ...fixture.lines, fixture.journalText()].join("\n"), /5ecret/);
    });

    it("treats null as a missing input", async () => {
        const news = { ...inputs, triggers: null, jobId: null, timeoutSeconds: null } as never;
        assert.deepEqual(await fixture.lifecycle.check(inputs, news), { inputs, failures: [] });
    });

    it("refuses invalid inputs, without showing the prompt", async () => {
        const { failures = [] } = await fixture.lifecycle.check(inputs, {
            projectId: "a/b",
            prompt: "  ",
            timeoutSeconds: 0,
            jobId: "x y",
        });
        assert.deepEqual(
            failures.map(({ property }) => property),
            ["projectId", "prompt", "timeoutSeconds", "jobId"],
        );
        const { failures: missing = [] } = await fixture.lifecycle.check(inputs, {} as AgentJobInputs);
        assert.deepEqual(
            missing.map(({ property }) => property),
            ["projectId", "prompt"],
        );
    });
});
