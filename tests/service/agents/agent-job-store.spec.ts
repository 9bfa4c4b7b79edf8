import assert from "node:assert/strict";
import { AgentJobArchivedError, AgentJobStore } from "../../../service/src/agents/agent-job-store.js";
import { type Prompt } from "../../../service/src/agents/next-prompt.js";
import { PromptAttempts } from "../../../service/src/agents/prompt-attempts.js";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { AgentHistory } from "../../../service/src/history/agent-history.js";
import { withSqlite } from "../support/sqlite.js";

const project = { repository: "https://git.example.com/acme/docs" };
const prLink = "https://git.example.com/pulls/1";

interface Given {
    database: ServiceDatabase;
    jobs: AgentJobStore;
    runs: PromptAttempts;
    clock: { now: number };
    create: (projectId?: string) => Promise<string>;
}

async function withStore(use: (given: Given) => Promise<void>): Promise<void> {
    await withSqlite(async (database) => {
        const clock = { now: 1000 };
        const jobs = new AgentJobStore(database, () => clock.now);
        const create = async (projectId = "docs") => (await jobs.create(projectId, project, "Fix typos.")).id;
        await use({ database, jobs, runs: new PromptAttempts(database), clock, create });
    });
}

describe("A job of an agent", () => {
    it("shows when it was archived, and null before", async () => {
        await withStore(async ({ jobs, clock, create }) => {
            const [id, other] = [await create(), await create()];
            clock.now = 5000;
            assert.deepEqual((await jobs.archive(id)).archivedAt, new Date(5000));
            assert.equal((await jobs.get("docs", other))?.archivedAt, null);
        });
    });

    it("takes neither a message nor a second archiving once it is archived, and the error says so", async () => {
        await withStore(async ({ jobs, create }) => {
            const id = await create();
            await jobs.archive(id);
            const ofMessage = new RegExp(
                `^AgentJobArchivedError: Agent job ${id} is archived: a message needs a job that`,
            );
            await assert.rejects(jobs.addMessage(id, "More."), ofMessage);
            await assert.rejects(jobs.archive(id), AgentJobArchivedError);
            await assert.rejects(jobs.archive("aj_unknown"), /^Error: No agent job aj_unknown\.$/);
        });
    });

    it("hides the link of its earlier prompt while a message makes it active", async () => {
        await withStore(async ({ database, jobs, runs, create }) => {
            const id = await create();
            await runs.finish((await runs.claim())!, { prLink, branch: "agent/1" });
            assert.equal((await jobs.get("docs", id))?.prLink, prLink);
            const active = await database.transaction((transaction) => jobs.addMessage(id, "More.", transaction));
            assert.deepEqual([active.status, active.prLink], ["active", null]);
        });
    });

    it("drops its own waiting prompts when it is archived, and no others", async () => {
        await withStore(async ({ jobs, runs, create }) => {
            const [id, other] = [await create(), await create()];
            await jobs.archive(id);
            assert.equal((await jobs.queue()).queued, 1);
            assert.equal((await runs.claim())?.jobId, other);
        });
    });

    it("shows prompts that no agent worked on as dropped, and those that were interrupted as done", async () => {
        await withStore(async ({ database, jobs, runs, create }) => {
            const history = new AgentHistory(database, "/none", undefined);
            const statesOf = async (id: string) => (await history.prompts(id)).map(({ state }) => state);
            const [failed, archived] = [await create(), await create()];
            await jobs.addMessage(failed, "More.");
            await runs.fail((await runs.claim())!, undefined);
            assert.deepEqual(await statesOf(failed), ["done", "dropped"]);

            const interrupted = (await runs.claim())!;
            await jobs.addMessage(archived, "More.");
            assert.deepEqual(await statesOf(archived), ["running", "waiting"]);
            await runs.putBack(interrupted);
            await jobs.archive(archived);
            assert.deepEqual(await statesOf(archived), ["done", "dropped"]);
        });
    });

    it("fails with its waiting prompts, and keeps the branch of its earlier prompt", async () => {
        await withStore(async ({ jobs, runs, create }) => {
            const id = await create();
            await runs.finish((await runs.claim())!, { prLink, branch: "agent/1" });
            await jobs.addMessage(id, "More.");
            const run = (await runs.claim())!;
            await jobs.addMessage(id, "And more.");
            assert.equal(await runs.giveUp(run), true);
            const job = await jobs.get("docs", id);
            assert.deepEqual([job?.status, job?.source.ref], ["failed", "agent/1"]);
            assert.equal((await jobs.queue()).queued, 0);
        });
    });

    it("shows the branch with the work of a failed run", async () => {
        await withStore(async ({ jobs, runs, create }) => {
            const id = await create();
            await runs.fail((await runs.claim())!, "agent/2");
            assert.equal((await jobs.get("docs", id))?.source.ref, "agent/2");
        });
    });

    it("is removed once it has ended for long enough, with its prompts, and an active one never", async () => {
        await withStore(async ({ database, jobs, runs, clock, create }) => {
            const id = await create();
            await runs.finish((await runs.claim())!, { prLink: null, branch: undefined });
            const active = await create();
            assert.equal(await jobs.removeUnused({ unusedBefore: 1000 }), 0);
            clock.now = 9000;
            assert.equal(await jobs.removeUnused({ unusedBefore: 1001 }), 1);
            assert.equal(await jobs.get("docs", id), undefined);
            assert.equal((await jobs.get("docs", active))?.status, "active");
            const prompts = await database.all<{ job_id: string }>("SELECT job_id FROM agent_prompts");
            assert.deepEqual(
                prompts.map((row) => row.job_id),
                [active],
            );
        });
    });
});

