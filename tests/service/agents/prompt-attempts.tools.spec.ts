import assert from "node:assert/strict";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { AgentJobStore } from "../../../service/src/agents/agent-job-store.js";
import { type Prompt } from "../../../service/src/agents/next-prompt.js";
import { PromptAttempts } from "../../../service/src/agents/prompt-attempts.js";
import { describeOnBoth } from "../database/databases.js";

const repository = "https://git.example.com/acme/docs";
const change = { branch: "agent/aj_1", base: "b0", isFollowUp: false };
const prLink = "https://git.example.com/pulls/1";

interface Stores {
    jobs: AgentJobStore;
    runs: PromptAttempts;
    create: (prompt: string, project?: string) => Promise<string>;
}

function storesOver(database: ServiceDatabase): Stores {
    const jobs = new AgentJobStore(database, Date.now);
    return {
        jobs,
        runs: new PromptAttempts(database),
        create: async (prompt, project = "docs") => (await jobs.create(project, { repository }, prompt)).id,
    };
}

async function claim({ runs }: Stores): Promise<Prompt> {
    const run = await runs.claim();
    assert.ok(run);
    return run;
}

/** Takes the prompt away from its run, as if the run's worker had died. */
async function takeAway({ runs }: Stores, { jobId }: { jobId: string }): Promise<boolean> {
    const run = (await runs.running()).find((each) => each.jobId === jobId);
    assert.ok(run);
    return runs.takeFrom(run);
}

