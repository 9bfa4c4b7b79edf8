import assert from "node:assert/strict";
import { json, type Reply, withServer } from "../sdk/support/http-server.js";
import { type Outcome, run, withFolder } from "./support/command.js";

const sha = "4f2a9c10aaaabbbbccccddddeeeeffff00001111";
const started = json(202, { statusId: "du_42" });
const published = {
    status: "success",
    summary: "published",
    logs: ["a.md:1: dead link"],
    commit: { sha, ref: "main" },
};

interface Ran extends Outcome {
    /** The method and path of every request. */
    requests: string[];
}

async function update(args: readonly string[], replies: readonly Reply[]): Promise<Ran> {
    let ran: Ran | undefined;
    await withFolder((folder) =>
        withServer(replies, async ({ baseUrl, requests }) => {
            const outcome = await run(folder, ["update", "docs", ...args], {
                STATIC_EXPORT_BASE_URL: baseUrl,
                STATIC_EXPORT_ADMIN_API_KEY: "admin_5ecret",
            });
            ran = { ...outcome, requests: requests.map(({ method, url }) => `${method} ${url}`) };
        }),
    );
    assert.ok(ran);
    assert.doesNotMatch(ran.stdout + ran.stderr, /5ecret/);
    return ran;
}

describe("static-export update", () => {
    it("starts an update and prints its id without waiting", async () => {
        const { exitCode, stdout, requests } = await update([], [started]);
        assert.deepEqual([exitCode, requests], [0, ["POST /v1/project/update/docs"]]);
        assert.match(stdout, /^update +du_42$/m);
    });

    it("waits for the update to end, and prints the commit and the log", async () => {
        const { exitCode, stdout } = await update(["--wait"], [started, json(200, published)]);
        assert.equal(exitCode, 0);
        assert.match(stdout, new RegExp(`^commit +${sha}$`, "m"));
        assert.match(stdout, /^log: a\.md:1: dead link$/m);
    });

    it("waits for an update that was started earlier, and starts no new update", async () => {
        const { exitCode, stdout, requests } = await update(["--status", "du_7", "--json"], [json(200, published)]);
        assert.deepEqual([exitCode, requests], [0, ["GET /v1/project/update-status/du_7"]]);
        assert.equal((JSON.parse(stdout) as { commit: { sha: string } }).commit.sha, sha);
    });

    it("accepts the published commit's short id; for another commit, exits with 1 and prints both ids", async () => {
        const replies = [started, json(200, published)];
        assert.equal((await update(["--commit", "4F2A9C1"], replies)).exitCode, 0);
        const { exitCode, stderr } = await update(["--commit", "1234567"], replies);
        assert.equal(exitCode, 1);
        assert.match(stderr, new RegExp(`published commit ${sha}, not 1234567`));
    });

    it("prints the platform's summary, with exit code 1, if a commit is expected and none was published", async () => {
        const summary = "The build skips this commit (exit code 183): the site stays as it is.";
        const skipped = [started, json(200, { status: "success", summary })];
        const { exitCode, stderr } = await update(["--commit", "1234567"], skipped);
        assert.equal(exitCode, 1);
        assert.match(stderr, /reports no commit, so not 1234567: The build skips this commit .* stays as it is\.$/m);
        assert.doesNotMatch(stderr, /Push that commit/);
        assert.equal((await update(["--wait"], skipped)).exitCode, 0);
    });

    it("starts a preview of a branch, waits for it, and prints its address", async () => {
        const replies = [
            json(202, { statusId: "du_8", previewUrl: "https://draft.previews.example.com/" }),
            json(200, published),
        ];
        const { exitCode, stdout, requests } = await update(["--preview", "draft", "--wait"], replies);
        assert.deepEqual([exitCode, requests[0]], [0, "POST /v1/project/preview/docs"]);
        assert.match(stdout, /^preview +https:\/\/draft\.previews\.example\.com\/$/m);
        assert.match(stdout, new RegExp(`^commit +${sha}$`, "m"));
    });

    it("exits with 1 and reports the reason if the update failed", async () => {
        const failed = json(200, { status: "failure", summary: "the site does not build", logs: ["no index"] });
        const { exitCode, stderr } = await update(["--wait"], [started, failed]);
        assert.equal(exitCode, 1);
        assert.match(stderr, /du_42 of project docs failed: the site does not build; last log lines: no index/);
    });

    it("exits with 3 after the timeout, and explains how to resume waiting", async () => {
        const running = json(200, { status: "in_progress" });
        const { exitCode, stderr } = await update(["--wait", "--timeout-seconds", "1"], [started, running]);
        assert.equal(exitCode, 3);
        assert.match(stderr, /Wait for the update with: static-export update docs --status du_42/);
    });

    it("exits with 5 for an unknown project, and with 2 for an invalid commit", async () => {
        const unknown = json(404, { error: "There is no project docs. It can update: app." });
        const { exitCode, stderr } = await update([], [unknown]);
        assert.equal(exitCode, 5);
        assert.match(stderr, /There is no project docs\. It can update: app\./);
        assert.equal((await update(["--commit", "main"], [])).exitCode, 2);
    });
});
