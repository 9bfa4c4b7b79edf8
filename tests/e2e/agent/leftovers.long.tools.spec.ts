import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { withFolder } from "../../sdk/support/files.js";
import { isLong } from "../../scale.js";
import { Remote, withServiceOver } from "./agent-service.js";

const agent = resolve("tests/e2e/agent/leftovers.mjs");
const nobody = 65534;
const privateKey = "-----BEGIN PRIVATE KEY-----";

/** Each kind of leftover, and whether the job still completes. */
const completes: Record<string, boolean> = {
    "read-only folders in its home": true,
    "a closed folder in its checkout": true,
    "a folder for the run that is closed itself": true,
    "a link instead of its checkout": false,
    "links to what lies outside": true,
    "a link instead of git's index": true,
    "a process in a session of its own, without an environment and a folder": true,
};
/** Each kind of leftover in the long form of the spec, which also runs a second service after each kind. */
const longForm: Record<string, boolean> = {
    ...completes,
    nothing: true,
    "closed folders in its temporary files": true,
    "write-only folders in its home": true,
    "a read-only checkout": true,
    "a home that is closed itself": true,
    "another folder instead of its checkout": false,
    "no checkout at all": false,
    "a path that is longer than the system takes": true,
    "a pipe and a socket": true,
    "its git folder removed": true,
    "its git folder pointing elsewhere": true,
};

/** Reads /proc: a process that has ended may stay a zombie until init reaps it. */
async function stateOf(pid: number): Promise<string> {
    const text = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => undefined);
    return text?.slice(text.lastIndexOf(")") + 2).charAt(0) ?? "ended";
}

/** Runs these specs as another user, because they would prove nothing for root, which may write everywhere. */
if (process.getuid?.() === 0) {
    describe("Leftovers of an agent that runs as a non-root user", function () {
        this.timeout(900_000);

        it("stop neither the agent's service nor other jobs", async function () {
            const home = await mkdtemp(join(tmpdir(), "static-export-nobody-"));
            chmodSync(home, 0o777);
            const env = { ...process.env, HOME: home, TMPDIR: home };
            const options = { uid: nobody, gid: nobody, env, encoding: "utf8" as const };
            try {
                if (spawnSync("test", ["-r", fileURLToPath(import.meta.url)], options).status !== 0) {
                    console.log("      skipped: another user cannot read this folder.");
                    this.skip();
                }
                // The Node.js of this process may be in a folder that only root can read.
                const node = join(home, "node");
                await copyFile(process.execPath, node);
                const mocha = [resolve("node_modules/mocha/bin/mocha.js"), "--no-config", "--import=tsx", "--exit"];
                const args = [...mocha, "--timeout", "120000", fileURLToPath(import.meta.url)];
                const { status, stdout, stderr } = spawnSync(node, args, options);
                assert.equal(status, 0, stdout + stderr);
                assert.match(stdout, /passing/);
            } finally {
                await rm(home, { recursive: true, force: true });
            }
        });
    });
} else {
    describe("An agent may leave behind", function () {
        this.timeout(isLong ? 900_000 : 300_000);

        for (const [kind, isCompleted] of Object.entries(isLong ? longForm : completes)) {
            it(`${kind}: the job ${isCompleted ? "completes" : "fails"}, and the service continues`, async () => {
                await withFolder(async (folder) => {
                    const outside = join(folder, "outside");
                    await mkdir(outside);
                    await writeFile(join(outside, "private-key"), privateKey);
                    const remote = await Remote.create(folder);
                    const command = [process.execPath, agent, kind, outside];
                    const work = join(folder, "data", "agent", "work");
                    // A second job, a message and a second service encounter the first job's leftovers.
                    for (const service of isLong ? [1, 2] : [1]) {
                        await withServiceOver(folder, remote, { command }, async (running) => {
                            const { id, status } = await running.run(`service ${service}`);
                            const log = await running.log(id);
                            assert.equal(status, isCompleted ? "completed" : "failed", log);
                            assert.deepEqual(await readdir(work), [], log);
                            if (isCompleted) {
                                assert.match(await remote.fileOn(`agent/${id}`, "index.md"), /Changed\./);
                            } else {
                                assert.match(log, /Failed: The agent replaced the folder of its checkout/);
                            }
                        });
                    }
                    assert.ok(!(await remote.git("log", "--all", "-p", "-m")).includes(privateKey));
                    assert.equal(await readFile(join(outside, "private-key"), "utf8"), privateKey);
                    assert.ok((await stat(join(outside, "private-key"))).isFile());
                    const pid = join(outside, "pid");
                    if (existsSync(pid)) {
                        const number = Number(await readFile(pid, "utf8"));
                        assert.ok(number > 1);
                        assert.ok(["ended", "Z", "X"].includes(await stateOf(number)));
                    }
                });
            });
        }

        it("every kind of leftover that leftovers.mjs lists", () => {
            const listed = execFileSync(process.execPath, [agent, "--list"], { encoding: "utf8" });
            assert.deepEqual((JSON.parse(listed) as string[]).sort(), Object.keys(longForm).sort());
        });
    });

    describe("An agent that makes a folder unreadable", function () {
        this.timeout(60_000);

        it("is stopped, because its disk usage cannot be measured", async () => {
            await withFolder(async (folder) => {
                const remote = await Remote.create(folder);
                const command = ["/bin/sh", "-c", "mkdir -m 300 hidden; echo x > hidden/file; sleep 60"];
                await withServiceOver(folder, remote, { command }, async (running) => {
                    const { id, status } = await running.run("hide");
                    assert.equal(status, "failed");
                    assert.match(
                        await running.log(id),
                        /Failed: The agent made a folder unreadable, so that its disk usage/,
                    );
                    assert.deepEqual(await readdir(join(folder, "data", "agent", "work")), []);
                });
            });
        });
    });

    describe("Files that cannot be removed", function () {
        this.timeout(60_000);

        it("do not prevent the service from starting, and their location is reported", async () => {
            await withFolder(async (folder) => {
                const remote = await Remote.create(folder);
                const work = join(folder, "data", "agent", "work");
                // Another user's files, such as `docker run` creates: a folder that rm cannot even list.
                await mkdir(join(work, "aj_0-left"), { recursive: true });
                await writeFile(join(work, "aj_0-left", "file"), "");
                chmodSync(work, 0o500);
                try {
                    await withServiceOver(folder, remote, {}, ({ lines }) => {
                        assert.match(lines.join("\n"), /Files that an agent left cannot be removed: .*aj_0-left/);
                        return Promise.resolve();
                    });
                } finally {
                    chmodSync(work, 0o700);
                }
            });
        });
    });
}
