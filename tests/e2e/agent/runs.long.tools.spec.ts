import assert from "node:assert/strict";
import { chmod, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
    type AgentService,
    projectId,
    Remote,
    unrulyAgent,
    withAgentService,
    withServiceOver,
} from "./agent-service.js";
import { withFolder } from "../../sdk/support/files.js";
import { withServer } from "../../sdk/support/http-server.js";
import { itInLong } from "../../scale.js";

const template = "https://forge.example.com/org/docs/compare/{branch}";
const withLink = { pullRequests: { kind: "link" as const, template } };

/** Asserts that only the mirror and the logs of a run remain. */
async function assertTidy({ folder }: AgentService): Promise<void> {
    assert.deepEqual(await readdir(join(folder, "data", "agent", "work")).catch(() => []), []);
}

describe("An agent job on a real repository", function () {
    this.timeout(120_000);

    it("completes with one commit on a separate branch, and returns the address of its pull request", async () => {
        await withAgentService(withLink, async (running) => {
            const { remote } = running;
            const created = await running.create("append to guides/start.md: Hello.");
            assert.deepEqual([created.status, created.prLink, created.source.ref], ["active", null, "main"]);
            const job = await running.wait(created.id);
            const branch = `agent/${job.id}`;
            assert.equal(job.status, "completed");
            assert.equal(job.prLink, `https://forge.example.com/org/docs/compare/${branch}`);
            assert.deepEqual(job.source, { repository: remote.url, ref: branch });
            assert.equal(job.model, "node");
            assert.deepEqual(await remote.branches(), [branch]);
            assert.equal(await remote.commitsOn(branch), 1);
            assert.equal(await remote.fileOn(branch, "guides/start.md"), "Hello.");
            await assertTidy(running);
        });
    });

    it("continues from the project's branch on a new one after its work was merged as one commit", async () => {
        await withAgentService(withLink, async ({ run, remote, folder, client, wait }) => {
            const { id } = await run("append to index.md: One.");
            const branch = `agent/${id}`;
            await client.agentJobs.sendMessage(projectId, id, { prompt: "append to index.md: Two." });
            assert.equal((await wait(id)).source.ref, branch);
            const addToMain = async (tree: string): Promise<void> => {
                const identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
                const commit = await remote.git(...identity, "commit-tree", "-m", "Next", "-p", "main", tree);
                await remote.git("update-ref", "refs/heads/main", commit);
            };
            await addToMain(await remote.git("rev-parse", `${branch}^{tree}`));
            await writeFile(join(folder, "other.md"), "# Other\n");
            await remote.git("read-tree", "main");
            await remote.git("--work-tree", folder, "add", join(folder, "other.md"));
            await addToMain(await remote.git("write-tree"));

            await client.agentJobs.sendMessage(projectId, id, { prompt: "append to index.md: Three." });
            const { status, source } = await wait(id);
            assert.deepEqual([status, source.ref], ["completed", `${branch}-2`]);
            assert.equal(await remote.commitsOn(`${branch}-2`), 1);
            assert.equal(await remote.fileOn(`${branch}-2`, "other.md"), "# Other");
            assert.match(await remote.fileOn(`${branch}-2`, "index.md"), /One\.\n\nTwo\.\n\nThree\./);
        });
    });

    it("keeps its prompt out of the commit, because a prompt may be secret", async () => {
        await withAgentService({}, async (running) => {
            const { id } = await running.run("append to a.md: hush");
            assert.equal(
                await running.remote.git("log", "-1", "--format=%B", `agent/${id}`),
                `Change the documentation (agent job ${id})`,
            );
        });
    });

    it("completes without a pull request or a branch if no file changed", async () => {
        await withAgentService(withLink, async (running) => {
            const job = await running.run("do nothing");
            assert.deepEqual([job.status, job.prLink, job.source.ref], ["completed", null, "main"]);
            assert.deepEqual(await running.remote.branches(), []);
        });
    });

    itInLong(
        "begins at the default branch if the project names no branch, and has a null ref until its own branch exists",
        async () => {
            await withFolder(async (folder) => {
                const remote = await Remote.create(folder);
                const projects = { [projectId]: { repository: remote.url } };
                await withServiceOver(
                    folder,
                    remote,
                    {},
                    async (running) => {
                        const created = await running.create("append to index.md: More.");
                        assert.equal(created.source.ref, null);
                        const job = await running.wait(created.id);
                        assert.equal(job.source.ref, `agent/${job.id}`);
                        assert.equal(await remote.fileOn(job.source.ref ?? "", "index.md"), "# Welcome\n\nMore.");
                    },
                    { projects },
                );
            });
        },
    );

    it("continues on its branch after a message, and completes a message that changes nothing", async () => {
        await withAgentService(withLink, async (running) => {
            const { remote, client } = running;
            const { id, prLink } = await running.run("append to a.md: One.");
            const { status } = await client.agentJobs.sendMessage(projectId, id, { prompt: "append to a.md: Two." });
            assert.equal(status, "active");
            const second = await running.wait(id);
            assert.deepEqual([second.status, second.prLink], ["completed", prLink]);
            assert.equal(await remote.commitsOn(`agent/${id}`), 2);
            assert.equal(await remote.fileOn(`agent/${id}`, "a.md"), "One.\n\nTwo.");
            await client.agentJobs.sendMessage(projectId, id, { prompt: "nothing" });
            const third = await running.wait(id);
            assert.deepEqual([third.status, third.prLink], ["completed", prLink]);
            assert.equal(await remote.commitsOn(`agent/${id}`), 2);
        });
    });

    it("fails if the agent fails, pushes nothing, and can be resumed with a message", async () => {
        await withAgentService({ command: unrulyAgent("fail") }, async (running) => {
            const job = await running.run("try");
            assert.deepEqual([job.status, job.prLink], ["failed", null]);
            assert.deepEqual(await running.remote.branches(), []);
            assert.match(await running.log(job.id), /no way[^]*Failed: The agent exited with code 3\./);
            const { status } = await running.client.agentJobs.sendMessage(projectId, job.id, { prompt: "again" });
            assert.equal(status, "active");
            assert.equal((await running.wait(job.id)).status, "failed");
            await assertTidy(running);
        });
    });

    it("stops its agent when it is archived, and leaves nothing in the repository", async () => {
        await withFolder(async (folder) => {
            const remote = await Remote.create(folder);
            const command = unrulyAgent("ignore-sigterm", join(folder, "signals"), join(folder, "late"));
            await withServiceOver(folder, remote, { command }, async (running) => {
                const { id } = await running.create("work for ever");
                const job = await running.client.agentJobs.archive(projectId, id);
                assert.deepEqual([job.status, job.prLink], ["archived", null]);
                assert.deepEqual(await remote.branches(), []);
                await assertTidy(running);
            });
        });
    });

    itInLong("is archived within seconds while its repository does not answer", async () => {
        await withServer([() => undefined], async ({ baseUrl, requests }) => {
            const projects = { [projectId]: { repository: `${baseUrl}/docs.git`, ref: "main" } };
            await withAgentService(
                {},
                async (running) => {
                    const { id } = await running.create("work");
                    while (requests.length === 0) {
                        await setImmediate();
                    }
                    const startedMs = performance.now();
                    assert.equal((await running.client.agentJobs.archive(projectId, id)).status, "archived");
                    assert.ok(performance.now() - startedMs < 15_000);
                },
                { projects },
            );
        });
    });

    itInLong("uses a different branch name if the repository contains a branch named agent", async () => {
        await withAgentService({}, async (running) => {
            await running.remote.git("branch", "agent", "main");
            const { id, status, source } = await running.run("append to a.md: One.");
            assert.deepEqual([status, source.ref], ["completed", `agent-${id}`]);
            assert.equal(await running.remote.commitsOn(`agent-${id}`), 1);
        });
    });

    it("uses a different branch name if the name for the job is already in use", async () => {
        await withAgentService({ timeLimitSeconds: 60 }, async (running) => {
            const { remote } = running;
            // The branch name is known only after the job has started, so the repository creates this branch during the
            // first push.
            const hook = join(remote.folder, "hooks", "update");
            const marker = join(running.folder, "taken");
            const take =
                `#!/bin/sh\n[ -e ${marker} ] && exit 0\ntouch ${marker}\n` +
                `unset GIT_QUARANTINE_PATH\ngit update-ref "$1" "$(git rev-parse main)"\nexit 1\n`;
            await writeFile(hook, take);
            await chmod(hook, 0o755);
            const job = await running.run("append to a.md: One.");
            assert.deepEqual([job.status, job.source.ref], ["completed", `agent/${job.id}-2`]);
            assert.equal(await remote.commitsOn(`agent/${job.id}`), 0);
            assert.equal(await remote.commitsOn(`agent/${job.id}-2`), 1);
        });
    });

    it("fails with the repository's reason if the push is refused, and leaves nothing behind", async () => {
        await withAgentService({}, async (running) => {
            const hook = join(running.remote.folder, "hooks", "pre-receive");
            await writeFile(hook, "#!/bin/sh\necho no documentation on Fridays >&2\nexit 1\n");
            await chmod(hook, 0o755);
            const job = await running.run("append to a.md: One.");
            assert.deepEqual([job.status, job.prLink], ["failed", null]);
            assert.match(await running.log(job.id), /Failed: git push [^]*no documentation on Fridays/);
            assert.deepEqual(await running.remote.branches(), []);
            await assertTidy(running);
        });
    });

    itInLong("fails if the repository is gone, and completes a message when the repository is back", async () => {
        await withAgentService({}, async (running) => {
            const { folder } = running.remote;
            await rename(folder, `${folder}.away`);
            const job = await running.run("append to a.md: One.");
            assert.equal(job.status, "failed");
            assert.match(await running.log(job.id), /Failed: git fetch /);
            await rename(`${folder}.away`, folder);
            await running.client.agentJobs.sendMessage(projectId, job.id, { prompt: "append to a.md: Two." });
            assert.equal((await running.wait(job.id)).status, "completed");
        });
    });

    it("ignores the repository's hooks, filters and submodules", async () => {
        await withAgentService({}, async (running) => {
            const { remote, folder } = running;
            const clone = join(folder, "clone");
            const evil = join(folder, "evil");
            await remote.git("config", "receive.denyCurrentBranch", "ignore");
            await remote.git("clone", "--quiet", remote.folder, clone);
            const inClone = (...args: string[]) => remote.git("--git-dir", join(clone, ".git"), "-C", clone, ...args);
            await writeFile(join(clone, ".gitattributes"), "*.md filter=evil\n");
            await writeFile(
                join(clone, ".gitmodules"),
                `[submodule "x"]\n path = x\n url = ext::sh -c touch% ${evil}\n`,
            );
            await writeFile(join(clone, "post-checkout"), `#!/bin/sh\ntouch ${evil}\n`);
            await inClone("--work-tree", clone, "add", ".");
            await inClone("--work-tree", clone, "-c", "user.name=a", "-c", "user.email=a", "commit", "-qm", "evil");
            await inClone("push", "--quiet", "origin", "main");
            const job = await running.run("append to a.md: One.");
            assert.equal(job.status, "completed", await running.log(job.id));
            assert.ok(!(await readdir(folder)).includes("evil"));
            await rm(clone, { recursive: true });
        });
    });
});
