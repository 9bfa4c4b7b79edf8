import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { untilAborted } from "@pulumi-static-export/exporter";
import { type CommitSettings, defaultAuthor } from "./commit-options.js";
import { assertSmall } from "./commit-size.js";
import { fetchRest } from "./fetch-rest.js";
import { type IndexChange, parseChanges } from "./index-changes.js";
import { findUnfiltered } from "./unfiltered-files.js";
import { DiskWatch, folderSize } from "../processes/disk-watch.js";
import { type Git, type GitCall, GitError, GitStallError } from "../git/git.js";
import { isTransient, type RemoteCall, runRemote, type Sleep } from "../git/run-remote.js";

/** Git's id for a missing object. */
const none = "0".repeat(40);

/** Somebody else has committed to the branch, or the repository rejected the push. */
export class PushRefusedError extends Error {
    override readonly name = "PushRefusedError";
}

interface RepositoryOptions {
    git: Git;
    /** The folder that contains the mirrors. */
    folder: string;
    /** The address for git, if it differs from the repository's. */
    remote?: string;
    /** Size limit for the mirror. */
    maxBytes: number;
    /** The author of commits, and the key with which git signs them. @default no key */
    commits?: Pick<CommitSettings, "author" | "signingKeyFile">;
    /** @default the machine's clock */
    sleep?: Sleep;
}

interface CommitRequest {
    /** The path of git's index, which does not exist yet. */
    index: string;
    base: string;
    message: string;
    /** Size limit for the files of the commit. @default no limit */
    maxBytes?: number | undefined;
    signal?: AbortSignal | undefined;
    /** Called for each git repository in the folder that is not part of the commit. */
    onLeftOut?: ((folder: string) => void) | undefined;
    /** Called for each filter of `.gitattributes`, such as `lfs`, that the commit's files did not go through. */
    onUnfiltered?: ((filter: string, files: readonly string[]) => void) | undefined;
}

const submoduleMode = "160000";

/**
 * A project's repository: a bare mirror in the data folder, and the remote it follows. Commits are made in the mirror
 * with a separate index, so that files that an agent leaves in its checkout affect neither git nor other jobs.
 */
export class Repository {
    readonly #git: Git;
    readonly #remote: string;
    /** The mirror's folder. */
    readonly gitDir: string;
    readonly #maxBytes: number;
    readonly #commits: Pick<CommitSettings, "author" | "signingKeyFile">;
    readonly #sleep: Sleep | undefined;
    readonly #closing = new AbortController();
    #users = 0;
    #collecting: Promise<void> | undefined;
    /** Fetches run in sequence, because git locks the refs that it updates. */
    #fetching: Promise<unknown> = Promise.resolve();

    constructor(url: string, options: RepositoryOptions) {
        const { git, folder, remote = url, maxBytes, commits, sleep } = options;
        this.#git = git;
        this.#remote = remote;
        this.gitDir = join(folder, `${createHash("sha256").update(url).digest("hex").slice(0, 16)}.git`);
        this.#maxBytes = maxBytes;
        this.#commits = commits ?? { author: defaultAuthor, signingKeyFile: undefined };
        this.#sleep = sleep;
    }

    /** The mirror's objects, which checkouts refer to. */
    get objects(): string {
        return join(this.gitDir, "objects");
    }

    /**
     * Runs an operation that uses the mirror. After the last running operation, removes the objects that no branch
     * needs.
     */
    async use<T>(run: () => Promise<T>): Promise<T> {
        while (this.#collecting !== undefined) {
            await this.#collecting;
        }
        this.#users += 1;
        try {
            return await run();
        } finally {
            this.#users -= 1;
            if (this.#users === 0) {
                this.#collecting = this.#collect().finally(() => (this.#collecting = undefined));
                await this.#collecting;
            }
        }
    }

    /** Ends the removal of objects, which the next process repeats. */
    closing(): void {
        this.#closing.abort();
    }

