import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { AgentJobStore } from "../../../service/src/agents/agent-job-store.js";
import { AgentJobs } from "../../../service/src/agents/agent-jobs.js";
import { type AgentOptions, resolveAgent } from "../../../service/src/agents/agent-options.js";
import { PromptAttempts } from "../../../service/src/agents/prompt-attempts.js";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { openSqliteDatabase } from "../../../service/src/database/sqlite-database.js";
import { JobRunner } from "../../../service/src/jobs/runner.js";
import { silentLogger } from "../../../service/src/shared/logger.js";
import { waitUntil } from "../../wait-until.js";
import { pullRequestAnswer } from "../forge/support/pull-request-answer.js";
import { withFolder } from "../support/running-service.js";
import { ScriptedAgents } from "../support/scripted-agents.js";

interface Given {
    agents: ScriptedAgents;
    jobs: AgentJobStore;
    database: ServiceDatabase;
    kind: AgentJobs;
    /** Starts a job, and returns its id once its agent has read the prompt. */
    start: () => Promise<string>;
    /** Ends this process's runner, as SIGTERM does. */
    close: () => Promise<void>;
    /** Resolves when no prompt is running any more. */
    ended: () => Promise<void>;
    /** Sends another message, and resolves once its agent has read it. */
    message: (id: string) => Promise<void>;
    branches: () => Promise<string[]>;
    /** The commits of a branch, newest first. */
    commits: (branch: string) => Promise<string>;
    /** The folder of the repository's hooks. */
    hooks: string;
}

/** Runs agents in this process, which learns only with a tick that another process has archived a job. */
async function withRunner(use: (given: Given) => Promise<void>, changed: Partial<AgentOptions> = {}): Promise<void> {
    await withFolder(async (folder) => {
        const agents = await ScriptedAgents.create(folder);
        const data = join(folder, "data");
        await mkdir(data);
        const database = openSqliteDatabase(data);
        const jobs = new AgentJobStore(database, Date.now);
        const agent = resolveAgent({ ...agents.options, ...changed, env: process.env });
        const options = { agent, database, dataDir: data, logger: silentLogger, keepDays: 1, clock: Date.now };
        const kind = new AgentJobs(options);
        const runner = new JobRunner(kind, silentLogger, { retryMs: 10 });
        const repository = fileURLToPath(agents.repository);
        const git = async (...args: string[]) =>
            (await promisify(execFile)("git", ["-C", repository, ...args])).stdout.trim();
        await runner.startAlone();
        try {
            await use({
                ...{ agents, jobs, database, kind },
                close: () => runner.close(),
                start: async () => {
                    const { id } = await jobs.create("docs", { repository: agents.repository }, "Fix typos.");
                    runner.wake();
                    await agents.hasPrompts(id, 1);
                    return id;
                },
                message: async (id) => {
                    await jobs.addMessage(id, "Fix more.");
                    runner.wake();
                    await agents.hasPrompts(id, 2);
                },
                ended: () =>
                    waitUntil("no prompt runs", async () => (await kind.attempts.running()).length === 0).then(
                        () => undefined,
                    ),
                branches: async () => (await git("branch", "--format=%(refname:short)")).split("\n"),
                commits: (branch) => git("rev-list", branch),
                hooks: join(repository, ".git", "hooks"),
            });
        } finally {
            await runner.close();
            await database.close();
        }
    });
}

interface StubForge {
    options: Partial<AgentOptions>;
    /** The branches with an open pull request. */
    open: Set<string>;
    linkOf: (branch: string) => string;
    /** Resolves when a pull request is being opened. */
    opening: () => Promise<void>;
    /** Lets the forge open it, and every later one immediately. */
    answer: () => void;
    /** Resolves when one was closed. */
    closed: () => Promise<void>;
}

