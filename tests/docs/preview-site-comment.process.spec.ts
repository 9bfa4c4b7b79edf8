import assert from "node:assert/strict";
import { join } from "node:path";
import { markerOf } from "../../cli/src/comment/write-comment.js";
import { GithubServer } from "../cli/comment/support/github-server.js";
import { startCommand } from "../e2e/support/run-command.js";
import { root } from "./support/documents.js";

const script = join(root, "examples", "preview-site", "comment-preview.mjs");
const report = `${markerOf({ project: "docs", stack: "production", folder: "" })}\nA mandatory rule is broken.`;

describe("the comment of examples/preview-site", function () {
    this.timeout(30_000);
    let github: GithubServer;

    beforeEach(async () => {
        github = await new GithubServer().start();
    });
    afterEach(() => github.stop());

    async function comment(
        preview: string,
        token = github.token,
    ): Promise<{ exitCode: number | null; output: string }> {
        return startCommand(process.execPath, [script, "5", preview, "https://github.com/octo/docs/actions/runs/1"], {
            cwd: root,
            env: { ...process.env, GITHUB_API_URL: github.url, GITHUB_REPOSITORY: "octo/docs", GITHUB_TOKEN: token },
        }).result;
    }

    it("is created next to the report of the pull request check, and does not change the report", async () => {
        const { body } = github.add(report);
        assert.equal((await comment("https://pr-5.previews.example.com/")).exitCode, 0);
        assert.equal(github.comments.length, 2);
        assert.equal(github.comments[0]?.body, body);
        assert.match(github.comments[1]?.body ?? "", /https:\/\/pr-5\.previews\.example\.com\/ /);
    });

    it("is updated even if the report was written later", async () => {
        await comment("https://first.example.com/");
        github.add(report);
        await comment("https://second.example.com/");
        assert.deepEqual(
            github.comments.map(({ body }) => /second|mandatory/.exec(body)?.[0]),
            ["second", "mandatory"],
        );
    });

    it("is found even after a hundred other comments", async () => {
        Array.from({ length: 150 }, (_, index) => github.add(`Comment ${index}`));
        await comment("https://first.example.com/");
        await comment("https://second.example.com/");
        assert.equal(github.comments.length, 151);
    });

    it("is not confused with a person's comment that quotes the marker", async () => {
        await comment("https://first.example.com/");
        const quoted = github.comments[0]?.body ?? "";
        github.comments.length = 0;
        github.add(quoted, 99);
        await comment("https://second.example.com/");
        assert.equal(github.comments.length, 2);
        assert.equal(github.comments[0]?.body, quoted);
    });

    it("is not written if GitHub refuses the token, and the output contains GitHub's status but no token", async () => {
        const { exitCode, output } = await comment("https://first.example.com/", "wrong_token");
        assert.equal(exitCode, 1);
        assert.match(output, /GitHub answered 401 \(GET 5\/comments/);
        assert.doesNotMatch(output, /wrong_token/);
    });
});