const change = { branch: "agent/1", base: "c0", commits: ["c1", "c2"], isFollowUp: true };

describe("The queue of agents' prompts", () => {
    it("has the waiting and running prompts, and the time of the oldest waiting one", async () => {
        await withStore(async ({ jobs, runs, clock, create }) => {
            assert.deepEqual(await jobs.queue(), { queued: 0, running: 0, oldestQueuedAt: undefined });
            await create();
            clock.now = 2000;
            await create();
            await runs.claim();
            assert.deepEqual(await jobs.queue(), { queued: 1, running: 1, oldestQueuedAt: new Date(2000) });
        });
    });

    it("leaves out a prompt that only takes back a change of an archived job, also while other jobs run", async () => {
        await withStore(async ({ jobs, runs, create }) => {
            const id = await create();
            await runs.recordChange((await runs.claim())!, change);
            await runs.takeAll();
            await jobs.archive(id);
            assert.deepEqual(await jobs.queue(), { queued: 0, running: 0, oldestQueuedAt: undefined });
            const run = await runs.claim(["aj_other"]);
            assert.deepEqual([run?.jobId, run?.starts], [id, 1]);
        });
    });

    it("counts the prompts of one project since a time, oldest first", async () => {
        await withStore(async ({ jobs, clock, create }) => {
            const id = await create();
            clock.now = 2000;
            await create("other");
            await jobs.addMessage(id, "More.");
            clock.now = 3000;
            await create();
            assert.deepEqual(await jobs.promptsSince("docs", 500), [1000, 2000, 3000]);
            assert.deepEqual(await jobs.promptsSince("docs", 1000), [2000, 3000]);
            clock.now = 2500;
            assert.deepEqual(await jobs.promptsSince("docs", 500), [1000, 2000]);
        });
    });
});

describe("A prompt", () => {
    it("continues with the change that an earlier run has stored", async () => {
        await withStore(async ({ runs, create }) => {
            await create();
            const first = (await runs.claim())!;
            assert.equal(first.change, undefined);
            await runs.recordChange(first, change);
            await runs.putBack(first);
            assert.deepEqual((await runs.claim())?.change, change);
        });
    });

    it("runs alone, and waits until it can, once it was interrupted twice", async () => {
        await withStore(async ({ runs, create }) => {
            await create();
            await runs.claim();
            await runs.takeAll();
            assert.equal((await runs.claim(["aj_other"]))?.starts, 2);
            await runs.takeAll();
            assert.equal(await runs.claim(["aj_other"]), undefined);
            assert.equal((await runs.claim())?.starts, 3);
            await create();
            assert.equal((await runs.claim(["aj_other"]))?.starts, 1);
        });
    });

    it("does not begin if its job is archived while it is claimed", async () => {
        await withStore(async ({ database, jobs, create }) => {
            const id = await create();
            const meanwhile: ServiceDatabase = {
                all: (...query) => database.all(...query),
                run: (...query) => database.run(...query),
                get: async (...query) => {
                    const found = await database.get<never>(...query);
                    await database.run("UPDATE agent_jobs SET status = 'archived' WHERE status = 'active'");
                    return found;
                },
                transaction: (work) => work(meanwhile),
                assertWritable: () => database.assertWritable(),
                close: () => database.close(),
            };
            assert.equal(await new PromptAttempts(meanwhile).claim(), undefined);
            assert.equal((await jobs.get("docs", id))?.status, "archived");
            assert.equal((await jobs.queue()).running, 0);
        });
    });

    it("is abandoned if its job was archived before it had an outcome, also for a run that has lost it", async () => {
        await withStore(async ({ jobs, runs, create }) => {
            const id = await create();
            const lost = (await runs.claim())!;
            await runs.recordChange(lost, change);
            await runs.takeAll();
            const run = (await runs.claim())!;
            assert.equal(await runs.isAbandoned(run), false);
            await jobs.archive(id);
            assert.deepEqual([await runs.isAbandoned(lost), await runs.isAbandoned(run)], [true, true]);
            assert.deepEqual([await runs.forgetChange(lost), await runs.forgetChange(run)], [false, true]);
            assert.equal(await runs.putBack(run), "cancelled");
            assert.equal(await runs.isAbandoned(lost), true);
        });
    });

    it("is not abandoned if its job is archived after its outcome", async () => {
        await withStore(async ({ jobs, runs, create }) => {
            const id = await create();
            const run = (await runs.claim())!;
            await runs.recordChange(run, change);
            await runs.finish(run, { prLink: null, branch: "agent/1" });
            await jobs.archive(id);
            assert.equal(await runs.isAbandoned(run), false);
            assert.equal(await runs.claim(), undefined);
        });
    });

    const outcomes = {
        finish: (runs: PromptAttempts, run: Prompt) => runs.finish(run, { prLink: "link", branch: "agent/1" }),
        fail: (runs: PromptAttempts, run: Prompt) => runs.fail(run, "agent/1"),
    };
    for (const [name, end] of Object.entries(outcomes)) {
        it(`accepts that its run stores its outcome twice, also if its job was archived in between: ${name}`, async () => {
            await withStore(async ({ jobs, runs, create }) => {
                const id = await create();
                const run = (await runs.claim())!;
                await runs.recordChange(run, change);
                assert.equal(await end(runs, run), true);
                await jobs.archive(id);
                assert.equal(await end(runs, run), true);
            });
        });

        it(`accepts no outcome of a run that lost it to the end of its archived job: ${name}`, async () => {
            await withStore(async ({ jobs, runs, create }) => {
                const id = await create();
                const run = (await runs.claim())!;
                await jobs.archive(id);
                await runs.takeAll();
                assert.equal(await end(runs, run), false);
            });
        });
    }
});
