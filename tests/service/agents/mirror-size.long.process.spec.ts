import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { folderSize } from "../../../service/src/processes/disk-watch.js";
import { Git } from "../../../service/src/git/git.js";
import { resolveAgent } from "../../../service/src/agents/agent-options.js";
import { AgentRepositories } from "../../../service/src/agents/agent-repositories.js";
import { Repository } from "../../../service/src/agents/repository.js";
import { silentLogger } from "../../../service/src/shared/logger.js";
import { ProcessMark } from "../../../service/src/processes/process-mark.js";
import { withFolder } from "../../sdk/support/files.js";

const run = promisify(execFile);
const mebibyte = 2 ** 20;

interface Mirrored {
    repository: Repository;
    /** Commits random bytes to the mirror as an agent's change that is not yet on any branch. */
    change(bytes: number): Promise<string>;
    /** Adds random bytes to the remote's branch. */
    grow(bytes: number): Promise<void>;
    mirrorBytes(): Promise<number>;
}

async function withMirror(maxBytes: number, use: (mirrored: Mirrored) => Promise<void>): Promise<void> {
    await withFolder(async (folder) => {
        const [remote, mirrors, checkout] = [join(folder, "remote"), join(folder, "mirrors"), join(folder, "checkout")];
        const git = (...args: string[]) =>
            run("git", ["-C", remote, "-c", "user.name=a", "-c", "user.email=a@b", ...args]);
        const grow = async (bytes: number): Promise<void> => {
            await writeFile(join(remote, `${bytes}.bin`), randomBytes(bytes));
            await git("add", ".");
            await git("commit", "--quiet", "--message=Grow");
        };
        await run("git", ["init", "--quiet", "--initial-branch=main", remote]);
        await grow(1);
        const repository = new Repository(pathToFileURL(remote).href, {
            git: new Git({
                mark: ProcessMark.ofGit(mirrors),
                protocol: "file",
                memoryMegabytes: 512,
                env: process.env,
            }),
            folder: mirrors,
            maxBytes,
        });
        await mkdir(mirrors);
        await use({
            repository,
            grow,
            change: async (bytes) => {
                await mkdir(checkout, { recursive: true });
                await writeFile(join(checkout, "change.bin"), randomBytes(bytes));
                const base = String(await repository.head("main"));
                const index = join(folder, `${(await readdir(folder)).length}.index`);
                return String(await repository.commit(checkout, { index, base, message: "Change" }));
            },
            mirrorBytes: async () => (await folderSize(mirrors)).bytes,
        });
    });
}

describe("The mirror of an agent's repository", () => {
    it("does not retain changes that have no branch on the remote", async () => {
        await withMirror(64 * mebibyte, async ({ repository, change, mirrorBytes }) => {
            await repository.use(() => repository.fetch());
            const before = await mirrorBytes();
            for (let job = 1; job <= 3; job += 1) {
                await repository.use(async () => {
                    await repository.keep(await change(mebibyte), `aj_${job}`);
                    assert.ok((await mirrorBytes()) > before + mebibyte);
                    await repository.forget(`aj_${job}`);
                });
            }
            assert.ok((await mirrorBytes()) < before + mebibyte / 2, `${await mirrorBytes()} bytes`);
        });
    });

    it("retains a job's change until the change is pushed", async () => {
        await withMirror(64 * mebibyte, async ({ repository, change }) => {
            let commit = "";
            await repository.use(async () => {
                await repository.fetch();
                commit = await change(1000);
                await repository.keep(commit, "aj_1");
            });
            assert.equal(await repository.has(commit), true);
        });
    });

    it("fails the job if the mirror exceeds its size limit, and removes the excess", async () => {
        await withMirror(mebibyte, async ({ repository, grow, mirrorBytes }) => {
            await repository.use(() => repository.fetch());
            await grow(2 * mebibyte);
            await assert.rejects(
                repository.use(() => repository.fetch()),
                /^GitError: git fetch used more than 1 MB of disk/,
            );
            // A slow fetch is stopped halfway, and leaves a mirror that is small enough to keep.
            assert.ok((await mirrorBytes()) < mebibyte / 2, `${await mirrorBytes()} bytes`);
        });
    });
});

describe("The mirrors of agents' repositories", () => {
    /** Prunes mirrors of 1 MiB that were last used this many days ago. @returns the remaining repositories */
    async function prune(daysAgo: Readonly<Record<string, number>>): Promise<string[]> {
        let left: string[] = [];
        await withFolder(async (folder) => {
            const agent = resolveAgent({ command: [process.execPath], maxMirrorBytes: 2.5 * mebibyte });
            const repositories = new AgentRepositories(folder, agent, { keepDays: 90, logger: silentLogger });
            const mirrors = new Map<string, string>();
            for (const [name, days] of Object.entries(daysAgo)) {
                const remote = join(folder, name);
                await run("git", ["init", "--quiet", "--initial-branch=main", remote]);
                await writeFile(join(remote, "film.bin"), randomBytes(mebibyte));
                const git = ["-C", remote, "-c", "user.name=a", "-c", "user.email=a@b"];
                await run("git", [...git, "add", "."]);
                await run("git", [...git, "commit", "--quiet", "--message=Add"]);
                const url = pathToFileURL(remote).href;
                await repositories.use(url, () => repositories.at(url).fetch());
                const { gitDir } = repositories.at(url);
                const usedAt = Date.now() / 1000 - days * 86_400;
                await utimes(gitDir, usedAt, usedAt);
                mirrors.set(gitDir, name);
            }
            await repositories.pruneIfDue(Date.now());
            const names = await readdir(join(folder, "repositories"));
            left = names.map((name) => mirrors.get(join(folder, "repositories", name)) ?? name).sort();
            for (const name of left) {
                const url = pathToFileURL(join(folder, name)).href;
                assert.ok(await repositories.use(url, () => repositories.at(url).head("main")), name);
            }
        });
        return left;
    }

    it("are removed after a long time without use", async () => {
        assert.deepEqual(await prune({ docs: 89, old: 91 }), ["docs"]);
    });

    it("are removed beyond their total limit, least recently used first", async () => {
        assert.deepEqual(await prune({ docs: 3, old: 5, wiki: 4 }), ["docs", "wiki"]);
    });

    it("are kept while a job may use them, even beyond the limit", async () => {
        assert.deepEqual(await prune({ docs: 0, old: 0.01, wiki: 0.02 }), ["docs", "old", "wiki"]);
    });

    it("are not removed while in use: a job that begins during a removal waits, and fetches again", async () => {
        await withFolder(async (folder) => {
            const agent = resolveAgent({ command: [process.execPath], maxMirrorBytes: mebibyte });
            const repositories = new AgentRepositories(folder, agent, { keepDays: 90, logger: silentLogger });
            const remote = join(folder, "docs");
            await run("git", ["init", "--quiet", "--initial-branch=main", remote]);
            const url = pathToFileURL(remote).href;
            await repositories.use(url, () => repositories.at(url).fetch());
            const { gitDir } = repositories.at(url);
            await utimes(gitDir, 0, 0);
            const pruned = repositories.pruneIfDue(Date.now());
            await repositories.use(url, async () => {
                assert.equal(existsSync(gitDir), false);
                await repositories.at(url).fetch();
            });
            await pruned;
            assert.equal(existsSync(gitDir), true);
        });
    });
});
