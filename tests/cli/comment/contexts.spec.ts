import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readGithubContext } from "../../../cli/src/comment/github-context.js";
import { readGitlabContext } from "../../../cli/src/comment/gitlab-context.js";
import { commitOf } from "../../../cli/src/comment/write-comment.js";
import { withFolder } from "../support/command.js";

const github = { GITHUB_REPOSITORY: "octo/docs", GITHUB_TOKEN: "t" };
const gitlab = { CI_PROJECT_ID: "42", GITLAB_TOKEN: "t", CI_MERGE_REQUEST_IID: "5" };

async function withEvent(event: object | string, use: (env: NodeJS.ProcessEnv) => void): Promise<void> {
    await withFolder(async (folder) => {
        const path = join(folder, "event.json");
        await writeFile(path, typeof event === "string" ? event : JSON.stringify(event));
        use({ ...github, GITHUB_EVENT_PATH: path });
    });
}

describe("The context read from the environment of a GitHub job", () => {
    it("is the pull request and its commit, not the merge commit", async () => {
        const event = { number: 5, pull_request: { head: { sha: "abc" } } };
        await withEvent(event, (env) => {
            const context = readGithubContext(env, undefined);
            assert.deepEqual(context, {
                apiUrl: "https://api.github.com",
                repository: "octo/docs",
                token: "t",
                pullRequest: 5,
            });
            assert.equal(commitOf({ ...env, GITHUB_SHA: "merge" }), "abc");
        });
    });

    it("is the branch of the triggering run if a second workflow writes the comment", async () => {
        const run = { head_sha: "abc", head_branch: "topic", head_repository: { owner: { login: "fork" } } };
        await withEvent({ workflow_run: { ...run, pull_requests: [] } }, (env) => {
            const head = { owner: "fork", branch: "topic", sha: "abc" };
            assert.deepEqual(readGithubContext(env, undefined).head, head);
            assert.equal(commitOf(env), "abc");
        });
    });

    it("is a pull request of this repository, although the triggering run first names one of a fork", async () => {
        const run = { head_sha: "abc", head_branch: "topic", head_repository: { owner: { login: "octo" } } };
        const inFork = { number: 12, base: { repo: { id: 2 } } };
        const repository = { id: 1 };
        const own = { number: 5, base: { repo: { id: 1 } } };
        await withEvent({ repository, workflow_run: { ...run, pull_requests: [inFork, own] } }, (env) => {
            assert.equal(readGithubContext(env, undefined).pullRequest, 5);
        });
        await withEvent({ repository, workflow_run: { ...run, pull_requests: [inFork] } }, (env) => {
            const { pullRequest, head } = readGithubContext(env, undefined);
            assert.deepEqual([pullRequest, head?.branch], [undefined, "topic"]);
        });
    });

    it("is none of several pull requests of the triggering run's branch", async () => {
        const run = { head_sha: "abc", head_branch: "topic", head_repository: { owner: { login: "octo" } } };
        const pulls = [5, 9].map((number) => ({ number, base: { repo: { id: 1 } } }));
        await withEvent({ repository: { id: 1 }, workflow_run: { ...run, pull_requests: pulls } }, (env) => {
            assert.equal(readGithubContext(env, undefined).pullRequest, undefined);
        });
    });

    it("is the pull request that a comment belongs to, and is refused for a comment on an issue", async () => {
        await withEvent({ issue: { number: 5, pull_request: {} } }, (env) => {
            assert.equal(readGithubContext(env, undefined).pullRequest, 5);
        });
        await withEvent({ issue: { number: 5 } }, (env) => {
            assert.throws(() => readGithubContext(env, undefined), /belongs to no pull request: pass --pull/);
        });
    });

    it("never overrides an explicit pull request number, and includes a self-hosted server's address", () => {
        const env = { ...github, GITHUB_API_URL: "https://github.example.com/api/v3" };
        const { pullRequest, apiUrl } = readGithubContext(env, 9);
        assert.deepEqual([pullRequest, apiUrl], [9, "https://github.example.com/api/v3"]);
        assert.equal(commitOf({ GITHUB_SHA: "abc" }), "abc");
    });

    it("is refused if a variable is missing or invalid, and the error names the variable", async () => {
        assert.throws(() => readGithubContext({ GITHUB_TOKEN: "t" }, 5), /GITHUB_REPOSITORY is missing: set it to/);
        assert.throws(() => readGithubContext({ ...github, GITHUB_TOKEN: "" }, 5), /GITHUB_TOKEN is missing/);
        assert.throws(
            () => readGithubContext({ ...github, GITHUB_TOKEN: "t\n" }, 5),
            /GITHUB_TOKEN contains white space or a line break/,
        );
        assert.throws(() => readGithubContext({ ...github, GITHUB_REPOSITORY: "a/../b" }, 5), /must be owner\/name/);
        const plain = { ...github, GITHUB_API_URL: "http://github.example.com" };
        assert.throws(() => readGithubContext(plain, 5), /GITHUB_API_URL must be an https:\/\/ address/);
        await withEvent("no JSON", (env) => {
            assert.throws(() => readGithubContext(env, 5), /GITHUB_EVENT_PATH names a file that cannot be read/);
        });
    });
});

describe("The context read from the environment of a GitLab job", () => {
    it("is the project, the merge request and its commit, not the commit of a merged result", () => {
        assert.deepEqual(readGitlabContext(gitlab, undefined), {
            apiUrl: "https://gitlab.com/api/v4",
            projectId: "42",
            mergeRequest: 5,
            token: "t",
        });
        const job = { GITLAB_CI: "true", CI_COMMIT_SHA: "merged" };
        assert.equal(commitOf({ ...job, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: "abc" }), "abc");
        assert.equal(commitOf(job), "merged");
    });

    it("is the merge request's project in a fork's pipeline, whose own project may have another request of this number", () => {
        const env = { ...gitlab, CI_PROJECT_ID: "77", CI_MERGE_REQUEST_PROJECT_ID: "42" };
        assert.equal(readGitlabContext(env, undefined).projectId, "42");
    });

    it("is refused if the job belongs to no merge request or lacks a variable, and the error reports the cause", () => {
        const { CI_MERGE_REQUEST_IID: _, ...branch } = gitlab;
        assert.throws(() => readGitlabContext(branch, undefined), /belongs to no merge request: run it where CI_PIPE/);
        assert.equal(readGitlabContext(branch, 9).mergeRequest, 9);
        assert.throws(() => readGitlabContext({ ...gitlab, GITLAB_TOKEN: "" }, 5), /GITLAB_TOKEN is missing/);
    });
});
