import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { HttpError } from "@pulumi-static-export/sdk";
import { unrulyAgent, withAgentService } from "./agent-service.js";

/**
 * Returns whether the process whose id is in a file is running; a process that has exited may still wait for its
 * parent.
 */
async function isAlive(pidFile: string): Promise<boolean> {
    const pid = Number(await readFile(pidFile, "utf8"));
    assert.ok(pid > 0);
    const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "gone) Z");
    return !status.slice(status.lastIndexOf(")")).startsWith(") Z");
}

describe("The service with a hostile agent", function () {
    this.timeout(120_000);

    it("limits the log if the agent floods its output, and completes the job", async () => {
        await withAgentService({ command: unrulyAgent("flood"), maxLogBytes: 10_000 }, async (running) => {
            const { id, status } = await running.run("flood");
            assert.equal(status, "completed");
            const log = await running.log(id);
            assert.ok(log.length < 28_000, `${log.length} bytes`);
            assert.match(log, /^\[.*\] The agent begins\.\nline 0 of [^]*\[\d+ bytes are left out before this\]\n/);
            assert.match(log, /Completed: branch agent\//);
        });
    });

    it("ends processes that the agent leaves behind, even in separate sessions", async () => {
        await withAgentService({ command: ["/bin/false"] }, async ({ folder }) => {
            const file = join(folder, "late");
            await withAgentService({ command: unrulyAgent("fork", file) }, async (running) => {
                assert.equal((await running.run("fork")).status, "completed");
                assert.equal(await isAlive(file), false);
            });
        });
    });

    it("kills an agent and all its processes if the agent ignores the SIGTERM at its time limit", async () => {
        await withAgentService({ command: ["/bin/false"] }, async ({ folder }) => {
            const [signals, late] = [join(folder, "signals"), join(folder, "late")];
            const command = unrulyAgent("ignore-sigterm", signals, late);
            // The time limit is long enough for the agent to start even on a busy machine.
            await withAgentService({ command, timeLimitSeconds: 5 }, async (running) => {
                const { id, status } = await running.run("never end");
                assert.equal(status, "failed");
                assert.match(await running.log(id), /Failed: The agent did not end within 5 s\./);
                assert.equal(await readFile(signals, "utf8"), "SIGTERM\n");
                assert.equal(await isAlive(late), false);
            });
        });
    });

    it("stops an agent that fills the disk, and deletes its files", async () => {
        const maxDiskBytes = 64 * 1024 * 1024;
        await withAgentService({ command: unrulyAgent("fill-disk"), maxDiskBytes }, async (running) => {
            const { id, status } = await running.run("fill");
            assert.equal(status, "failed");
            assert.match(await running.log(id), /Failed: The agent used more than 64 MB of disk\./);
            assert.deepEqual(await readdir(join(running.folder, "data", "agent", "work")), []);
            assert.deepEqual(await running.remote.branches(), []);
        });
    });

    it("has the environment variables of the guide's table, and none of the service's keys", async () => {
        const env = { ...process.env, MODEL_API_KEY: "model_5ecret", OTHER_SECRET: "other_5ecret" };
        const seen = new Set<string>();
        for (const sandbox of [false, true]) {
            // In the sandbox, an agent must be below /usr or /opt.
            const command = ["/bin/sh", "-c", "env > environment.md; echo The key is $MODEL_API_KEY."];
            await withAgentService({ command, environment: ["MODEL_API_KEY"], env, sandbox }, async (running) => {
                const { id } = await running.run("look");
                const names = await running.remote.fileOn(`agent/${id}`, "environment.md");
                for (const [, name = ""] of names.matchAll(/^(\w+)=/gm)) {
                    seen.add(name);
                }
                const log = await running.log(id);
                assert.match(log, /The key is \*\*\*\./);
                assert.doesNotMatch(log, /5ecret/);
            });
        }
        const page = await readFile("docs/guides/agent-jobs.md", "utf8");
        const [, section = ""] = page.split("\n### Its environment variables\n");
        const [, table = ""] = /\| --- .*\n((?:\|.*\n)+)/.exec(section) ?? [];
        const listed = table
            .split("\n")
            .flatMap((row) => row.split("|")[1]?.match(/(?<=`)\w+(?=`)/g) ?? [])
            // Here, only root gives agents a separate user.
            .filter((name) => process.getuid?.() === 0 || !name.startsWith("GIT_"));
        assert.deepEqual([...seen].sort(), [...listed, "MODEL_API_KEY"].sort());
    });

    it("ignores git configuration that the agent adds to its checkout, in this job and the next", async () => {
        await withAgentService({ command: ["/bin/false"] }, async ({ folder }) => {
            const touched = join(folder, "touched");
            await withAgentService({ command: unrulyAgent("configure", touched) }, async (running) => {
                for (let job = 0; job < 2; job += 1) {
                    const { id, status } = await running.run("configure");
                    assert.equal(status, "completed");
                    assert.equal(await running.remote.fileOn(`agent/${id}`, "configured.md"), "# Configured");
                }
                assert.ok(!existsSync(touched));
            });
        });
    });

    it("commits the work of an agent that leaves another repository behind, and reports that repository", async () => {
        await withAgentService({ command: unrulyAgent("nested-repository") }, async (running) => {
            const { id, status } = await running.run("nest");
            assert.equal(status, "completed");
            assert.match(await running.log(id), /inner\/ is another git repository: the commit does not contain it\./);
            const branch = `agent/${id}`;
            assert.equal(await running.remote.git("diff", "--name-only", "main", branch), "outer.md");
        });
    });
});

describe("A hostile prompt reaches the agent unchanged on standard input or is refused:", function () {
    this.timeout(300_000);
    const prompts: [string, string][] = [
        ["quotes, newlines and what a shell would run", "'\"`$(touch /tmp/x)`\n; rm -rf / #\r\n${HOME} $HOME \\"],
        ["NUL and other control characters", "before\0after\u0001\u001b[2J\u007f"],
        ["what looks like options", "--help\n-c core.sshCommand=touch\n--upload-pack=x"],
        ["any language, and half a pair of surrogates", "日本語 🦊 \u202e txt"],
        ["as much as is taken", "x".repeat(100_000)],
    ];
    for (const [what, prompt] of prompts) {
        it(what, async () => {
            await withAgentService({ command: unrulyAgent("repeat-prompt") }, async (running) => {
                const { id, status } = await running.run(prompt);
                assert.equal(status, "completed", await running.log(id));
                const stored = await running.remote.git("cat-file", "-s", `agent/${id}:prompt.md`);
                assert.equal(Number(stored), Buffer.byteLength(prompt));
                assert.equal(await running.remote.fileOn(`agent/${id}`, "prompt.md"), prompt.trimEnd());
            });
        });
    }

    it("a prompt of 1 MB is refused before any agent reads it", async () => {
        await withAgentService({ command: unrulyAgent("repeat-prompt") }, async (running) => {
            for (const length of [100_001, 1024 * 1024]) {
                await assert.rejects(
                    running.create("x".repeat(length)),
                    (error: unknown) => error instanceof HttpError && [400, 413].includes(error.status),
                );
            }
            assert.ok((await stat(running.folder)).isDirectory());
        });
    });
});
