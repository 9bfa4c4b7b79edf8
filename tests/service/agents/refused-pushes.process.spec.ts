import assert from "node:assert/strict";
import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AgentService, withAgentService } from "../../e2e/agent/agent-service.js";
import { adviceIn, follow } from "./support/bundle-advice.js";

const agent = { command: ["sh", "-c", "cat >> index.md"] };

/** Makes the remote refuse pushes, as a forge does for an archived repository. @returns the hook */
async function refusePushes({ remote }: AgentService): Promise<string> {
    const hook = join(remote.folder, "hooks", "pre-receive");
    await writeFile(hook, "#!/bin/sh\necho 'The repository is archived.' >&2\nexit 1\n", { mode: 0o755 });
    return hook;
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
            const advice = adviceIn(log);
            assert.equal((await stat(advice.bundle)).mode & 0o777, 0o600);
            await rm(hook);
            await follow(advice, running);
            assert.match(await running.remote.fileOn(`agent/${id}`, "index.md"), /More\./);
        });
    });

    it("is in a git bundle after a message, too, on top of the job's branch", async () => {
        await withAgentService(agent, async (running) => {
            const { id } = await running.run("One.");
            const hook = await refusePushes(running);
            await running.client.agentJobs.sendMessage("docs", id, { prompt: "Two." });
            assert.equal((await running.wait(id)).status, "failed");
            const advice = adviceIn(await running.log(id));
            await rm(hook);
            await follow(advice, running);
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
