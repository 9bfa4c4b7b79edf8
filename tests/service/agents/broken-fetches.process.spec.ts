import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mock } from "node:test";
import { promisify } from "node:util";
import { Repository } from "../../../service/src/agents/repository.js";
import { Git } from "../../../service/src/git/git.js";
import { runRemote } from "../../../service/src/git/run-remote.js";
import { ProcessMark } from "../../../service/src/processes/process-mark.js";
import { withFolder } from "../../sdk/support/files.js";
import { GitServer } from "../support/git-server.js";

const run = promisify(execFile);
const commits = 160;
const commitBytes = 2000;

/** A history in which every commit replaces the only file with other random text. */
function history(): string {
    let seed = 1;
    const text = (): string => {
        let written = "";
        while (written.length < commitBytes) {
            seed = (seed * 48_271) % 2_147_483_647;
            written += seed.toString(36);
        }
        return written.slice(0, commitBytes);
    };
    const author = "a <a@b> 1700000000 +0000";
    return Array.from(
        { length: commits },
        (_, at) => `commit refs/heads/main\ncommitter ${author}\ndata 1\n${at % 10}
M 100644 inline index.md\ndata ${commitBytes}\n${text()}\n`,
    ).join("");
}

interface Mirror {
    server: GitServer;
    repository: Repository;
    /** The number of commits in the mirror. */
    count(): Promise<number>;
    sleeps: number[];
}

/** @param use - called with a new mirror of a repository with a long history */
async function withMirror(use: (mirror: Mirror) => Promise<void>): Promise<void> {
    const server = await GitServer.start();
    try {
        await withFolder(async (folder) => {
            await writeFile(join(folder, "history"), history());
            await run("sh", [
                "-c",
                `git -C "$1" fast-import --quiet < "$2"`,
                "sh",
                server.workTree,
                join(folder, "history"),
            ]);
            const mirrors = join(folder, "mirrors");
            await mkdir(mirrors);
            const git = new Git({ mark: ProcessMark.ofGit(mirrors), protocol: "http", env: process.env });
            const sleeps: number[] = [];
            const repository = new Repository(server.url, {
                ...{ git, folder: mirrors, maxBytes: 2 ** 26 },
                sleep: (ms) => Promise.resolve(void sleeps.push(ms)),
            });
            const count = async () => {
                const { stdout } = await run("git", ["-C", repository.gitDir, "rev-list", "--count", "--all"]);
                return Number(stdout);
            };
            await use({ server, repository, count, sleeps });
        });
    } finally {
        await server.stop();
    }
}

describe("The first fetch of a repository whose connection breaks off", () => {
    it("continues in parts that are small enough", async () => {
        await withMirror(async ({ server, repository, count }) => {
            server.breakAfterBytes = 180_000;
            await repository.fetch();
            assert.equal(await count(), commits);
        });
    });

    it("is continued by the next job", async () => {
        await withMirror(async ({ server, repository, count }) => {
            server.breakAfterBytes = 60_000;
            await assert.rejects(repository.fetch(), /^GitError: git fetch .*(?:early EOF|RPC failed)/s);
            assert.equal(await count(), 1);
            server.breakAfterBytes = 180_000;
            const requested: string[] = [];
            server.onRequest = (path) => void requested.push(path);
            await repository.fetch();
            assert.equal(await count(), commits);
            assert.ok(requested.length < 10, `${requested.length} requests`);
        });
    });

    it("is one fetch if nothing breaks off, as are later ones", async () => {
        await withMirror(async ({ server, repository, count, sleeps }) => {
            const requested: string[] = [];
            server.onRequest = (path) => void requested.push(path);
            await repository.fetch();
            await repository.fetch();
            assert.equal(await count(), commits);
            assert.equal(requested.filter((path) => path.startsWith("/acme/docs.git/info/refs")).length, 2);
            assert.deepEqual(sleeps, []);
        });
    });
});

describe("A remote that sends a few bytes from time to time", () => {
    it("fails the job as one that stops sending does, without another try", async () => {
        await withFolder(async (folder) => {
            const message = "error: RPC failed; curl 28 Operation too slow. Less than 1000 bytes/sec transferred";
            const script = `#!/bin/sh\necho '${message}' >&2\nexit 128\n`;
            await writeFile(join(folder, "git"), script, { mode: 0o755 });
            const git = new Git({ mark: ProcessMark.ofGit(folder), protocol: "http", env: { PATH: folder } });
            await assert.rejects(
                runRemote(git, ["fetch"], { cwd: folder, addressOption: "--agent-project" }, () =>
                    Promise.reject(new Error("a slow remote was tried again")),
                ),
                /^GitError: git fetch received too little for 300 s: check the network/,
            );
        });
    });
});

describe("A remote that stops sending", () => {
    it("fails the job with advice about the network and the option, not the token", async () => {
        const server = await GitServer.start();
        try {
            await server.commit({ "index.md": "# Index\n" });
            await withFolder(async (folder) => {
                const git = new Git({
                    mark: ProcessMark.ofGit(folder),
                    protocol: "http",
                    stallSeconds: 90,
                    env: process.env,
                });
                mock.timers.enable({ apis: ["setTimeout"] });
                server.onRequest = () => mock.timers.tick(90_000);
                const failure = await git.run(["ls-remote", server.url], { cwd: folder, isRemote: true }).catch(String);
                assert.equal(
                    failure,
                    "GitError: git ls-remote made no progress for 90 s: check the network between this machine and the " +
                        "repository, or raise --git-stall-seconds if the repository needs more time to begin",
                );
            });
        } finally {
            mock.timers.reset();
            await server.stop();
        }
    });
});
