import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { json, type Reply, withServer } from "../sdk/support/http-server.js";
import { type Outcome, run, withFolder } from "./support/command.js";

const job = {
    id: "aj_7",
    status: "active",
    source: { repository: "https://git.example.com/docs", ref: "agent/aj_7" },
    model: "m",
    prLink: null,
    createdAt: "2026-11-20T12:00:00Z",
    archivedAt: null,
};
const ended = (status: string) => json(200, { ...job, status });

interface Ran extends Outcome {
    /** The method, path and body of every request. */
    requests: string[];
}

/** Runs `static-export agent-job` against prepared responses, in a folder with a file `prompt.txt`. */
async function agentJob(
    args: readonly string[],
    replies: readonly Reply[],
    env: Record<string, string> = {},
): Promise<Ran> {
    let ran: Ran | undefined;
    await withFolder(async (folder) => {
        await writeFile(join(folder, "prompt.txt"), "From a file.\n");
        await writeFile(join(folder, "prompt-of-windows.txt"), "\uFEFFFrom a file.\r\n", "utf16le");
        await withServer(replies, async ({ baseUrl, requests }) => {
            const outcome = await run(folder, ["agent-job", ...args], {
                STATIC_EXPORT_BASE_URL: baseUrl,
                STATIC_EXPORT_ADMIN_API_KEY: "admin_5ecret",
                ...env,
            });
            ran = { ...outcome, requests: requests.map(({ method, url, body }) => `${method} ${url} ${body}`.trim()) };
        });
    });
    assert.ok(ran);
    assert.doesNotMatch(ran.stdout + ran.stderr, /5ecret/);
    return ran;
}

const project = ["--project", "docs"];

describe("static-export agent-job", () => {
    for (const [status, exitCode] of [
        ["completed", 0],
        ["failed", 1],
        ["archived", 4],
    ] as const) {
        it(`wait shows progress, and exits with ${exitCode} for a job that is ${status}`, async () => {
            const ran = await agentJob(["wait", "aj_7", ...project], [json(200, job), ended(status)]);
            assert.equal(ran.exitCode, exitCode);
            assert.match(ran.stderr, new RegExp(`aj_7: active .*\\naj_7: ${status} `));
            assert.match(ran.stdout, new RegExp(`^status +${status}$`, "m"));
        });
    }

    it("wait prints the end of a failed job's log, and log all of it", async () => {
        const text = Array.from({ length: 8 }, (_, index) => `line ${index + 1}\n`).join("");
        const log = json(200, { prompts: [], text, next: 48, isStored: true });
        const rest = json(200, { prompts: [], text: "", next: 48, isStored: true });
        const waited = await agentJob(["wait", "aj_7", ...project], [ended("failed"), log]);
        assert.equal(waited.exitCode, 1);
        assert.match(waited.stderr, /aj_7: line 4\naj_7: line 5\n(?:.*\n){3}See all of it with: .* aj_7$/m);
        assert.doesNotMatch(waited.stderr, /line 3/);
        const shown = await agentJob(["log", "aj_7", ...project], [log, rest]);
        assert.deepEqual([shown.exitCode, shown.stdout], [0, text]);
        assert.deepEqual(
            shown.requests.map((request) => request.split("?")[1]),
            ["from=0", "from=48"],
        );
    });

    it("log says where it may be if there is none, and exits with 1", async () => {
        const none = json(200, { prompts: [], text: "", next: 0, isStored: false });
        const { exitCode, stdout, stderr } = await agentJob(["log", "aj_7", ...project], [none]);
        assert.deepEqual([exitCode, stdout], [1, ""]);
        assert.match(stderr, /^The log of agent job aj_7 is not available: .* worker's data folder \(agent\/logs\)/);
    });

    it("list shows the jobs of all projects, the newest first", async () => {
        const record = { ...job, projectId: "docs", prompt: "Fix typos.", prLink: "https://git.example.com/7" };
        const { stdout, requests } = await agentJob(["list", "--status", "failed"], [json(200, { jobs: [record] })]);
        assert.match(stdout, /^JOB +STATUS .*\naj_7 +active +2026-11-20T12:00:00Z +docs +https:\S+7 +Fix typos\.\n$/);
        assert.deepEqual(requests, ["GET /v2/agent/jobs?status=failed&limit=20"]);
    });

    it("wait exits with 3 when it times out", async () => {
        const ran = await agentJob(["wait", "aj_7", ...project, "--timeout-seconds", "1"], [json(200, job)]);
        assert.equal(ran.exitCode, 3);
        assert.match(ran.stderr, /error: Agent job aj_7 of project docs was not done after 1 s/);
    });

    it("create sends the prompt, and prints the job as JSON without waiting for the job to end", async () => {
        const ran = await agentJob(["create", ...project, "--prompt", "Go.", "--json"], [json(201, job)]);
        assert.equal(ran.exitCode, 0);
        assert.deepEqual(JSON.parse(ran.stdout), job);
        assert.deepEqual(ran.requests, ['POST /v2/agent/docs/job {"prompt":"Go."}']);
    });

    for (const file of ["prompt.txt", "prompt-of-windows.txt"]) {
        it(`create reads the prompt from ${file}, and with --wait exits with the job's exit code`, async () => {
            const args = ["create", ...project, "--prompt-file", file, "--wait"];
            const ran = await agentJob(args, [json(201, job), ended("failed")]);
            assert.equal(ran.exitCode, 1);
            assert.equal(ran.requests[0], 'POST /v2/agent/docs/job {"prompt":"From a file.\\n"}');
        });
    }

    it("message continues a job, and does not mistake the previous result for the new result", async () => {
        const args = ["message", "aj_7", ...project, "--prompt", "More.", "--wait"];
        const replies = [json(200, job), ended("failed"), json(200, job), ended("completed")];
        const ran = await agentJob(args, replies);
        assert.equal(ran.exitCode, 0);
        assert.equal(ran.requests[0], 'POST /v2/agent/docs/job/aj_7/message {"prompt":"More."}');
    });

    it("show and archive exit with 0, regardless of the job's status", async () => {
        const shown = await agentJob(["show", "aj_7", ...project], [ended("failed")]);
        assert.deepEqual([shown.exitCode, shown.requests], [0, ["GET /v2/agent/docs/job/aj_7"]]);
        const archived = await agentJob(["archive", "aj_7", ...project], [ended("archived")]);
        assert.deepEqual([archived.exitCode, archived.requests], [0, ["POST /v2/agent/docs/job/aj_7/archive"]]);
    });

    for (const [what, args, env, message] of [
        ["no project", ["show", "aj_7"], {}, /required option '--project <id>' not specified/],
        ["no prompt", ["create", ...project], {}, /^error: Pass the prompt with --prompt or --prompt-file\.$/m],
        ["an empty prompt", ["create", ...project, "--prompt", ""], {}, /^error: The prompt is empty\.$/m],
        ["no key", ["show", "aj_7", ...project], { STATIC_EXPORT_ADMIN_API_KEY: "" }, /No admin API key is set/],
    ] as const) {
        it(`exits with 2 and sends nothing for ${what}`, async () => {
            const ran = await agentJob(args, [json(200, job)], env);
            assert.deepEqual([ran.exitCode, ran.requests], [2, []]);
            assert.match(ran.stderr, message);
        });
    }

    it("exits with 5 and reports the reason when the request fails", async () => {
        const ran = await agentJob(["show", "aj_7", ...project], [json(404, { error: "no such job" })]);
        assert.equal(ran.exitCode, 5);
        assert.match(ran.stderr, /^error: Agent job aj_7 of project docs: the server answered 404 Not Found/);
    });
});