describeOnBoth("A run of an agent's prompt", (withDatabase) => {
    const withStores = (use: (stores: Stores) => Promise<void>) =>
        withDatabase((database) => use(storesOver(database)));

    it("is claimed by only one of many concurrent workers", async () => {
        await withStores(async ({ runs, create }) => {
            await create("One.");
            const claimed = await Promise.all(Array.from({ length: 8 }, () => runs.claim()));
            assert.equal(claimed.filter((run) => run !== undefined).length, 1);
        });
    });

    it("waits until the job's current message has ended", async () => {
        await withStores(async (stores) => {
            const { jobs, runs, create } = stores;
            const id = await create("One.");
            const first = await claim(stores);
            await jobs.addMessage(id, "Two.");
            assert.equal(await runs.claim(), undefined);
            assert.equal(await runs.finish(first, { prLink, branch: "agent/1" }), true);
            const second = await claim(stores);
            assert.deepEqual([second.prompt, second.jobBranch, second.earlierPrLink], ["Two.", "agent/1", prLink]);
            assert.equal((await jobs.get("docs", id))?.status, "active");
            await runs.finish(second, { prLink, branch: "agent/1" });
            assert.equal((await jobs.get("docs", id))?.status, "completed");
        });
    });

    it("waits after two interruptions until no other job runs in its process", async () => {
        await withStores(async (stores) => {
            const interrupted = await stores.create("One.");
            await takeAway(stores, await claim(stores));
            const second = await stores.runs.claim(["aj_other"]);
            assert.equal(second?.jobId, interrupted);
            await takeAway(stores, second);
            assert.equal(await stores.runs.claim(["aj_other"]), undefined);
            assert.equal((await claim(stores)).jobId, interrupted);
        });
    });

    it("shows the command of its worker as the model of its job", async () => {
        await withStores(async ({ jobs, runs, create }) => {
            const id = await create("One.");
            assert.equal((await jobs.get("docs", id))?.model, "none");
            await runs.claim([], undefined, "claude");
            assert.equal((await jobs.get("docs", id))?.model, "claude");
        });
    });

    it("serves the worker's project that was served longest ago", async () => {
        await withStores(async (stores) => {
            for (const project of ["a", "a", "a", "b", "c"]) {
                await stores.create("One.", project);
            }
            const served: string[] = [];
            for (let run = 0; run < 4; run += 1) {
                served.push((await stores.runs.claim([], ["a", "b"]))?.projectId ?? "none");
            }
            assert.deepEqual(served, ["a", "b", "a", "a"]);
            assert.equal(await stores.runs.claim([], ["a", "b"]), undefined);
        });
    });

    it("changes nothing after its prompt was given to another run", async () => {
        await withStores(async (stores) => {
            const { jobs, runs, create } = stores;
            const id = await create("One.");
            const lost = await claim(stores);
            assert.equal(await takeAway(stores, lost), true);
            const refused = async () => [
                await runs.tick(lost),
                await runs.recordChange(lost, { ...change, commits: ["c1"] }),
                await runs.finish(lost, { prLink: "https://git.example.com/pulls/2", branch: "agent/2" }),
                await runs.fail(lost, undefined),
                await runs.putBack(lost),
            ];
            assert.deepEqual(await refused(), ["lost", false, false, false, "lost"]);
            const current = await claim(stores);
            assert.deepEqual(await refused(), ["lost", false, false, false, "lost"]);
            assert.equal(await runs.tick(current), "wanted");
            assert.equal(await runs.finish(current, { prLink, branch: "agent/1" }), true);
            assert.deepEqual(await refused(), ["lost", false, false, false, "lost"]);
            const job = await jobs.get("docs", id);
            assert.deepEqual([job?.status, job?.prLink, job?.source.ref], ["completed", prLink, "agent/1"]);
        });
    });

    it("stores its outcome, even if it retries after a lost response", async () => {
        await withStores(async (stores) => {
            await stores.create("One.");
            const run = await claim(stores);
            assert.equal(await stores.runs.finish(run, { prLink, branch: "agent/1" }), true);
            assert.equal(await stores.runs.finish(run, { prLink, branch: "agent/1" }), true);
        });
    });

    it("receives the commits of all earlier runs of its prompt", async () => {
        await withStores(async (stores) => {
            await stores.create("One.");
            const first = await claim(stores);
            await stores.runs.recordChange(first, { ...change, commits: ["c1"] });
            await takeAway(stores, first);
            assert.deepEqual((await claim(stores)).change, { ...change, commits: ["c1"] });
        });
    });

    it("keeps its prompt if it has ticked since the last check", async () => {
        await withStores(async ({ runs, create }) => {
            await create("One.");
            const run = await runs.claim();
            const [seen] = await runs.running();
            assert.ok(run && seen);
            await runs.tick(run);
            assert.equal(await runs.takeFrom(seen), false);
        });
    });

    it("detects at a tick that its job was archived, and does not requeue its prompt", async () => {
        await withStores(async (stores) => {
            const { jobs, runs, create } = stores;
            const ended = [(run: Prompt) => runs.putBack(run), (run: Prompt) => takeAway(stores, run)];
            for (const end of ended) {
                const id = await create("One.");
                const run = await claim(stores);
                await jobs.archive(id);
                assert.equal(await runs.tick(run), "unwanted");
                await end(run);
                assert.equal(await runs.claim(), undefined);
                assert.equal((await jobs.get("docs", id))?.status, "archived");
            }
        });
    });

    it("begins after its job was archived only if an earlier run may have pushed something", async () => {
        await withStores(async (stores) => {
            const { jobs, runs, create } = stores;
            for (const isPushed of [false, true]) {
                const id = await create("One.");
                const earlier = (await runs.claim([], undefined, "claude"))!;
                if (isPushed) {
                    await runs.recordChange(earlier, { ...change, commits: ["c1"] });
                }
                await takeAway(stores, earlier);
                await jobs.addMessage(id, "Two.");
                await jobs.archive(id);
                assert.equal((await jobs.queue()).queued, 0);
                const run = await runs.claim(["aj_other"], undefined, "codex");
                assert.deepEqual(run?.change, isPushed ? { ...change, commits: ["c1"] } : undefined);
                assert.equal((await jobs.get("docs", id))?.model, "claude");
                if (run !== undefined) {
                    assert.equal(await runs.tick(run), "unwanted");
                    assert.equal(await runs.putBack(run), "requeued");
                    const repeated = await claim(stores);
                    assert.deepEqual([run.starts, repeated.starts], [1, 1]);
                    assert.equal(await runs.forgetChange(repeated), true);
                    assert.equal(await runs.putBack(repeated), "cancelled");
                }
                assert.equal(await runs.claim(), undefined);
            }
        });
    });

    it("stores no change and no outcome after its job was archived", async () => {
        await withStores(async (stores) => {
            const { jobs, runs, create } = stores;
            const id = await create("One.");
            const run = await claim(stores);
            await jobs.archive(id);
            assert.equal(await runs.recordChange(run, { ...change, commits: ["c1"] }), false);
            assert.equal(await runs.finish(run, { prLink, branch: "agent/1" }), false);
            assert.equal(await runs.fail(run, "agent/1"), false);
            assert.equal(await runs.putBack(run), "cancelled");
            const job = await jobs.get("docs", id);
            assert.deepEqual([job?.status, job?.prLink, job?.source.ref], ["archived", null, null]);
        });
    });

    it("can be requeued without counting as a start", async () => {
        await withStores(async (stores) => {
            await stores.create("One.");
            const first = await claim(stores);
            assert.equal(await stores.runs.putBack(first), "requeued");
            const second = await claim(stores);
            assert.deepEqual([first.starts, second.starts], [1, 1]);
            await takeAway(stores, second);
            assert.equal((await claim(stores)).starts, 2);
        });
    });

    it("never loses a message that arrives while the run ends", async () => {
        await withStores(async (stores) => {
            const { jobs, runs, create } = stores;
            for (let round = 0; round < 20; round += 1) {
                const id = await create("One.");
                const run = await claim(stores);
                await Promise.all([runs.finish(run, { prLink, branch: "agent/1" }), jobs.addMessage(id, "Two.")]);
                const second = await claim(stores);
                assert.deepEqual([second.jobId, second.prompt], [id, "Two."]);
                await runs.finish(second, { prLink, branch: "agent/1" });
            }
        });
    });
});
