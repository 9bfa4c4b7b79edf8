import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type AgentOptions } from "@pulumi-static-export/service";
import { type AgentService, projectId, withAgentService } from "../../e2e/agent/agent-service.js";
import { waitUntil } from "../../wait-until.js";
import { adviceIn, follow } from "./support/bundle-advice.js";

/** Runs an agent that fails. @param script - a shell script */
async function withFailure(
    script: string,
    use: (running: AgentService, failed: { id: string; log: string }) => Promise<void>,
    options: Partial<AgentOptions> = {},
): Promise<void> {
    await withAgentService({ command: ["sh", "-c", script], ...options }, async (running) => {
        const { id, status } = await running.run("More.");
        const log = await running.log(id);
        assert.equal(status, "failed", log);
        assert.deepEqual(await running.remote.branches(), []);
        assert.deepEqual(await readdir(join(running.folder, "data", "agent", "work")), []);
        await use(running, { id, log });
    });
}

/** The files next to the logs. */
async function bundlesOf({ folder }: AgentService): Promise<string[]> {
    const names = await readdir(join(folder, "data", "agent", "logs"));
    return names.filter((name) => name.endsWith(".bundle"));
}

describe("The change of an agent that fails", function () {
    this.timeout(60_000);

    for (const [what, script, reason, options] of [
        ["exits with an error", "cat >> index.md; exit 3", /The agent exited with code 3\./, {}],
        [
            "is ended by the time limit",
            "cat >> index.md; exec sleep 100",
            /The agent did not end within 1 s\./,
            { timeLimitSeconds: 1 },
        ],
        [
            "is ended by the disk limit, which temporary and ignored files have reached",
            "cat >> index.md; mkdir site; echo site > .gitignore; dd if=/dev/zero of=$TMPDIR/a bs=1M count=3; " +
                "dd if=/dev/zero of=site/b bs=1M count=3; exec sleep 100",
            /The agent used more than 4 MB of disk\./,
            { maxDiskBytes: 2 ** 22 },
        ],
        [
            "is ended by the memory limit, which its processes have reached together",
            "cat >> index.md; for i in 1 2; do { x=$(head -c 60M /dev/zero | tr '\\0' x); sleep 100; } & done; wait",
            /The agent used more than 100 MB of memory\./,
            { memoryMegabytes: 100 },
        ],
    ] as const) {
        it(`is in a git bundle, as for a refused push, if the agent ${what}`, async () => {
            const use = async (running: AgentService, { id, log }: { id: string; log: string }): Promise<void> => {
                assert.match(log, reason);
                const advice = adviceIn(log);
                assert.deepEqual(adviceIn(running.lines.join("\n").replaceAll(/ \(its log: .*\)$/gm, "")), advice);
                assert.equal((await stat(advice.bundle)).mode & 0o777, 0o600);
                await follow(advice, running);
                const branch = `agent/${id}`;
                assert.equal(await running.remote.fileOn(branch, "index.md"), "# Welcome\nMore.");
                const files = (await running.remote.git("ls-tree", "-r", "--name-only", branch)).split("\n");
                assert.deepEqual(
                    files.filter((file) => file !== ".gitignore"),
                    ["index.md"],
                );
            };
            await withFailure(script, use, options);
        });
    }

    it("is on top of the job's branch after a message, and the next message begins without it", async () => {
        const script = 'read -r word; echo "$word" >> index.md; test "$word" != Two.';
        await withAgentService({ command: ["sh", "-c", script] }, async (running) => {
            const { remote, client, wait } = running;
            const send = async (prompt: string) => {
                await client.agentJobs.sendMessage(projectId, id, { prompt });
                return (await wait(id)).status;
            };
            const { id } = await running.run("One.\n");
            assert.equal(await send("Two.\n"), "failed");
            const advice = adviceIn(await running.log(id));
            assert.equal(await remote.fileOn(`agent/${id}`, "index.md"), "# Welcome\nOne.");
            await follow(advice, running);
            assert.equal(await remote.fileOn(`agent/${id}`, "index.md"), "# Welcome\nOne.\nTwo.");
            await remote.git("update-ref", `refs/heads/agent/${id}`, `agent/${id}^`);
            assert.equal(await send("Three.\n"), "completed");
            assert.equal(await remote.fileOn(`agent/${id}`, "index.md"), "# Welcome\nOne.\nThree.");
        });
    });

    it("is not kept if its files exceed the disk limit, and the log says so", async () => {
        const script = "dd if=/dev/zero of=a bs=1M count=3; exec sleep 100";
        const use = async (running: AgentService, { log }: { log: string }): Promise<void> => {
            assert.match(log, /could not be kept: the files for the commit take more than 1048576 bytes$/m);
            assert.match(log, /Failed: The agent used more than 1 MB of disk\.$/m);
            assert.deepEqual(await bundlesOf(running), []);
        };
        await withFailure(script, use, { maxDiskBytes: 2 ** 20 });
    });

    it("is not kept if the agent replaced the folder of its checkout, and its failure is still the reason", async () => {
        const script = "cat >> index.md; cd ..; mv checkout old; ln -s old checkout; exit 3";
        await withFailure(script, async (running, { log }) => {
            assert.match(log, /could not be kept: The agent replaced the folder of its checkout/);
            assert.match(log, /Failed: The agent exited with code 3\.$/m);
            assert.deepEqual(await bundlesOf(running), []);
        });
    });

    it("needs no bundle if nothing changed", async () => {
        await withFailure("exit 3", async (running, { log }) => {
            assert.match(log, /Failed: The agent exited with code 3\.$/m);
            assert.deepEqual(await bundlesOf(running), []);
        });
    });

    it("is not kept if the job was archived", async () => {
        const script = "cat >> index.md; echo written; trap 'exit 3' TERM; while :; do sleep 0.1; done";
        await withAgentService({ command: ["sh", "-c", script] }, async (running) => {
            const { id } = await running.create("More.");
            await waitUntil("the agent has written", async () =>
                (await running.log(id).catch(() => "")).includes("The agent begins"),
            );
            await running.client.agentJobs.archive(projectId, id);
            await waitUntil("the agent has ended", async () => /was stopped/.test(await running.log(id)));
            assert.doesNotMatch(await running.log(id), /bundle/);
            assert.deepEqual(await bundlesOf(running), []);
        });
    });
});
