import assert from "node:assert/strict";
import { markKey, marks } from "@pulumi-static-export/contract";
import { UpdateLifecycle } from "../../../provider/src/documentation-update/lifecycle.js";
import type { UpdateInputs, UpdateState } from "../../../provider/src/documentation-update/model.js";
import { FakeUpdates } from "../support/fake-updates.js";
import { ProviderFixture, savedStateOf } from "../support/provider-fixture.js";

const first = "1111111111111111111111111111111111111111";
const second = "2222222222222222222222222222222222222222";
const inputs: UpdateInputs = { projectId: "docs", triggers: ["a"], __provider: "shim" };
const commit = {
    sha: first,
    ref: "main",
    message: "Change",
    filesChanged: { added: 1, modified: 0, removed: 0, paths: ["a.md"] },
};

describe("DocumentationUpdate", () => {
    let fixture: ProviderFixture<UpdateLifecycle, FakeUpdates>;
    beforeEach(() => {
        fixture = new ProviderFixture(
            (clock) => new FakeUpdates(clock),
            (runtime) => new UpdateLifecycle(runtime),
        );
        fixture.identity = { project: "p", stack: "s", type: "t", name: "docs" };
    });
    afterEach(() => fixture.dispose());

    const create = async (given = inputs): Promise<UpdateState> =>
        (await fixture.lifecycle.create(given)).outs as UpdateState;
    const update = async (olds: UpdateState, news: UpdateInputs): Promise<UpdateState> =>
        (await fixture.lifecycle.update("docs", olds, news)).outs as UpdateState;
    const hasDiff = async (olds: UpdateState, news: UpdateInputs) =>
        (await fixture.lifecycle.diff("docs", olds, news)).changes;

    it("starts one update, waits for it and returns the published commit", async () => {
        const { endedAt, ...state } = await create();
        assert.deepEqual(state, { ...inputs, statusId: "du_1", status: "success", commit });
        assert.ok(Date.parse(endedAt ?? "") > 0);
        assert.equal(fixture.server.count("start"), 1);
    });

    it("resumes a pending update if the state contains only the digest of its file trigger", async () => {
        const file = { [markKey]: marks.asset, hash: "a1" };
        const { state } = await savedStateOf(create({ ...inputs, triggers: [file], timeoutSeconds: 1 }));
        await update(state, { ...inputs, triggers: [{ ...file, path: "./t.txt" }] });
        assert.equal(fixture.server.count("start"), 1);
    });

    it("shows no diff and makes no request if nothing changed, even after a push", async () => {
        const state = await create();
        const sent = fixture.server.requests.length;
        fixture.server.pushed = second;
        assert.equal(await hasDiff(state, inputs), false);
        assert.equal(await hasDiff(state, { ...inputs, timeoutSeconds: 60 }), false);
        assert.equal(fixture.server.requests.length, sent);
    });

    it("starts one update each time triggers change, even if they change back", async () => {
        let state = await create();
        for (const [triggers, statusId] of [
            [["b"], "du_2"],
            [["a"], "du_3"],
            [["b"], "du_4"],
        ] as const) {
            const news = { ...inputs, triggers };
            assert.equal(await hasDiff(state, news), true);
            state = await update(state, news);
            assert.equal(state.statusId, statusId);
            fixture.nextRun();
        }
    });

    it("is replaced when the project changes", async () => {
        const { replaces } = await fixture.lifecycle.diff("docs", await create(), { ...inputs, projectId: "other" });
        assert.deepEqual(replaces, ["projectId"]);
    });

    it("succeeds when the expected commit is published, even if its id is abbreviated", async () => {
        const state = await create({ ...inputs, expectedCommit: first.slice(0, 7) });
        assert.equal(state.commit?.sha, first);
    });

    it("fails and names both commits if another commit is published, and updates again in the next run", async () => {
        const news = { ...inputs, expectedCommit: second };
        await assert.rejects(
            create(news),
            /the update published commit 1{40}, but expectedCommit is 2{40}.*The next `pulumi up` starts a new update/s,
        );
        fixture.nextRun();
        fixture.server.pushed = second;
        const state = await create(news);
        assert.deepEqual([state.statusId, state.commit?.sha], ["du_2", second]);
    });

    it("fails with the platform's reason until the expected commit is published", async () => {
        const news = { ...inputs, expectedCommit: first };
        fixture.server.nextOutcome = "skipped";
        await assert.rejects(
            create(news),
            /expectedCommit is 1{40}, but .* no commit: The build skips this commit .*: the site stays as it is \(GET/,
        );
        fixture.nextRun();
        fixture.server.nextOutcome = "success";
        assert.equal((await create(news)).commit?.sha, first);
    });

    it("succeeds without a commit if the site's build skips itself, and logs that nothing was published", async () => {
        fixture.server.nextOutcome = "skipped";
        const { status, commit: published } = await create();
        assert.deepEqual([status, published], ["success", undefined]);
        assert.match(fixture.lines.join("\n"), /the update succeeded: The build skips this commit .* as it is$/m);
        assert.doesNotMatch(fixture.lines.join("\n"), /is published/);
    });

    it("shows a diff for another expected commit, unless that commit is already published", async () => {
        const state = await create();
        assert.equal(await hasDiff(state, { ...inputs, expectedCommit: second }), true);
        assert.equal(await hasDiff(state, { ...inputs, expectedCommit: first }), false);
    });

    it("fails with the platform's summary and last log lines, and starts another update in the next run", async () => {
        fixture.server.nextOutcome = "failure";
        await assert.rejects(
            create(),
            /du_1 of project docs failed: the site does not build; last log lines: fetched \| index/,
        );
        fixture.nextRun();
        fixture.server.nextOutcome = "success";
        assert.equal((await create()).statusId, "du_2");
    });

    it("saves an update that is still in progress at the deadline, and waits for it in the next run", async () => {
        fixture.server.updateMs = 7200_000;
        const { state, message } = await savedStateOf(create());
        assert.match(message, /du_1.*was not done.*the next `pulumi up` resumes it/s);
        assert.deepEqual([state.pendingJobId, state.__provider], ["du_1", "shim"]);
        fixture.nextRun();
        assert.equal(await hasDiff(state, inputs), true);
        const done = await update(state, inputs);
        assert.deepEqual([done.statusId, done.pendingJobId], ["du_1", undefined]);
        assert.equal(fixture.server.count("start"), 1);
    });

    it("keeps the published commit while the next update is pending", async () => {
        const published = await create();
        fixture.server.updateMs = 7200_000;
        const { state } = await savedStateOf(update(published, { ...inputs, triggers: ["b"] }));
        assert.deepEqual([state.pendingJobId, state.statusId, state.commit], ["du_2", "du_1", commit]);
    });

    it("fails once if its pending update has disappeared, and then starts another update", async () => {
        fixture.server.updateMs = 7200_000;
        const { state: pending } = await savedStateOf(create());
        fixture.server.forgetAll();
        fixture.server.updateMs = 0;
        fixture.nextRun();
        const { state } = await savedStateOf(update(pending, inputs));
        fixture.nextRun();
        assert.equal((await update(state, inputs)).statusId, "du_2");
    });

    it("waits for an older update to end before it starts the expected commit's update", async () => {
        fixture.server.updateMs = 5000_000;
        const { state } = await savedStateOf(create());
        fixture.nextRun();
        fixture.server.updateMs = 30_000;
        fixture.server.pushed = second;
        const done = await update(state, { ...inputs, triggers: ["b"], expectedCommit: second });
        assert.deepEqual([done.statusId, done.commit?.sha], ["du_2", second]);
        const older = fixture.server.jobs.get("du_1");
        const newer = fixture.server.jobs.get("du_2");
        assert.ok(newer && older && newer.endsMs - 30_000 >= older.endsMs);
    });

    for (const [what, forget] of [
        ["fails", false],
        ["disappears", true],
    ] as const) {
        it(`starts the expected commit's update even when the older update ${what}`, async () => {
            fixture.server.updateMs = 5000_000;
            fixture.server.nextOutcome = "failure";
            const { state } = await savedStateOf(create());
            fixture.nextRun();
            if (forget) {
                fixture.server.forgetAll();
            }
            Object.assign(fixture.server, { updateMs: 30_000, nextOutcome: "success", pushed: second });
            const done = await update(state, { ...inputs, triggers: ["b"], expectedCommit: second });
            assert.deepEqual([done.statusId, done.commit?.sha], ["du_2", second]);
        });
    }

    it("fails for an unknown project, and lists the projects that the key can update", async () => {
        const error = "There is no project docs that this key can update. The key can update: blog.";
        fixture.server.faults.start.push({ status: 404, error });
        await assert.rejects(
            create(),
            /404.*There is no project docs that this key can update\. The key can update: blog\./s,
        );
        assert.equal(fixture.server.count("get"), 0);
    });

    for (const pipelineRun of [undefined, "run-1"]) {
        it(`finds a lost machine's update by its key ${pipelineRun ? "in" : "outside of"} a pipeline`, async () => {
            fixture.pipelineRun = pipelineRun;
            fixture.restart();
            fixture.server.hang = "get";
            void create().catch(() => undefined);
            await fixture.server.requested("get");
            fixture.freshMachine();
            fixture.server.release();
            assert.equal((await create()).statusId, "du_1");
            assert.deepEqual(fixture.server.effects, ["du_1"]);
        });
    }

    it("starts a new update for a resource that was deleted and declared again half an hour later", async () => {
        const state = await create();
        await fixture.lifecycle.delete("docs", state);
        fixture.clock.pass(1_800_000);
        fixture.freshMachine();
        assert.equal((await create()).statusId, "du_2");
        assert.match(fixture.lines.join("\n"), /but its documentation update was completed more than 15 minutes ago/);
    });

    it("starts a new update on every create if there are neither triggers nor a pipeline run", async () => {
        const bare = { projectId: "docs", __provider: "shim" };
        await create(bare);
        fixture.freshMachine();
        assert.equal((await create(bare)).statusId, "du_2");
    });

    it("stays in the state after a refresh, unless its pending update has disappeared", async () => {
        const state = await create();
        fixture.server.forgetAll();
        assert.equal((await fixture.lifecycle.read("docs", state)).id, "docs");
        const pending = { ...inputs, pendingJobId: "du_1" };
        assert.equal((await fixture.lifecycle.read("docs", pending)).id, "");
    });

    it("fails if its status disappears during the wait, and starts another update in the next run", async () => {
        fixture.server.hang = "get";
        const failing = assert.rejects(create(), /404.*du_1.*The next `pulumi up` starts a new update/s);
        await fixture.server.requested("get");
        fixture.server.forgetAll();
        fixture.server.release();
        await failing;
        fixture.nextRun();
        assert.equal((await create()).statusId, "du_2");
    });

    it("reports that an update may be in progress if the response to the start was lost", async () => {
        fixture.server.honoursKeys = false;
        fixture.server.faults.start.push("lost");
        await assert.rejects(create(), /an update may or may not have been started.*starts a new update/s);
        assert.equal(fixture.server.count("start"), 1);
    });

    it("makes no request when deleted", async () => {
        const state = await create();
        const sent = fixture.server.requests.length;
        await fixture.lifecycle.delete("docs", state);
        assert.equal(fixture.server.requests.length, sent);
    });

    it("refuses an invalid project, commit or input", async () => {
        const news = { projectId: "a/b", expectedCommit: "main", branch: "main" } as unknown as UpdateInputs;
        const { failures = [] } = await fixture.lifecycle.check(news, news);
        assert.deepEqual(
            failures.map(({ property }) => property),
            ["projectId", "expectedCommit", "branch"],
        );
    });
});
