import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type GitSource } from "../../../service/src/exports/git-source.js";
import { type SiteCheckout, SiteCheckouts } from "../../../service/src/exports/site-checkouts.js";
import { withFolder } from "../../sdk/support/files.js";

const run = promisify(execFile);
const { signal } = new AbortController();

interface Given {
    source: GitSource;
    checkouts: SiteCheckouts;
    /** Runs git in the repository. */
    git: (...args: string[]) => Promise<string>;
    /** Commits a file. @returns the commit */
    commit: (file: string, message: string) => Promise<string>;
    checkOut: (options?: { commit?: string; historyCommits?: number }, from?: GitSource) => Promise<Checked>;
}

type Checked = SiteCheckout & {
    /** Runs git in the checkout. */
    git: (...args: string[]) => Promise<string>;
    /** Describes the commit and its changes since another one. */
    describe: (before?: string, given?: AbortSignal) => ReturnType<SiteCheckouts["describe"]>;
};

/** Fetches from a repository in a folder. @param branch - its default branch */
async function withRepository(use: (given: Given) => Promise<void>, branch = "main"): Promise<void> {
    await withFolder(async (dataDir) => {
        const repository = join(dataDir, "docs");
        await mkdir(repository);
        const gitIn =
            (cwd: string, env = {}) =>
            async (...args: string[]) =>
                (await run("git", args, { cwd, env: { ...process.env, ...env } })).stdout.trim();
        const git = gitIn(repository);
        await git("init", "--quiet", `--initial-branch=${branch}`);
        const source = { url: `file://${repository}`, branch: undefined, folder: "." };
        const checkouts = new SiteCheckouts({ dataDir, tokens: new Map(), maxBytes: 2 ** 26, memoryMegabytes: 512 });
        let count = 0;
        await use({
            ...{ source, checkouts, git },
            commit: async (file, message) => {
                await writeFile(join(repository, file), message);
                await git("add", "--all");
                const author = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
                await git(...author, "commit", "--quiet", "--message", message);
                return git("rev-parse", "HEAD");
            },
            checkOut: async (options = {}, from = source) => {
                const folder = join(dataDir, `checkout ${(count += 1)}`);
                await mkdir(folder);
                const checkout = await checkouts.checkOut(from, folder, { ...options, signal });
                return {
                    ...checkout,
                    git: gitIn(checkout.checkout, { GIT_DIR: join(folder, "repository"), GIT_WORK_TREE: "." }),
                    describe: (before, given = signal) => checkouts.describe(from, folder, { before, signal: given }),
                };
            },
        });
    });
}

describe("A commit that was fetched", () => {
    it("is the newest one of the branch, or the one that was asked for, without its history", async () => {
        await withRepository(async ({ commit, git, source, checkOut }) => {
            const [first, second] = [await commit("a.md", "First"), await commit("b.md", "Second")];
            await git("checkout", "--quiet", "-b", "other");
            const third = await commit("c.md", "Third");
            const newest = await checkOut();
            assert.deepEqual([newest.commit, newest.branch], [third, "main"]);
            assert.equal(await newest.git("rev-list", "--count", "HEAD"), "1");
            assert.equal((await checkOut({}, { ...source, branch: "main" })).commit, second);
            const earlier = await checkOut({ commit: first });
            assert.equal(earlier.commit, first);
            assert.equal(await readFile(join(earlier.sourceDir, "a.md"), "utf8"), "First");
        });
    });

    it("has a history, the name of its branch and an author for commits, if a build needs them", async () => {
        await withRepository(async ({ commit, git, checkOut }) => {
            for (const message of ["First", "Second", "Third"]) {
                await commit("a.md", message);
            }
            await git("tag", "v1");
            const built = await checkOut({ historyCommits: 2 });
            assert.equal(built.branch, "trunk");
            assert.equal(await built.git("rev-list", "--count", "HEAD"), "2");
            assert.equal(await built.git("rev-parse", "--abbrev-ref", "HEAD"), "trunk");
            assert.equal(await built.git("tag", "--list"), "v1");
            assert.equal(await built.git("config", "user.name"), "static-export");
            assert.equal(await built.git("config", "user.email"), "static-export@localhost");
            const plain = await checkOut();
            assert.equal(await plain.git("tag", "--list"), "");
            await assert.rejects(plain.git("config", "--local", "user.name"));
        }, "trunk");
    });

    it("is on a branch called main if the remote names no usable branch", async () => {
        await withRepository(async ({ commit, git, checkOut }) => {
            await commit("a.md", "First");
            await git("checkout", "--quiet", "--detach");
            assert.equal((await checkOut({ historyCommits: 1 })).branch, "main");
        });
    });

    it("is readable after its folder has moved", async () => {
        await withRepository(async ({ commit, checkOut }) => {
            await commit("a.md", "First");
            const { checkout } = await checkOut();
            const moved = `${checkout}-moved`;
            await rename(checkout, moved);
            const env = { ...process.env, GIT_DIR: join(checkout, "..", "repository"), GIT_WORK_TREE: moved };
            assert.equal((await run("git", ["status", "--porcelain"], { cwd: moved, env })).stdout, "");
        });
    });
});

describe("A check of a repository in a folder", () => {
    it("finds no fault in a branch that exists, and in the default branch", async () => {
        await withRepository(async ({ checkouts, commit, source }) => {
            await commit("a.md", "First");
            for (const branch of [undefined, "main"]) {
                assert.equal(await checkouts.findFault({ ...source, branch }, signal), undefined);
            }
            const missing = await checkouts.findFault({ ...source, branch: "other" }, signal);
            assert.equal(missing?.fault, `Branch other of ${source.url} does not exist`);
        });
    });
});

describe("The description of a commit", () => {
    it("has its author and message, and the files that have changed since an earlier commit", async () => {
        await withRepository(async ({ commit, checkOut }) => {
            const first = await commit("a.md", "First");
            await commit("b.md", "Second\n\nWith a body.");
            const details = { author: "Ann", message: "Second\n\nWith a body." };
            const filesChanged = { added: ["b.md"], modified: [], removed: [] };
            for (const historyCommits of [undefined, 9]) {
                const fetched = await checkOut(historyCommits === undefined ? {} : { historyCommits });
                assert.deepEqual(await fetched.describe(), details);
                assert.deepEqual(await fetched.describe(first), { ...details, filesChanged });
                const count = await fetched.git("rev-list", "--count", "HEAD");
                assert.equal(count, historyCommits === undefined ? "1" : "2", "the history stays as it was");
            }
        });
    });

    it("has no files if the earlier commit is gone", async () => {
        await withRepository(async ({ commit, checkOut }) => {
            await commit("a.md", "First");
            const fetched = await checkOut();
            assert.deepEqual(await fetched.describe("0123456789".repeat(4)), { author: "Ann", message: "First" });
        });
    });

    it("ends with its signal instead of an incomplete description", async () => {
        await withRepository(async ({ commit, checkOut }) => {
            const first = await commit("a.md", "First");
            await commit("b.md", "Second");
            const fetched = await checkOut();
            const stopping = new AbortController();
            const described = fetched.describe(first, stopping.signal);
            stopping.abort(new Error("Not needed."));
            await assert.rejects(described, /Not needed/);
        });
    });
});