/** GitHub's API, as far as pull requests need it. */
async function withForge(use: (forge: StubForge) => Promise<void>): Promise<void> {
    const open = new Set<string>();
    const [opening, answered, closed] = [
        Promise.withResolvers<void>(),
        Promise.withResolvers<void>(),
        Promise.withResolvers<void>(),
    ];
    const linkOf = (branch: string) => `https://forge.example.com/pulls/${branch}`;
    const server = createServer((request, response) => {
        void (async () => {
            const [, path = ""] = /^\/repos\/(.*)\/pulls/.exec(request.url ?? "") ?? [];
            const describe = (branch: string) => pullRequestAnswer("github", { link: linkOf(branch), branch, path });
            const body = JSON.parse((await text(request)) || "{}") as { head?: string };
            if (request.method === "PATCH") {
                open.clear();
                closed.resolve();
            } else if (request.method === "POST") {
                opening.resolve();
                await answered.promise;
                open.add(body.head ?? "");
            }
            const answer = request.method === "POST" ? describe(body.head ?? "") : [...open].map(describe);
            response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
        })();
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const options = { pullRequests: { kind: "github", apiUrl, token: "forge_5ecret" } } as const;
    try {
        await use({
            ...{ options, open, linkOf },
            opening: () => opening.promise,
            answer: answered.resolve,
            closed: () => closed.promise,
        });
    } finally {
        server.closeAllConnections();
        server.close();
    }
}

describe("An agent's job that is archived before its prompt has an outcome", () => {
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
        await withRunner(async ({ agents, jobs, start, branches, hooks }) => {
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
            await waitUntil("the branch is gone", async () => (await branches()).length === 1);
            const job = await jobs.get("docs", id);
            assert.deepEqual([job?.status, job?.prLink, await branches()], ["archived", null, ["main"]]);
        });
    });

    it("takes back a push that arrived after another worker had taken its change back", async () => {
        await withRunner(async ({ agents, jobs, database, kind, start, branches }) => {
            const id = await start();
            const finish = kind.attempts.finish.bind(kind.attempts);
            const pushed = Promise.withResolvers<string[]>();
            kind.attempts.finish = async (...given) => {
                // The run has pushed. Before that, another worker had its prompt, and found nothing to take back.
                await jobs.archive(id);
                await database.run(
                    "UPDATE agent_prompts SET attempt = attempt + 1, state = 'done', commits = NULL WHERE job_id = :id",
                    { id },
                );
                pushed.resolve(await branches());
                return finish(...given);
            };
            await agents.end(id, "changed");
            assert.deepEqual(await pushed.promise, [`agent/${id}`, "main"]);
            await waitUntil("the branch is gone", async () => (await branches()).length === 1);
        });
    });

    it("takes back what a worker has pushed that stops before it notices the archiving", async () => {
        await withForge(async (forge) => {
            await withRunner(async ({ agents, jobs, start, close, branches }) => {
                const id = await start();
                await agents.end(id, "changed");
                await forge.opening();
                await jobs.archive(id);
                await close();
                assert.deepEqual(await branches(), ["main"]);
            }, forge.options);
        });
    });

    it("closes the pull request that was being opened, and takes back its branch", async () => {
        await withForge(async (forge) => {
            await withRunner(async ({ agents, jobs, start, branches }) => {
                const id = await start();
                await agents.end(id, "changed");
                await forge.opening();
                await jobs.archive(id);
                forge.answer();
                await forge.closed();
                assert.equal(forge.open.size, 0);
                const job = await jobs.get("docs", id);
                assert.deepEqual([job?.status, job?.prLink, await branches()], ["archived", null, ["main"]]);
            }, forge.options);
        });
    });

    it("keeps the pull request and the branch of its earlier message", async () => {
        await withForge(async (forge) => {
            await withRunner(async ({ agents, jobs, start, message, ended, branches, commits }) => {
                const id = await start();
                await agents.end(id, "changed");
                forge.answer();
                await ended();
                const earlier = await commits(`agent/${id}`);
                await message(id);
                await jobs.archive(id);
                await agents.end(id, "changed");
                await ended();
                assert.deepEqual([...forge.open], [`agent/${id}`]);
                assert.deepEqual(await branches(), [`agent/${id}`, "main"]);
                assert.equal(await commits(`agent/${id}`), earlier);
                assert.equal((await jobs.get("docs", id))?.prLink, forge.linkOf(`agent/${id}`));
            }, forge.options);
        });
    });

    const ends = {
        "a killed worker has pushed, once another worker takes it": { starts: "start", isPutBack: false },
        "a killed process has pushed, once the next process starts": { starts: "startAlone", isPutBack: false },
        "an earlier worker has pushed, although its prompt waited": { starts: "start", isPutBack: true },
    } as const;
    for (const [what, { starts, isPutBack }] of Object.entries(ends)) {
        it(`loses what ${what}`, async () => {
            await withForge(async (forge) => {
                await withRunner(async ({ agents, jobs, database, kind, branches, commits }) => {
                    const { id } = await jobs.create("docs", { repository: agents.repository }, "Fix typos.");
                    const earlier = new PromptAttempts(database);
                    const prompt = (await earlier.claim())!;
                    const branch = `agent/${id}`;
                    const [commit = ""] = (await commits("main")).split("\n");
                    await earlier.recordChange(prompt, { branch, base: commit, commits: [commit], isFollowUp: false });
                    await promisify(execFile)("git", ["-C", fileURLToPath(agents.repository), "branch", branch]);
                    forge.open.add(branch);
                    if (isPutBack) {
                        assert.equal(await earlier.putBack(prompt), "requeued");
                    }
                    await jobs.archive(id);
                    const runner = new JobRunner(kind, silentLogger, { tickMs: 20 });
                    await runner[starts]();
                    try {
                        await waitUntil("no prompt is left", async () => {
                            const sql = "SELECT 1 AS found FROM agent_prompts WHERE state <> 'done'";
                            return (await database.get(sql)) === undefined;
                        });
                    } finally {
                        await runner.close();
                    }
                    assert.deepEqual([await branches(), [...forge.open]], [["main"], []]);
                    assert.equal((await jobs.get("docs", id))?.status, "archived");
                    assert.deepEqual(await agents.prompts(id), []);
                }, forge.options);
            });
        });
    }

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
