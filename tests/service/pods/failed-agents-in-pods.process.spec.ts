import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type AgentOptions } from "../../../service/src/agents/agent-options.js";
import { adviceIn, follow } from "../agents/support/bundle-advice.js";
import { withAgents } from "./support/with-agents.js";

type Running = Parameters<Parameters<typeof withAgents>[1]>[0];

/** Runs an agent that fails in its pod. @param script a shell script */
async function withFailure(
    script: string,
    use: (running: Running, failed: { id: string; log: string; bundles: string[] }) => Promise<void> | void,
    options: Partial<AgentOptions> = {},
): Promise<void> {
    await withAgents(
        script,
        async (running) => {
            const id = await running.create("More.");
            const { status, log } = await running.ended(id);
            assert.equal(status, "failed", log);
            assert.deepEqual(await running.remote.branches(), []);
            const names = await readdir(join(running.folder, "agent", "logs"));
            await use(running, { id, log, bundles: names.filter((name) => name.endsWith(".bundle")) });
        },
        options,
    );
}

describe("The change of an agent that fails in a pod", function () {
    this.timeout(60_000);

    for (const [what, script, reason, options] of [
        ["exits with an error", "cat >> index.md; exit 3", /Failed: The agent exited with code 3\./, {}],
        ["is killed", "cat >> index.md; kill -KILL $$", /Failed: The agent exited with code 137\./, {}],
        [
            "is ended by the time limit, also if its other processes go on",
            "cat >> index.md; sleep 100 & exec sleep 100",
            /Failed: The agent did not end within 1 s\./,
            { timeLimitSeconds: 1 },
        ],
    ] as const) {
        it(`is in a git bundle if the agent ${what}`, () =>
            withFailure(
                script,
                async (running, { id, log }) => {
                    assert.match(log, reason);
                    await follow(adviceIn(log), running);
                    assert.equal(await running.remote.fileOn(`agent/${id}`, "index.md"), "# Welcome\nMore.");
                    assert.deepEqual(running.cluster.deleted, [], "Kubernetes removes Jobs that have ended");
                },
                options,
            ));
    }

    it("is not kept if the agent replaced the folder of its checkout, and its failure is still the reason", () =>
        withFailure("cd ..; mv checkout old; ln -s old checkout; exit 3", (_, { log, bundles }) => {
            assert.match(log, /could not be kept: The agent replaced the folder of its checkout/);
            assert.match(log, /Failed: The agent exited with code 3\.$/m);
            assert.deepEqual(bundles, []);
        }));

    it("is not kept if its files exceed the disk limit, and its failure is still the reason", () =>
        withFailure(
            "dd if=/dev/zero of=a bs=1M count=3; exit 3",
            (_, { log, bundles }) => {
                assert.match(log, /could not be kept: The agent's pod sent more data than the agent may write\.$/m);
                assert.match(log, /Failed: The agent exited with code 3\.$/m);
                assert.deepEqual(bundles, []);
            },
            { maxDiskBytes: 2 ** 20 },
        ));

    it("needs no bundle if nothing changed", () =>
        withFailure("exit 3", (_, { log, bundles }) => {
            assert.match(log, /Failed: The agent exited with code 3\.$/m);
            assert.deepEqual(bundles, []);
        }));

    it("is pushed if the agent leaves a link instead of its exit code, and the link is not followed", () =>
        withAgents("cat >> index.md; ln -s /proc/self/environ ../end", async ({ create, ended, remote }) => {
            const id = await create("More.");
            const { status, log } = await ended(id);
            assert.equal(status, "completed", log);
            assert.equal(await remote.fileOn(`agent/${id}`, "index.md"), "# Welcome\nMore.");
        }));
});

describe("An agent in a pod", function () {
    this.timeout(60_000);

    it("can be interrupted with SIGINT, as in a terminal", () =>
        withAgents(
            "sh -c 'kill -INT $$; echo ignored > ignored'; echo $? > code",
            async ({ create, ended, remote }) => {
                const id = await create("More.");
                const { status, log } = await ended(id);
                assert.equal(status, "completed", log);
                assert.equal(await remote.fileOn(`agent/${id}`, "code"), "130");
            },
        ));
});
