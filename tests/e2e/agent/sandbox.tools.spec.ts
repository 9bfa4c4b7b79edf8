import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AgentOptions } from "@pulumi-static-export/service";
import { withFolder } from "../../sdk/support/files.js";
import { Remote, withAgentService, withServiceOver } from "./agent-service.js";

/** No other process on the machine sleeps for this long. */
const sleepSeconds = "86317.25";

const secrets = ["SQLite format 3", "environment_5ecret", "key_5ecret"];

/** A hostile agent: it publishes the secrets that it can read, and starts a process in another session. */
const program = (folder: string): string => `
    cat ${folder}/data/admin-api-key ${folder}/data/service.sqlite /proc/[0-9]*/environ 2>/dev/null |
        grep --text --only-matching --extended-regexp '${secrets.join("|")}' | sort --unique > seen.md
    setsid sleep ${sleepSeconds} > /dev/null 2>&1 &
    echo "Changed." >> index.md
`;

async function commandLines(): Promise<string[]> {
    const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    return Promise.all(processes.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
}

/** Returns the secrets that an agent can read; the service's user can read all secrets. */
async function seenBy(agent: Partial<AgentOptions>): Promise<string[]> {
    let seen = "";
    await withFolder(async (folder) => {
        const remote = await Remote.create(folder);
        const other = spawn("sleep", ["600"], { env: { TOKEN: "environment_5ecret" }, stdio: "ignore" });
        try {
            const command = ["/bin/sh", "-c", program(folder)];
            await withServiceOver(folder, remote, { ...agent, command }, async (running) => {
                await writeFile(join(folder, "data", "admin-api-key"), "key_5ecret\n");
                const { id, status } = await running.run("look around");
                assert.equal(status, "completed", await running.log(id));
                seen = await remote.fileOn(`agent/${id}`, "seen.md");
                assert.match(await remote.fileOn(`agent/${id}`, "index.md"), /Changed\./);
            });
        } finally {
            other.kill();
        }
    });
    return seen.split("\n").filter(Boolean);
}

describe("The sandbox for agents", function () {
    this.timeout(120_000);

    before(function () {
        const { status, stderr } = spawnSync("bwrap", ["--ro-bind", "/", "/", "--unshare-all", "true"], {
            encoding: "utf8",
        });
        if (status !== 0) {
            console.log(`      skipped: bubblewrap is missing, or may not be used here. ${stderr ?? ""}`);
            this.skip();
        }
    });

    it("hides the service's key file, database and environment, and ends the agent's processes", async () => {
        assert.deepEqual(await seenBy({ sandbox: true }), []);
        assert.ok(!(await commandLines()).some((line) => line.includes(sleepSeconds)));
    });

    it("is necessary: an agent without the sandbox reads all the service's secrets", async () => {
        assert.deepEqual(await seenBy({ sandbox: false }), secrets);
    });

    it("rejects at startup a command that would not exist in the sandbox", async () => {
        await withFolder(async (folder) => {
            const agent = join(folder, "agent");
            await writeFile(agent, "#!/bin/sh\n", { mode: 0o755 });
            const remote = await Remote.create(folder);
            const starting = withServiceOver(folder, remote, { sandbox: true, command: [agent] }, () =>
                Promise.resolve(),
            );
            await assert.rejects(starting, {
                name: "ServiceOptionsError",
                message:
                    /^The agent's command \/.* does not exist in the sandbox: install it.* below \/usr or \/opt\.$/,
            });
        });
    });

    it("lets an agent run git, with a private /tmp", async () => {
        await withAgentService(
            {
                sandbox: true,
                command: [
                    "/bin/sh",
                    "-c",
                    "git log --format=%s > log.md; echo text > /tmp/file; cat $TMPDIR/file >> log.md",
                ],
            },
            async (running) => {
                const { id, status } = await running.run("look at the history");
                assert.equal(status, "completed", await running.log(id));
                assert.equal(await running.remote.fileOn(`agent/${id}`, "log.md"), "First\ntext");
            },
        );
    });
});
