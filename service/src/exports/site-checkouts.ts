import { mkdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { isWithin, toOneLine } from "@pulumi-static-export/exporter";
import { DiskWatch } from "../processes/disk-watch.js";
import { Git, type GitCredentials, GitError, GitMemoryError, GitStallError } from "../git/git.js";
import { ProcessMark } from "../processes/process-mark.js";
import { isBranchName } from "../git/repository-names.js";
import { GitMovedError, isTransient, lacksObject, type RemoteCall, runRemote, type Sleep } from "../git/run-remote.js";
import { limitIn } from "../shared/reached-limit.js";
import { type CommitDetails, parseChangedFiles, parseCommitLog } from "./commit-details.js";
import { type GitSource } from "./git-source.js";

interface SiteCheckoutsOptions {
    dataDir: string;
    /** Tokens, or `user:password`, by origin. */
    tokens: ReadonlyMap<string, string>;
    /** Disk limit for one checkout, with the objects of its commit. */
    maxBytes: number;
    /** Memory limit for each git process. */
    memoryMegabytes: number;
    /** How long git may make no progress. @default that of the flag */
    stallSeconds?: number;
    /** @default process.env */
    env?: NodeJS.ProcessEnv;
    /** @default the machine's clock */
    sleep?: Sleep;
}

/** The documentation in a repository at one commit. */
export interface SiteCheckout {
    sourceDir: string;
    /** The folder with all files of the commit. */
    checkout: string;
    commit: string;
    /** The branch, if its name is known. */
    branch: string;
}

interface CheckOutOptions {
    /** An earlier commit to check out instead of the branch's newest commit. */
    commit?: string | undefined;
    /** How many commits to fetch, with their tags. @default 1, without tags */
    historyCommits?: number | undefined;
    signal: AbortSignal;
}

/** The repository no longer has a commit, because its history was rewritten. */
export class LostCommitError extends Error {
    override readonly name = "LostCommitError";

    constructor(commit: string, url: string, cause: GitError) {
        super(`commit ${commit} is no longer in ${url}`, { cause });
    }
}

/** Git's messages about a commit that a repository lacks or does not serve. */
const lostCommit = /not our ref|unadvertised object|no such remote ref|couldn't find remote ref/i;

const missingBranch = "The repository has no branch of this name: correct it, or push the branch";

/** Says what to do about a failed fetch, unless its message does. */
function adviceOn(error: GitError, { url }: GitSource, hasHistory = false): string | undefined {
    const { message } = error;
    if (error instanceof GitStallError || error instanceof GitMovedError) {
        return undefined;
    }
    if (error instanceof GitMemoryError) {
        return "Remove the file that expands to this size from the commit, or raise --export-memory-mb";
    }
    if (limitIn(message.replace(/^git \S+ /, "")) === "disk") {
        const remedy = hasHistory
            ? "Lower build.historyCommits in the sites file"
            : "Remove large files from the commit";
        return `${remedy}, or raise --export-disk-mb`;
    }
    if (/couldn't find remote ref refs\/heads\//.test(message)) {
        return missingBranch;
    }
    if (lacksObject(error)) {
        return "Repair the repository, in which git fsck finds faults";
    }
    if (isTransient(error)) {
        return "Check that this machine reaches the repository's host";
    }
    if (/mismatched algorithms/.test(message)) {
        return "Repositories with SHA-256 are not supported: name one with SHA-1";
    }
    const { protocol } = new URL(url);
    const access =
        protocol === "ssh:"
            ? ", and the ssh key and known hosts of the service's user"
            : protocol === "file:"
              ? ", and the owner of the repository"
              : " and the token that --git-token-env names";
    return `Check the site's address${access}`;
}

/** The user name that git hosts accept with a token, if they check the name at all. */
const tokenUser = "x-access-token";
const remote = "origin";
const addressOption = "--site or the sites file";
/** The name of the branch in the checkout if the remote's is unknown or not needed. */
const defaultBranch = "main";

/** Larger files of earlier commits are not fetched. Builders read the history of pages, which are smaller. */
const historyFilter = "blob:limit=128k";

/** Fetches documentation from repositories, without submodules and hooks. */
export class SiteCheckouts {
    readonly #options: SiteCheckoutsOptions;
    readonly #mark: ProcessMark;

    constructor(options: SiteCheckoutsOptions) {
        this.#options = options;
        this.#mark = ProcessMark.ofGit(options.dataDir);
    }

    /**
     * Checks out the newest commit of a source's branch, or the requested one, in an empty folder.
     *
     * @throws LostCommitError for an earlier commit that is gone; for a failed fetch or a missing folder, an error
     * whose message says what to check
     */
    async checkOut(source: GitSource, folder: string, options: CheckOutOptions): Promise<SiteCheckout> {
        const { signal } = options;
        const wanted = describeWanted(source.branch, options.commit);
        const place = `${wanted.title} of ${source.url}`;
        const disk = new DiskWatch(folder, this.#options.maxBytes);
        // Git's own data is separate from the files, so that it is not exported.
        const env = { GIT_DIR: join(folder, "repository"), GIT_WORK_TREE: join(folder, "site") };
        const call: RemoteCall = { env, signal, addressOption, findExcess: () => disk.findExcess() };
        await mkdir(env.GIT_WORK_TREE);
        try {
            const { commit, branch } = await this.#fetch(source, wanted.ref, options.historyCommits, call);
            return {
                commit,
                branch,
                checkout: env.GIT_WORK_TREE,
                sourceDir: await findFolder(env.GIT_WORK_TREE, source.folder, `${place}, at ${commit},`),
            };
        } catch (error) {
            if (error instanceof GitError) {
                if (options.commit !== undefined && lostCommit.test(error.message)) {
                    throw new LostCommitError(options.commit, source.url, error);
                }
                const advice = adviceOn(error, source, options.historyCommits !== undefined);
                const next = advice === undefined ? "Then start" : `${advice}, then start`;
                throw new Error(`${place} could not be fetched: ${error.message}. ${next} a new export.`, {
                    cause: error,
                });
            }
            throw error;
        }
    }

    /**
     * Asks a repository for a source's branch once, without fetching it.
     *
     * @returns what is wrong, and what to do about it, or undefined
     */
    async findFault(source: GitSource, signal: AbortSignal): Promise<{ fault: string; advice: string } | undefined> {
        const { ref, title } = describeWanted(source.branch, undefined);
        const place = `${title} of ${source.url}`;
        try {
            const call: RemoteCall = { signal, addressOption, maxTries: 1 };
            const found = await runRemote(this.#gitFor(source.url), ["ls-remote", source.url, ref], call);
            return found === "" ? { fault: `${place} does not exist`, advice: missingBranch } : undefined;
        } catch (error) {
            signal.throwIfAborted();
            const { message } = error as Error;
            return {
                fault: `${place} cannot be fetched: ${toOneLine(message, 500)}`,
                advice: adviceOn(error as GitError, source) ?? "Check the site's address",
            };
        }
    }

    /**
     * Describes the commit that `checkOut` has fetched into a folder.
     *
     * @param options.before - the commit to compare it with
     */
    async describe(
        source: GitSource,
        folder: string,
        { before, signal }: { before: string | undefined; signal: AbortSignal },
    ): Promise<CommitDetails> {
        const git = this.#gitFor(source.url);
        const call: RemoteCall = { env: { GIT_DIR: join(folder, "repository") }, signal, addressOption };
        const details = parseCommitLog(await git.run(["log", "-1", "--format=%an%x00%B", "HEAD"], call));
        if (before === undefined) {
            return details;
        }
        try {
            const commits = await git.run(["log", "--format=%H", "HEAD"], call);
            // A second fetch of a commit would cut the history there.
            if (!commits.split("\n").includes(before)) {
                const fetch = ["fetch", "--quiet", "--no-tags", "--depth=1", source.url, before];
                await runRemote(git, fetch, call, this.#options.sleep);
            }
            const diff = await git.run(["diff", "--name-status", "--no-renames", "-z", before, "HEAD"], call);
            return { ...details, filesChanged: parseChangedFiles(diff) };
        } catch (error) {
            if (error instanceof GitError) {
                // The branch was rewritten, and the commit is gone: only the comparison is lost.
                return details;
            }
            throw error;
        }
    }

    async #fetch(
        { url, branch }: GitSource,
        wanted: string,
        historyCommits: number | undefined,
        call: RemoteCall,
    ): Promise<Pick<SiteCheckout, "branch" | "commit">> {
        const git = this.#gitFor(url);
        const onRemote = (args: readonly string[]) => runRemote(git, args, call, this.#options.sleep);
        await git.run(["init", "--quiet", "--template="], call);
        await git.run(["remote", "add", remote, url], call);
        const extent =
            historyCommits === undefined
                ? ["--no-tags", "--depth=1"]
                : [`--depth=${historyCommits}`, `--filter=${historyFilter}`];
        const name =
            branch ??
            (historyCommits === undefined
                ? defaultBranch
                : parseDefaultBranch(await onRemote(["ls-remote", "--symref", remote, "HEAD"])));
        const ref = `refs/remotes/${remote}/${name}`;
        await onRemote(["fetch", "--quiet", ...extent, remote, `+${wanted}:${ref}`]);
        // Fetches the larger files of the commit.
        await onRemote(["checkout", "--quiet", "--no-track", "-B", name, ref]);
        // The repository may move with its files.
        await git.run(["config", "--unset-all", "core.worktree"], call);
        if (historyCommits !== undefined) {
            // Builders such as mike commit their output.
            await git.run(["config", "user.name", committer.name], call);
            await git.run(["config", "user.email", committer.email], call);
        }
        return { commit: await git.run(["rev-parse", "--verify", "HEAD"], call), branch: name };
    }

    #gitFor(url: string): Git {
        const { origin, protocol } = new URL(url);
        const { tokens, memoryMegabytes, stallSeconds, env = process.env } = this.#options;
        const token = tokens.get(origin);
        return new Git({
            mark: this.#mark,
            protocol: protocol.slice(0, -1),
            credentials: token === undefined ? undefined : credentialsOf(origin, token),
            memoryMegabytes,
            ...(stallSeconds === undefined ? {} : { stallSeconds }),
            env,
        });
    }
}

/** The author of commits that a build makes in its checkout. */
const committer = { name: "static-export", email: "static-export@localhost" };

/** The ref that git fetches, and its name in messages. */
function describeWanted(branch: string | undefined, commit: string | undefined): { title: string; ref: string } {
    if (commit !== undefined) {
        return { title: `Commit ${commit}`, ref: commit };
    }
    return branch === undefined
        ? { title: "The default branch", ref: "HEAD" }
        : { title: `Branch ${branch}`, ref: `refs/heads/${branch}` };
}

/** The branch to which HEAD of a remote refers, in the output of `git ls-remote --symref`. */
function parseDefaultBranch(text: string): string {
    const [, name = ""] = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(text) ?? [];
    return isBranchName(name) ? name : defaultBranch;
}

function credentialsOf(origin: string, token: string): GitCredentials {
    const [, user = tokenUser, password = ""] = /^(?:([^:]*):)?(.*)$/s.exec(token) ?? [];
    return { origin, user, password };
}

/** Finds the folder inside the checkout: a commit must not make the export read other files of this machine. */
async function findFolder(root: string, folder: string, place: string): Promise<string> {
    const found = await realpath(join(root, folder)).catch(() => undefined);
    if (found === undefined || !isWithin(await realpath(root), found) || !(await stat(found)).isDirectory()) {
        throw new Error(`${place} has no folder ${folder}: correct what follows the branch in the site's address.`);
    }
    return found;
}
