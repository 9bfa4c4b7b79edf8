import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parse } from "yaml";
import { type Answer, type Request } from "../cli/comment/support/rest-server.js";
import { GitlabServer } from "../cli/comment/support/gitlab-server.js";
import { root } from "./support/documents.js";

const folder = join(root, "examples", "pull-request-check", "gitlab");
const sha = "0123456789abcdef0123456789abcdef01234567";
const events = readFileSync(join(root, "tests/cli/preview/fixtures/version.jsonl"));

/** A fake GitLab with two open merge requests; the pipeline of merge request 5 ran in a fork. */
class GitlabWithPipelines extends GitlabServer {
    log: Buffer = events;
    checkedSha = sha;
    /** The address of another host that serves the artifacts. */
    artifactsAt: string | undefined;
    /** The response about the other merge request, which is listed first. */
    other: Answer | undefined;

    protected override handle(request: Request): Answer {
        const { path, headers, query } = request;
        if (headers.authorization !== undefined && headers.authorization !== `Bearer ${this.token}`) {
            return { status: 401 };
        }
        if (path === "/projects/43/jobs/11/artifacts/events.log" && this.artifactsAt !== undefined) {
            return { status: 302, headers: { location: `${this.artifactsAt}/events.log` } };
        }
        if (path === "/projects/44/jobs/12/artifacts/events.log") {
            return { status: 200, text: "x".repeat(50_000_001) };
        }
        if (path.endsWith("/events.log")) {
            return { status: 200, text: this.log.toString() };
        }
        if (path === "/projects/42/merge_requests/7/pipelines" && this.other !== undefined) {
            return this.other;
        }
        const page = Number(query.get("page"));
        const answers: Record<string, object[]> = {
            "/projects/42/merge_requests": [
                { iid: 7, sha: "f".repeat(40) },
                { iid: 5, sha },
            ],
            "/projects/42/merge_requests/7/pipelines": [],
            "/projects/42/merge_requests/5/pipelines": [
                { id: 1, sha: "older", project_id: 43 },
                { id: 2, sha: this.checkedSha, project_id: 43 },
            ],
            "/projects/44/pipelines/3/jobs": [{ id: 12, name: "check", status: "failed" }],
            "/projects/43/pipelines/2/jobs": [
                { id: 10, name: "check", status: "canceled" },
                { id: 11, name: "check", status: "failed" },
            ],
        };
        const all = answers[path];
        // Each page of a response contains one item, so the client has to read all pages.
        return all === undefined
            ? super.handle(request)
            : {
                  status: 200,
                  body: all.slice(page - 1, page),
                  headers: { "x-next-page": page < all.length ? `${page + 1}` : "" },
              };
    }
}

describe("the GitLab pipeline of examples/pull-request-check", function () {
    this.timeout(60_000);
    let gitlab: GitlabWithPipelines;
    let storage: GitlabWithPipelines;

    beforeEach(async () => {
        gitlab = await new GitlabWithPipelines().start();
        storage = await new GitlabWithPipelines().start();
    });
    afterEach(async () => {
        await gitlab.stop();
        await storage.stop();
    });

    async function comment(variables = {}): Promise<{ exitCode: number | null; output: string }> {
        const script = join(folder, "comment-merge-requests.mjs");
        const child = spawn(process.execPath, [script, "documentation", "production"], {
            cwd: root,
            env: {
                ...process.env,
                CI_API_V4_URL: gitlab.url,
                CI_PROJECT_ID: "42",
                GITLAB_TOKEN: gitlab.token,
                GITHUB_STEP_SUMMARY: "",
                ...variables,
            },
            stdio: ["ignore", "pipe", "pipe"],
        });
        const output = Promise.all([text(child.stdout), text(child.stderr)]);
        const [exitCode] = (await once(child, "close")) as [number | null];
        return { exitCode, output: (await output).join("") };
    }

    it("posts the result for a fork as one comment on the merge request, and later updates the comment", async () => {
        for (const outcome of ["created", "updated"]) {
            const { exitCode, output } = await comment();
            assert.equal(exitCode, 0, output);
            assert.match(output, new RegExp(`comment was ${outcome}`));
            assert.match(output, /!7: no check of ffffffffff has uploaded an event log/);
        }
        assert.equal(gitlab.comments.length, 1);
        assert.match(
            gitlab.comments[0]?.body ?? "",
            /1 export runs[^]*`documentation\/production`, commit `0123456789`/,
        );
    });

    it("does not post a comment if the newest commit has not been checked yet", async () => {
        gitlab.checkedSha = "earlier";
        const { exitCode, output } = await comment();
        assert.equal(exitCode, 0, output);
        assert.deepEqual(gitlab.comments, []);
    });

    it("fails for an invalid event log", async () => {
        gitlab.log = Buffer.from("<script>");
        const { exitCode, output } = await comment();
        assert.equal(exitCode, 1, output);
        assert.deepEqual(gitlab.comments, []);
    });

    for (const [what, other] of Object.entries({
        "is answered with 403": { status: 403 },
        "is answered with 500": { status: 500 },
        "is answered with what is no list": { status: 200, text: "<html>" },
        "is never answered to the end": { status: 200, text: "[", headers: { "content-length": "100" } },
    } satisfies Record<string, Answer>)) {
        it(`comments even if another merge request ${what}, and fails at the end`, async () => {
            gitlab.other = other;
            const { exitCode, output } = await comment({ SECONDS_FOR_EACH_MERGE_REQUEST: "15" });
            assert.equal(exitCode, 1, output);
            assert.match(output, /!7: no comment\. /);
            assert.equal(gitlab.comments.length, 1);
        });
    }

    it("comments even if another merge request has an event log that is too large", async () => {
        gitlab.other = { status: 200, body: [{ id: 3, sha: "f".repeat(40), project_id: 44 }] };
        const { exitCode, output } = await comment();
        assert.equal(exitCode, 1, output);
        assert.match(output, /!7: no comment\. The event log is larger than 50000000 bytes/);
        assert.equal(gitlab.comments.length, 1);
    });

    it("does not send its token to other hosts", async () => {
        gitlab.artifactsAt = storage.url;
        const { exitCode, output } = await comment();
        assert.equal(exitCode, 0, output);
        assert.equal(gitlab.comments.length, 1);
        assert.deepEqual(
            storage.requests.map(({ path, headers }) => [path, headers.authorization, headers["private-token"]]),
            [["/events.log", undefined, undefined]],
        );
    });

    it("does not pass the comment token or the passphrase to a job that runs a merge request's code", () => {
        interface Job {
            rules: { if: string }[];
            script: string[];
        }
        const jobs = parse(readFileSync(join(folder, ".gitlab-ci.yml"), "utf8")) as Record<string, Job>;
        const { redact, check, comment } = jobs;
        assert.deepEqual(check?.rules, [{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }]);
        assert.doesNotMatch(JSON.stringify(check), /GITLAB_TOKEN|PASSPHRASE|ACCESS_TOKEN/);
        for (const job of [redact, comment]) {
            assert.equal(job?.rules.length, 1);
            assert.match(job?.rules[0]?.if ?? "", /^\$CI_COMMIT_BRANCH == \$CI_DEFAULT_BRANCH(?: && |$)/);
            assert.doesNotMatch(JSON.stringify(job), /MERGE_REQUEST/);
        }
    });
});
