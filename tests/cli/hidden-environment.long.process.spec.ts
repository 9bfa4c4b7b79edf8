import assert from "node:assert/strict";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Remote } from "../e2e/agent/agent-service.js";
import { AdminClient } from "@pulumi-static-export/sdk";
import { withFolder } from "../sdk/support/files.js";
import { Command } from "./support/command.js";

const token = "forge_5ecret_0123456789";
/** Writes the environment of its parent process to a file. */
const spy = (file: string): string => `#!/bin/sh\ncat /proc/$PPID/environ > ${file}; echo read >> ${file}\nexit 1\n`;

describe("The environment in /proc of a command that starts a program", function () {
    this.timeout(60_000);

    before(function () {
        if (process.platform !== "linux") {
            console.log("      skipped: other systems have no /proc.");
            this.skip();
        }
    });

    it("does not contain the forge's token if the command runs an agent for the service", async () => {
        await withFolder(async (folder) => {
            const [agent, seen] = [join(folder, "agent"), join(folder, "seen")];
            await writeFile(agent, spy(seen));
            await chmod(agent, 0o755);
            await writeFile(join(folder, "key"), "admin_0123456789abcdef", { mode: 0o600 });
            const remote = await Remote.create(folder);
            const command = new Command(
                [
                    ...[
                        "serve",
                        "--site",
                        `docs.example.com=${folder}/seed`,
                        "--port",
                        "0",
                        "--data-dir",
                        `${folder}/data`,
                    ],
                    ...["--admin-key-file", join(folder, "key"), "--agent-project", `docs=${remote.url}#main`],
                    ...["--agent-command", agent, "--agent-forge", "github=https://api.github.com"],
                    ...["--agent-forge-token-env", "FORGE_TOKEN"],
                ],
                { cwd: folder, env: { FORGE_TOKEN: token } },
            );
            const baseUrl = await command.serves();
            const client = new AdminClient({ baseUrl, adminApiKey: "admin_0123456789abcdef" });
            try {
                const { id } = await client.agentJobs.create("docs", { prompt: "look" });
                assert.equal((await client.agentJobs.pollUntilDone("docs", id)).status, "failed");
            } finally {
                client.close();
                command.signal("SIGTERM");
                await command.exited;
            }
            const read = await readFile(seen, "utf8");
            assert.match(read, /read\n$/);
            assert.ok(!read.includes(token));
        });
    });

    it("does not contain the comment's token if the command runs a previewed program", async () => {
        await withFolder(async (folder) => {
            const [pulumi, seen] = [join(folder, "pulumi"), join(folder, "seen")];
            await writeFile(pulumi, spy(seen));
            await chmod(pulumi, 0o755);
            const env = {
                PATH: `${folder}:${process.env["PATH"]}`,
                GITHUB_TOKEN: token,
                GITHUB_REPOSITORY: "acme/docs",
                GITHUB_API_URL: "http://127.0.0.1:9",
            };
            const args = ["preview", "--stack", "dev", "--comment", "github", "--pull-request", "1"];
            const command = new Command(args, { cwd: folder, env });
            await command.prints(/./, "stderr").catch(() => undefined);
            const read = async (): Promise<string> => readFile(seen, "utf8").catch(() => "");
            while (!(await read()).endsWith("read\n")) {
                await new Promise((resolve) => setImmediate(resolve));
            }
            command.signal("SIGKILL");
            await command.exited;
            assert.ok(!(await read()).includes(token));
        });
    });
});