    /** Updates the mirror. */
    async fetch(signal?: AbortSignal): Promise<void> {
        const earlier = this.#fetching;
        const fetched = Promise.withResolvers<void>();
        this.#fetching = Promise.all([earlier, fetched.promise]);
        try {
            // The earlier fetch may wait for a remote that does not answer.
            await (signal === undefined ? earlier : untilAborted(earlier, signal));
            const disk = new DiskWatch(this.gitDir, this.#maxBytes);
            await this.#fetchBranches({ signal, findExcess: () => disk.findExcess() });
            const excess = await disk.findExcess();
            if (excess !== undefined) {
                throw new GitError(`git fetch ${excess}.`);
            }
        } finally {
            fetched.resolve();
        }
    }

    /** Fetches all branches. If the first fetch breaks off, fetches the history in parts, which the mirror keeps. */
    async #fetchBranches(call: Pick<RemoteCall, "signal" | "findExcess">): Promise<void> {
        const fetch = (extent: readonly string[], maxTries?: number) =>
            this.#runRemote(
                ["fetch", "--prune", "--quiet", "--no-tags", ...extent, this.#remote, "+refs/heads/*:refs/mirror/*"],
                { ...call, ...(maxTries === undefined ? {} : { maxTries }) },
            );
        const isNew = await this.#ensureMirror(call.signal);
        const isEmpty = async () => (await this.#run(["for-each-ref", "--count=1", "refs/mirror"])) === "";
        if (isNew) {
            try {
                await fetch([], 1);
                return;
            } catch (error) {
                if (!isTransient(error) && !(error instanceof GitStallError)) {
                    throw error;
                }
            }
        }
        await fetchRest(fetch, { isEmpty, lacksHistory: () => existsSync(join(this.gitDir, "shallow")) });
    }

    /** The default branch of the remote. */
    async defaultBranch(signal?: AbortSignal): Promise<string> {
        const answer = await this.#runRemote(["ls-remote", "--symref", this.#remote, "HEAD"], { signal });
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
    async remoteHead(branch: string, signal?: AbortSignal): Promise<string | undefined> {
        const answer = await this.#runRemote(["ls-remote", this.#remote, `refs/heads/${branch}`], { signal });
        return /^([0-9a-f]{40,64})\trefs\/heads\//.exec(answer)?.[1];
    }

    /** Protects a job's commit, which is not pushed yet, from garbage collection. */
    async keep(commit: string, jobId: string): Promise<void> {
        await this.#run(["update-ref", `refs/agent/${jobId}`, commit]);
    }

    /** Releases a job's commit that was pushed or is no longer needed. */
    async forget(jobId: string): Promise<void> {
        await this.#run(["update-ref", "-d", `refs/agent/${jobId}`]).catch(() => undefined);
    }

    /** Writes a git bundle with a job's commit, as the ref `agent/JOB`, for a clone that has `base`. */
    async writeBundle(
        file: string,
        { commit, base, jobId }: { commit: string; base: string; jobId: string },
    ): Promise<void> {
        await this.keep(commit, jobId);
        await this.#run(["bundle", "create", "--quiet", file, `refs/agent/${jobId}`, `^${base}`]);
        await chmod(file, 0o600);
    }

    async has(commit: string): Promise<boolean> {
        return (await this.#run(["cat-file", "-e", `${commit}^{commit}`]).catch(() => undefined)) !== undefined;
    }

    /**
     * A checkout of a commit on `branch`, in an empty folder. The checkout shares the mirror's objects and has a
     * separate configuration: in a `git worktree`, an agent's configuration would apply to every job.
     */
    async checkOut(commit: string, branch: string, folder: string, signal?: AbortSignal): Promise<void> {
        await this.#git.run(["init", "--quiet", "--template=", folder], { signal });
        await mkdir(join(folder, ".git", "objects", "info"), { recursive: true });
        await writeFile(join(folder, ".git", "objects", "info", "alternates"), `${this.objects}\n`);
        await this.#git.run(["checkout", "--quiet", "-B", branch, commit], { cwd: folder, signal });
    }

    /** Copies the mirror's objects that a checkout needs into it, so that it may leave this machine. */
    async detach(folder: string, signal?: AbortSignal): Promise<void> {
        await this.#git.run(["repack", "-a", "-d", "--quiet"], { cwd: folder, signal });
        await rm(join(folder, ".git", "objects", "info", "alternates"));
    }

    /**
     * Whether a branch at `into` has all changes of `commit`: merging would change nothing, for example after a squash
     * merge. False for versions of git before 2.38.
     */
    async hasMerged(commit: string, into: string): Promise<boolean> {
        try {
            const merged = await this.#run(["merge-tree", "--write-tree", into, commit]);
            return merged === (await this.#run(["rev-parse", `${into}^{tree}`]));
        } catch {
            // The branches conflict.
            return false;
        }
    }

    /**
     * Commits everything in the folder that differs from a checkout of `base`, except for other git repositories;
     * returns undefined if nothing differs.
     */
    async commit(folder: string, request: CommitRequest): Promise<string | undefined> {
        const { index, base, message, maxBytes, signal, onLeftOut, onUnfiltered } = request;
        const env = { GIT_WORK_TREE: ".", GIT_INDEX_FILE: index };
        const run = (args: string[], stdin?: string) =>
            this.#run(args, { cwd: folder, env, signal, ...(stdin && { stdin }) });
        await run(["read-tree", base]);
        if (maxBytes !== undefined) {
            await assertSmall(folder, maxBytes, run);
        }
        // Git lists files, and folders only if they are repositories.
        const others = (await run(["ls-files", "--others", "--exclude-standard"])).split("\n");
        const repositories = others.filter((path) => /\/"?$/.test(path));
        repositories.forEach((path) => onLeftOut?.(path));
        const paths = [".", ...repositories.map((path) => path.replace(/^"?/, "$&:(exclude,literal)"))];
        await run(["add", "--all", "--pathspec-from-file=-"], paths.join("\n"));
        const findChanges = async () => parseChanges(await run(["diff-index", "--cached", "--no-renames", base]));
        const unchanged = await this.#findUnchanged(folder, await findChanges(), request);
        if (unchanged.length > 0) {
            const entries = unchanged.map(({ newMode, oldId, path }) => `${newMode} ${oldId}\t${path}`);
            await run(["update-index", "--index-info"], entries.join("\n"));
        }
        const changes = await findChanges();
        if (changes.length === 0) {
            return undefined;
        }
        (await findUnfiltered(changes, run)).forEach((files, filter) => onUnfiltered?.(filter, files));
        const tree = await run(["write-tree"]);
        const { author, signingKeyFile } = this.#commits;
        const signature = signingKeyFile === undefined ? [] : [`--gpg-sign=${signingKeyFile}`];
        return this.#run(["commit-tree", tree, "-p", base, "-F", "-", ...signature], {
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
     * Pushes `commit` to a branch of the remote that is at `expected`, or that does not exist yet. Changes nothing if
     * the branch is already at `commit`, so a push may be retried.
     *
     * @throws PushRefusedError
     */
    async push(
        commit: string,
        { branch, expected, signal }: { branch: string; expected: string | undefined; signal?: AbortSignal },
    ): Promise<void> {
        if ((await this.remoteHead(branch, signal)) === commit) {
            return;
        }
        try {
            await this.#pushRef(commit, { branch, expected: expected ?? none, signal });
        } catch (error) {
            // An earlier push may have succeeded without a response.
            if (error instanceof GitError && (await this.remoteHead(branch, signal)) === commit) {
                return;
            }
            throw error instanceof GitError ? new PushRefusedError(error.message, { cause: error }) : error;
        }
    }

    /**
     * Undoes a push: resets the branch to `base`, or deletes it. Changes nothing if the branch is no longer at
     * `commit`, because another run has taken it back, or somebody else has committed to it.
     *
     * @returns whether it changed the branch
     */
    async takeBack(
        commit: string,
        { branch, base, signal }: { branch: string; base: string | undefined; signal?: AbortSignal },
    ): Promise<boolean> {
        try {
            await this.#pushRef(base ?? "", { branch, expected: commit, signal });
            return true;
        } catch (error) {
            if (!(error instanceof GitError) || (await this.remoteHead(branch, signal)) === commit) {
                throw error;
            }
            return false;
        }
    }

    async #pushRef(
        source: string,
        { branch, expected, signal }: { branch: string; expected: string; signal: AbortSignal | undefined },
    ): Promise<void> {
        const lease = `--force-with-lease=refs/heads/${branch}:${expected === none ? "" : expected}`;
        const refs = `${source}:refs/heads/${branch}`;
        await this.#runRemote(["push", "--quiet", "--no-verify", lease, this.#remote, refs], { signal });
    }

    /**
     * The entries of git's index that differ from the base, although the folder has what git checks out. These are
     * submodules, and files that `git add` converts, such as text files with CRLF in the base.
     */
    async #findUnchanged(
        folder: string,
        changes: readonly IndexChange[],
        { index, base, signal }: CommitRequest,
    ): Promise<IndexChange[]> {
        const submodules = changes.filter(({ newMode }) => newMode === submoduleMode);
        const files = changes.filter(({ oldMode, newMode }) => oldMode.startsWith("100") && newMode.startsWith("100"));
        if (files.length === 0) {
            return submodules;
        }
        const [checkout, baseIndex] = [`${index}.checkout`, `${index}.base`];
        const stdin = files.map(({ path }) => `${path}\n`).join("");
        const hash = async (cwd: string) =>
            (await this.#run(["hash-object", "--no-filters", "--stdin-paths"], { cwd, signal, stdin })).split("\n");
        try {
            await mkdir(checkout, { mode: 0o700 });
            const call = { cwd: checkout, signal, env: { GIT_WORK_TREE: ".", GIT_INDEX_FILE: baseIndex } };
            await this.#run(["read-tree", base], call);
            await this.#run(["checkout-index", "--quiet", "--stdin"], { ...call, stdin });
            const [expected, found] = [await hash(checkout), await hash(folder)];
            return [...submodules, ...files.filter((_file, at) => expected[at] === found[at])];
        } finally {
            const leftovers = [checkout, baseIndex, `${baseIndex}.lock`];
            await Promise.all(leftovers.map((path) => rm(path, { recursive: true, force: true })));
        }
    }

    /**
     * Removes the objects that refused pushes and deleted branches leave in the mirror, and a mirror that exceeds its
     * size limit.
     */
    async #collect(): Promise<void> {
        const { signal } = this.#closing;
        const now = ["-c", "gc.auto=6700", "-c", "gc.autoDetach=false", "-c", "gc.pruneExpire=now"];
        try {
            await this.#run(["prune", "--expire=now"], { signal });
            await this.#run([...now, "gc", "--auto", "--quiet"], { signal });
            const { bytes } = await folderSize(this.gitDir);
            if (bytes > this.#maxBytes) {
                await rm(this.gitDir, { recursive: true, force: true });
            }
        } catch {
            // The next run tries again.
        }
    }

    /** @returns whether the mirror is new */
    async #ensureMirror(signal?: AbortSignal): Promise<boolean> {
        const isNew = !existsSync(join(this.gitDir, "HEAD"));
        if (isNew) {
            await this.#git.run(["init", "--quiet", "--bare", "--template=", this.gitDir], { signal });
        }
        return isNew;
    }

    async #runRemote(args: readonly string[], call: Omit<RemoteCall, "addressOption">): Promise<string> {
        await this.#ensureMirror(call.signal);
        return runRemote(this.#git, args, { ...call, env: this.#env, addressOption: "--agent-project" }, this.#sleep);
    }

    get #env(): Record<string, string> {
        return { GIT_DIR: this.gitDir };
    }

    #run(args: readonly string[], call: GitCall = {}): Promise<string> {
        return this.#git.run(args, { ...call, env: { ...call.env, ...this.#env } });
    }
}
