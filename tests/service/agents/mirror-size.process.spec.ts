import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { folderSize } from "../../../service/src/processes/disk-watch.js";
import { Git } from "../../../service/src/git/git.js";
import { Repository } from "../../../service/src/agents/repository.js";
import { ProcessMark } from "../../../service/src/processes/process-mark.js";
import { withFolder } from "../../sdk/support/files.js";

const run = promisify(execFile);
const mebibyte = 2 ** 20;

interface Mirrored {
    repository: Repository;
    /** Commits random bytes to the mirror as an agent's change that is on no branch yet. */
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

    it("fails the job if it exceeds its size limit, and removes the excess", async () => {
        await withMirror(mebibyte, async ({ repository, grow, mirrorBytes }) => {
            await repository.use(() => repository.fetch());
            await grow(2 * mebibyte);
            await assert.rejects(
                repository.use(() => repository.fetch()),
                /^GitError: git fetch took more than 1048576 bytes of disk/,
            );
            // A slow fetch is stopped halfway, and leaves a mirror that is small enough to be kept.
            assert.ok((await mirrorBytes()) < mebibyte / 2, `${await mirrorBytes()} bytes`);
        });
    });
});
