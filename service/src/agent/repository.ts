import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Git, GitError } from "./git.js";

const author = { name: "Documentation agent", email: "agent@static-export.invalid" };
/** Git's id for a missing object. */
const none = "0".repeat(40);

/** The branch has somebody else's commit, or the repository rejected the push. */
export class PushRefusedError extends Error {
    override readonly name = "PushRefusedError";
}

/**
 * A project's repository: a bare mirror in the data folder, and the remote it follows. Commits are made in the mirror
 * with a separate index, so that nothing that an agent leaves in its checkout has an effect on git or on another job.
 */
export class Repository {
    readonly #url: string;
    readonly #git: Git;
    readonly #gitDir: string;
    /** Fetches run in sequence, because git locks what it updates. */
    #fetching: Promise<unknown> = Promise.resolve();

    constructor(url: string, git: Git, dataDir: string) {
        this.#url = url;
        this.#git = git;
        this.#gitDir = join(dataDir, `${createHash("sha256").update(url).digest("hex").slice(0, 16)}.git`);
    }

    /** Updates the mirror. */
    fetch(signal?: AbortSignal): Promise<void> {
        const fetching = this.#fetching.then(async () => {
            await this.#ensureMirror(signal);
            await this.#run(["fetch", "--prune", "--quiet", "--no-tags", this.#url, "+refs/heads/*:refs/mirror/*"], {
                signal,
            });
        });
        this.#fetching = fetching.catch(() => undefined);
        return fetching;
    }

    /** Removes the locks of killed git processes. Call it only while no other process uses the mirror. */
    async removeStaleLocks(): Promise<void> {
        const files = await readdir(this.#gitDir, { recursive: true }).catch((): string[] => []);
        for (const file of files.filter((name) => name.endsWith(".lock"))) {
            await rm(join(this.#gitDir, file), { force: true });
        }
    }

    /** The default branch of the remote. */
    async defaultBranch(signal?: AbortSignal): Promise<string> {
        const answer = await this.#run(["ls-remote", "--symref", this.#url, "HEAD"], { signal });
        const [, branch] = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(answer) ?? [];
        if (branch === undefined) {
            throw new GitError(
                "The repository has no default branch: name one in --agent-project id=repository#branch.",
            );
        }
        return branch;
    }

    /** The commit of a branch at the last fetch. */
    async head(branch: string): Promise<string | undefined> {
        return this.#run(["rev-parse", "--quiet", "--verify", `refs/mirror/${branch}`]).catch(() => undefined);
    }

    /** The current commit of a branch at the remote. */
    async remoteHead(branch: string): Promise<string | undefined> {
        const answer = await this.#run(["ls-remote", this.#url, `refs/heads/${branch}`]);
        return /^([0-9a-f]{40,64})\trefs\/heads\//.exec(answer)?.[1];
    }

    async has(commit: string): Promise<boolean> {
        return this.#run(["cat-file", "-e", `${commit}^{commit}`]).then(
            () => true,
            () => false,
        );
    }

    /**
     * A checkout of a commit on `branch`, in a folder that does not exist yet. It shares the mirror's objects and has a
     * separate configuration: in a `git worktree`, an agent's configuration would apply to every job.
     */
    async checkOut(commit: string, branch: string, folder: string, signal?: AbortSignal): Promise<void> {
        await this.#git.run(["init", "--quiet", "--template=", folder], { signal });
        await mkdir(join(folder, ".git", "objects", "info"), { recursive: true });
        await writeFile(join(folder, ".git", "objects", "info", "alternates"), `${join(this.#gitDir, "objects")}\n`);
        await this.#git.run(["checkout", "--quiet", "-B", branch, commit], { cwd: folder, signal });
    }

    /** Commits everything in the folder that differs from `base`; undefined if nothing does. */
    async commit(folder: string, base: string, message: string, signal?: AbortSignal): Promise<string | undefined> {
        const env = { GIT_WORK_TREE: folder, GIT_INDEX_FILE: `${folder}.index` };
        const run = (args: string[]) => this.#run(args, { cwd: folder, env, signal });
        await run(["read-tree", base]);
        await run(["add", "--all", "."]);
        const changes = await run(["diff-index", "--cached", "--no-renames", base]);
        const [, nested] = /^:\d{6} 160000 .*\t(.*)$/m.exec(changes) ?? [];
        if (nested !== undefined) {
            throw new GitError(`The agent left a git repository of its own in ${nested}.`);
        }
        if (changes === "") {
            return undefined;
        }
        const tree = await run(["write-tree"]);
        return this.#run(["commit-tree", tree, "-p", base, "-F", "-"], {
            stdin: message,
            signal,
            env: {
                GIT_AUTHOR_NAME: author.name,
                GIT_AUTHOR_EMAIL: author.email,
                GIT_COMMITTER_NAME: author.name,
                GIT_COMMITTER_EMAIL: author.email,
            },
        });
    }

    /**
     * Puts `commit` on a branch of the remote that is at `expected`, or does not exist. A branch that is there already
     * `commit` is left as it is, so a push may be retried.
     *
     * @throws PushRefusedError
     */
    async push(commit: string, branch: string, expected: string | undefined): Promise<void> {
        if ((await this.remoteHead(branch)) === commit) {
            return;
        }
        try {
            await this.#pushRef(commit, branch, expected ?? none);
        } catch (error) {
            throw error instanceof GitError ? new PushRefusedError(error.message, { cause: error }) : error;
        }
    }

    /** Undoes a push: resets the branch to `base`, or deletes it. */
    async takeBack(commit: string, branch: string, base: string | undefined): Promise<void> {
        await this.#pushRef(base ?? "", branch, commit);
    }

    async #pushRef(source: string, branch: string, expected: string): Promise<void> {
        const lease = `--force-with-lease=refs/heads/${branch}:${expected === none ? "" : expected}`;
        await this.#run(["push", "--quiet", "--no-verify", lease, this.#url, `${source}:refs/heads/${branch}`]);
    }

    async #ensureMirror(signal: AbortSignal | undefined): Promise<void> {
        if (!existsSync(join(this.#gitDir, "HEAD"))) {
            await this.#git.run(["init", "--quiet", "--bare", "--template=", this.#gitDir], { signal });
        }
    }

    #run(args: readonly string[], call: Parameters<Git["run"]>[1] = {}): Promise<string> {
        return this.#git.run(args, { ...call, env: { ...call.env, GIT_DIR: this.#gitDir } });
    }
}
