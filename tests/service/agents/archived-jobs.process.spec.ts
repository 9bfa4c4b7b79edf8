import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { AgentJobStore } from "../../../service/src/agents/agent-job-store.js";
import { AgentJobs } from "../../../service/src/agents/agent-jobs.js";
import { resolveAgent } from "../../../service/src/agents/agent-options.js";
import { openSqliteDatabase } from "../../../service/src/database/sqlite-database.js";
import { JobRunner } from "../../../service/src/jobs/runner.js";
import { silentLogger } from "../../../service/src/shared/logger.js";
import { waitUntil } from "../../wait-until.js";
import { withFolder } from "../support/running-service.js";
import { ScriptedAgents } from "../support/scripted-agents.js";

interface Given {
    agents: ScriptedAgents;
    jobs: AgentJobStore;
    /** Starts a job, and returns its id once its agent has read the prompt. */
    start: () => Promise<string>;
    /** Resolves when no prompt is running any more. */
    ended: () => Promise<void>;
    branches: () => Promise<string[]>;
    /** The folder of the repository's hooks. */
    hooks: string;
}

/** Runs agents in this process, which learns only with a tick that another process has archived a job. */
async function withRunner(use: (given: Given) => Promise<void>): Promise<void> {
    await withFolder(async (folder) => {
        const agents = await ScriptedAgents.create(folder);
        const data = join(folder, "data");
        await mkdir(data);
        const database = openSqliteDatabase(data);
        const jobs = new AgentJobStore(database, Date.now);
        const agent = resolveAgent({ ...agents.options, env: process.env });
        const options = { agent, database, dataDir: data, logger: silentLogger, keepDays: 1, clock: Date.now };
        const kind = new AgentJobs(options);
        const runner = new JobRunner(kind, silentLogger, { retryMs: 10 });
        const repository = fileURLToPath(agents.repository);
        await runner.startAlone();
        try {
            await use({
                agents,
                jobs,
                start: async () => {
                    const { id } = await jobs.create("docs", { repository: agents.repository }, "Fix typos.");
                    runner.wake();
                    await agents.hasPrompts(id, 1);
                    return id;
                },
                ended: () =>
                    waitUntil("no prompt runs", async () => (await kind.attempts.running()).length === 0).then(
                        () => undefined,
                    ),
                branches: async () => {
                    const list = ["-C", repository, "branch", "--format=%(refname:short)"];
                    return (await promisify(execFile)("git", list)).stdout.trim().split("\n");
                },
                hooks: join(repository, ".git", "hooks"),
            });
        } finally {
            await runner.close();
            await database.close();
        }
    });
}

describe("An agent's job that is archived while it runs", () => {
    it("pushes no branch and gets no link, even if its agent ends before the next tick", async () => {
        await withRunner(async ({ agents, jobs, start, ended, branches }) => {
            const id = await start();
            await jobs.archive(id);
            await agents.end(id, "changed");
            await ended();
            const job = await jobs.get("docs", id);
            assert.deepEqual([job?.status, job?.prLink, await branches()], ["archived", null, ["main"]]);
        });
    });

    it("takes back a push that was in progress", async () => {
        await withRunner(async ({ agents, jobs, start, ended, branches, hooks }) => {
            const id = await start();
            const [pushed, go] = [join(hooks, "pushed"), join(hooks, "go")];
            const hook = join(hooks, "post-receive");
            await mkdir(hooks, { recursive: true });
            await writeFile(hook, `#!/bin/sh\ntouch '${pushed}'\nuntil [ -e '${go}' ]; do sleep 0.02; done\n`);
            await chmod(hook, 0o755);
            await agents.end(id, "changed");
            await waitUntil("the branch is pushed", () => Promise.resolve(existsSync(pushed)));
            assert.deepEqual(await branches(), [`agent/${id}`, "main"]);
            await jobs.archive(id);
            await writeFile(go, "");
            await ended();
            const job = await jobs.get("docs", id);
            assert.deepEqual([job?.status, job?.prLink, await branches()], ["archived", null, ["main"]]);
        });
    });

    it("completes with its branch and link if nobody archives it", async () => {
        await withRunner(async ({ agents, jobs, start, ended, branches }) => {
            const id = await start();
            await agents.end(id, "changed");
            await ended();
            const job = await jobs.get("docs", id);
            assert.deepEqual([job?.status, job?.prLink], ["completed", agents.linkOf(id)]);
            assert.deepEqual(await branches(), [`agent/${id}`, "main"]);
        });
    });
});
