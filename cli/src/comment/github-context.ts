import { readFileSync } from "node:fs";
import { UsageError } from "../command-line/usage-error.js";
import { assertApiUrl, requireVariable } from "./required-variables.js";

/** The pull request to comment on, and the token. */
export interface GithubContext {
    apiUrl: string;
    /** `owner/name` */
    repository: string;
    token: string;
    pullRequest?: number;
    /** The previewed branch, if the number of the pull request is unknown. */
    head?: { owner: string; branch: string; sha: string };
}

/** Reads the environment of a GitHub Actions job. @throws UsageError naming what is missing */
export function readGithubContext(env: NodeJS.ProcessEnv, pullRequest: number | undefined): GithubContext {
    const repository = requireVariable(env, "GITHUB_REPOSITORY", "the repository, as owner/name");
    if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
        throw new UsageError("GITHUB_REPOSITORY must be owner/name.");
    }
    const { number, head } = readEvent(env);
    const known = pullRequest ?? number;
    if (known === undefined && head === undefined) {
        throw new UsageError("This job belongs to no pull request: pass --pull-request <number>.");
    }
    return {
        apiUrl: assertApiUrl("GITHUB_API_URL", env["GITHUB_API_URL"] || "https://api.github.com"),
        repository,
        token: requireVariable(env, "GITHUB_TOKEN", "the token that writes the comment"),
        ...(known === undefined ? {} : { pullRequest: known }),
        ...(head === undefined ? {} : { head }),
    };
}

/** The commit of the pull request, not the merge commit in GITHUB_SHA. */
export function githubCommit(env: NodeJS.ProcessEnv): string | undefined {
    return readEvent(env).commit ?? (env["GITHUB_SHA"] || undefined);
}

interface PullRequestEvent {
    number?: number;
    pull_request?: { head?: { sha?: string } };
    issue?: { number?: number; pull_request?: object };
    workflow_run?: {
        head_sha: string;
        head_branch: string;
        head_repository?: { owner?: { login?: string } };
        /** Of any repository in the network of forks. */
        pull_requests?: { number: number; base?: { repo?: { id?: number } } }[];
    };
    repository?: { id?: number };
}

function readEvent(env: NodeJS.ProcessEnv): Pick<GithubContext, "head"> & { number?: number; commit?: string } {
    const path = env["GITHUB_EVENT_PATH"];
    if (!path) {
        return {};
    }
    const { number, pull_request, issue, workflow_run: run, repository } = parseEvent(path);
    const owner = run?.head_repository?.owner?.login;
    const commit = pull_request?.head?.sha ?? run?.head_sha;
    const own = (run?.pull_requests ?? []).filter(
        ({ base }) => base?.repo?.id !== undefined && base.repo.id === repository?.id,
    );
    // The event does not say for which of several pull requests with the same branch the run was.
    const ofRun = own.length === 1 ? own[0]?.number : undefined;
    const found = (pull_request && number) ?? (issue?.pull_request && issue.number) ?? ofRun;
    return {
        ...(found === undefined ? {} : { number: found }),
        ...(commit === undefined ? {} : { commit }),
        ...(run && owner ? { head: { owner, branch: run.head_branch, sha: run.head_sha } } : {}),
    };
}

function parseEvent(path: string): PullRequestEvent {
    try {
        return JSON.parse(readFileSync(path, "utf8")) as PullRequestEvent;
    } catch (error) {
        throw new UsageError(`GITHUB_EVENT_PATH names a file that cannot be read: ${(error as Error).message}.`);
    }
}
