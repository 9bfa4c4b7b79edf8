import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type PlatformAgentJob } from "@pulumi-static-export/sdk";
import { freePort } from "@pulumi-static-export/toolchain";
import { adminApiKey, createFastClient, projectId, Remote } from "./agent-service.js";
import { scaled } from "../../scale.js";
import { createRandom } from "../../../dev/bench/random.js";
import { Command } from "../../cli/support/command.js";
import { withFolder } from "../../sdk/support/files.js";

const kills = scaled({ short: 5, long: 8 });
const seed = Number(process.env["AGENT_KILLS_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** The maximum time before the service is killed, which is about the duration of a job. */
const maxLifeMs = 1500;

/**
 * A slow agent that reports its start and end, so that the spec detects two agents that run the same job at the same
 * time.
 */
const agentSource = `
import { appendFileSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
const prompt = readFileSync(0, "utf8").trim();
appendFileSync(process.argv[2], \`begin \${prompt} \${process.pid}\\n\`);
await sleep(300);
appendFileSync("log.md", \`\${prompt}\\n\`);
appendFileSync(process.argv[2], \`end \${prompt} \${process.pid}\\n\`);
`;

describe("A service that is killed repeatedly while agents work", function () {
    this.timeout(600_000);

    it(`completes each job once, or fails it with a reason, after ${kills} kills (AGENT_KILLS_SEED=${seed})`, async () => {
        await withFolder(async (folder) => {
            const random = createRandom(seed);
            const remote = await Remote.create(folder);
            await mkdir(join(folder, "site"));
            await writeFile(join(folder, "site", "index.md"), "# Welcome\n");
            await writeFile(join(folder, "key"), adminApiKey, { mode: 0o600 });
            await writeFile(join(folder, "agent.mjs"), agentSource);
            const trace = join(folder, "trace");
            await writeFile(trace, "");
            const port = await freePort();
            const args = [
                ...["serve", "--site", `docs.example.com=${join(folder, "site")}`, "--port", String(port)],
                ...["--data-dir", join(folder, "data"), "--admin-key-file", join(folder, "key")],
                ...["--agent-project", `${projectId}=${remote.url}#main`],
                ...["--agent-command", JSON.stringify([process.execPath, join(folder, "agent.mjs"), trace])],
            ];
            const serve = async () => {
                const service = new Command(args, { cwd: folder });
                await service.serves();
                return async (signal: NodeJS.Signals) => {
                    service.signal(signal);
                    await service.exited;
                };
            };
            const client = createFastClient(`http://127.0.0.1:${port}`);
            const prompts = new Map<string, string>();
            for (let kill = 0; kill < kills; kill += 1) {
                const end = await serve();
                const killed = sleep(random() * maxLifeMs).then(() => end("SIGKILL"));
                const prompt = `prompt-${kill}`;
                const idempotencyKey = `kill-${kill}`;
                const deadlineMs = Date.now();
                await client.agentJobs.create(projectId, { prompt }, { idempotencyKey, deadlineMs }).then(
                    ({ id }) => prompts.set(id, prompt),
                    () => undefined,
                );
                await killed;
            }
            const end = await serve();
            try {
                // On a slow machine, the time between two kills may have been too short for any other job to complete.
                const { id } = await client.agentJobs.create(projectId, { prompt: "the last" });
                prompts.set(id, "the last");
                const ends: PlatformAgentJob[] = [];
                for (const id of prompts.keys()) {
                    ends.push(await client.agentJobs.pollUntilDone(projectId, id, { timeoutMs: 120_000 }));
                }
                await assertEnds({ folder, remote, ends, prompts, trace });
            } finally {
                client.close();
                await end("SIGTERM");
            }
        });
    });
});

async function assertEnds(found: {
    folder: string;
    remote: Remote;
    ends: readonly PlatformAgentJob[];
    prompts: ReadonlyMap<string, string>;
    trace: string;
}): Promise<void> {
    const { folder, remote, ends, prompts, trace } = found;
    assert.equal(ends.at(-1)?.status, "completed", "the service completes nothing any more");
    const branches = await remote.branches();
    for (const { id, status, source } of ends) {
        const branch = `agent/${id}`;
        if (status === "completed") {
            assert.equal(source.ref, branch);
            assert.equal(await remote.commitsOn(branch), 1, `${id} has more than its commit`);
            assert.equal(await remote.fileOn(branch, "log.md"), prompts.get(id));
        } else {
            assert.equal(status, "failed");
            assert.ok(!branches.includes(branch), `${id} failed and left a branch`);
            const log = await readFile(join(folder, "data", "agent", "logs", `${id}.log`), "utf8");
            assert.match(log, /Failed: The service was stopped 3 times while the agent worked\./);
        }
    }
    const completed = ends.filter(({ status }) => status === "completed").map(({ id }) => `agent/${id}`);
    const orphans = branches.filter((branch) => !completed.includes(branch));
    // Jobs whose creation was never confirmed ran as well, and each made one commit.
    for (const branch of orphans) {
        assert.equal(await remote.commitsOn(branch), 1, branch);
    }
    const working = new Map<string, number>();
    for (const line of (await readFile(trace, "utf8")).trim().split("\n")) {
        const [what, prompt = ""] = line.split(" ");
        working.set(prompt, (working.get(prompt) ?? 0) + (what === "begin" ? 1 : 0));
    }
    for (const [prompt, begun] of working) {
        assert.ok(begun <= 3, `the agent worked ${begun} times on ${prompt}`);
    }
    // Two jobs run at the same time, so a job with an unknown id may still be running when the last known job has
    // ended.
    const work = () => readdir(join(folder, "data", "agent", "work")).catch(() => []);
    for (let look = 0; look < 600 && (await work()).length > 0; look += 1) {
        await sleep(100);
    }
    assert.deepEqual(await work(), []);
}
