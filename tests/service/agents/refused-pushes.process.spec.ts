import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { type AgentService, withAgentService } from "../../e2e/agent/agent-service.js";

const run = promisify(execFile);
const agent = { command: ["sh", "-c", "cat >> index.md"] };

/** Makes the remote refuse pushes, as a forge does for an archived repository. @returns the hook */
async function refusePushes({ remote }: AgentService): Promise<string> {
    const hook = join(remote.folder, "hooks", "pre-receive");
    await writeFile(hook, "#!/bin/sh\necho 'The repository is archived.' >&2\nexit 1\n", { mode: 0o755 });
    return hook;
}

/** Finds the bundle and the commands in a job's log. */
function adviceIn(log: string): { bundle: string; commands: string } {
    const [, bundle = "", commands = ""] =
        /The change is not lost: it is in the git bundle (\S+)\. To push it, copy the file to a clone, and run (.*)$/m.exec(
            log,
        ) ?? [];
    assert.notEqual(bundle, "", log);
    return { bundle, commands };
}

describe("The change of an agent whose push is refused", function () {
    this.timeout(60_000);

    it("is in a git bundle, which the log names with the commands that push it", async () => {
        await withAgentService(agent, async (running) => {
            const hook = await refusePushes(running);
            const { id, status } = await running.run("More.");
            assert.equal(status, "failed");
            const log = await running.log(id);
            assert.match(log, /The repository is archived\./);
            const { bundle, commands } = adviceIn(log);
            assert.equal((await stat(bundle)).mode & 0o777, 0o600);
            await rm(hook);
            const clone = join(running.folder, "clone");
            await run("git", ["clone", "--quiet", running.remote.url, clone]);
            await run("cp", [bundle, join(clone, basename(bundle))]);
            await run("sh", ["-c", commands], { cwd: clone });
            assert.match(await running.remote.fileOn(`agent/${id}`, "index.md"), /More\./);
        });
    });

    it("is in a git bundle after a message, too, on top of the job's branch", async () => {
        await withAgentService(agent, async (running) => {
            const { id } = await running.run("One.");
            const hook = await refusePushes(running);
            await running.client.agentJobs.sendMessage("docs", id, { prompt: "Two." });
            assert.equal((await running.wait(id)).status, "failed");
            const { bundle, commands } = adviceIn(await running.log(id));
            await rm(hook);
            const clone = join(running.folder, "clone");
            await run("git", ["clone", "--quiet", running.remote.url, clone]);
            await run("cp", [bundle, join(clone, basename(bundle))]);
            await run("sh", ["-c", commands], { cwd: clone });
            assert.match(await running.remote.fileOn(`agent/${id}`, "index.md"), /One\.Two\./);
        });
    });

    it("is reported without values of the agent's variables, even if the remote repeats them", async () => {
        const env = { ...process.env, MODEL_API_KEY: "5ecret-value-of-the-model" };
        await withAgentService({ ...agent, environment: ["MODEL_API_KEY"], env }, async (running) => {
            const hook = await refusePushes(running);
            await writeFile(hook, "#!/bin/sh\necho 'refused 5ecret-value-of-the-model' >&2\nexit 1\n", { mode: 0o755 });
            const { id } = await running.run("More.");
            const logs = `${await running.log(id)}\n${running.lines.join("\n")}`;
            assert.match(logs, /refused \*\*\*[^]*refused \*\*\*/);
            assert.doesNotMatch(logs, /5ecret/);
        });
    });

    it("needs no bundle if it was pushed", async () => {
        await withAgentService(agent, async (running) => {
            const { id } = await running.run("More.");
            assert.doesNotMatch(await running.log(id), /bundle/);
        });
    });
});
