import assert from "node:assert/strict";
import { AgentJobStore } from "../../../service/src/agents/agent-job-store.js";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { PromptAttempts } from "../../../service/src/agents/prompt-attempts.js";
import { describeOnBoth } from "../database/databases.js";

const project = { repository: "https://git.example.com/acme/docs" };

describeOnBoth("The retention of agent jobs", (withDatabase) => {
    /** Calls `use` with a store whose clock shows `at.ms`. */
    const withStore = (
        use: (
            jobs: AgentJobStore,
            runs: PromptAttempts,
            at: { ms: number },
            database: ServiceDatabase,
        ) => Promise<void>,
    ) =>
        withDatabase(async (database) => {
            const at = { ms: 1000 };
            await use(new AgentJobStore(database, () => at.ms), new PromptAttempts(database), at, database);
        });
    const claim = async (runs: PromptAttempts) => {
        const run = await runs.claim();
        assert.ok(run);
        return run;
    };
    const complete = async (runs: PromptAttempts) =>
        runs.finish(await claim(runs), { prLink: null, branch: undefined });
    const fail = async (runs: PromptAttempts) => runs.fail(await claim(runs), undefined);

    /** Runs a first round of the retention, which records when the jobs have ended. */
    const look = (jobs: AgentJobStore) => jobs.removeUnused({ unusedBefore: 0 });

    it("removes completed, failed and archived jobs with their prompts after the retention time", async () => {
        await withStore(async (jobs, runs, at, database) => {
            const ids: string[] = [];
            for (const end of [complete, fail, (_: PromptAttempts, id: string) => jobs.archive(id)]) {
                const { id } = await jobs.create("docs", project, "One.");
                await end(runs, id);
                ids.push(id);
            }
            assert.equal(await look(jobs), 0);
            at.ms = 5000;
            assert.equal(await jobs.removeUnused({ unusedBefore: 1000 }), 0);
            assert.equal(await jobs.removeUnused({ unusedBefore: 1001 }), 3);
            for (const id of ids) {
                assert.equal(await jobs.get("docs", id), undefined);
            }
            assert.deepEqual(await database.all("SELECT prompt FROM agent_prompts"), []);
            assert.equal(await runs.claim(), undefined);
        });
    });

    it("preserves active jobs of any age, and counts the time from when it first notices a job's end", async () => {
        await withStore(async (jobs, runs, at) => {
            const { id } = await jobs.create("docs", project, "One.");
            await look(jobs);
            at.ms = 100_000;
            assert.equal(await jobs.removeUnused({ unusedBefore: 90_000 }), 0);
            await complete(runs);
            assert.equal(await jobs.removeUnused({ unusedBefore: 90_000 }), 0);
            assert.equal((await jobs.get("docs", id))?.status, "completed");
            at.ms = 200_000;
            assert.equal(await jobs.removeUnused({ unusedBefore: 100_001 }), 1);
        });
    });

    it("restarts a job's retention time after a message, or when the job is archived", async () => {
        await withStore(async (jobs, runs, at) => {
            const { id } = await jobs.create("docs", project, "One.");
            await complete(runs);
            await look(jobs);
            await jobs.addMessage(id, "Two.");
            assert.equal(await jobs.removeUnused({ unusedBefore: 90_000 }), 0);
            await fail(runs);
            at.ms = 100_000;
            await look(jobs);
            await jobs.archive(id);
            at.ms = 200_000;
            assert.equal(await jobs.removeUnused({ unusedBefore: 150_000 }), 0);
            assert.equal((await jobs.get("docs", id))?.status, "archived");
            assert.equal(await jobs.removeUnused({ unusedBefore: 200_001 }), 1);
        });
    });
});
