import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { markerOf } from "../../cli/src/comment/write-comment.js";
import { GithubServer } from "./comment/support/github-server.js";
import { run, withFolder } from "./support/command.js";

const fixture = (name: string): string => fileURLToPath(new URL(`preview/fixtures/${name}.jsonl`, import.meta.url));
const noSummary = { GITHUB_STEP_SUMMARY: "" };

describe("static-export preview-report", function () {
    // Starting processes takes seconds while other specs run.
    this.timeout(60_000);

    it("writes Markdown to standard output and one line to standard error, and exits with 0", async () => {
        await withFolder(async (folder) => {
            const { exitCode, stdout, stderr } = await run(folder, ["preview-report", fixture("version")], noSummary);
            assert.equal(exitCode, 0);
            assert.match(stdout, /^### ✅ 1 export runs, 1 release rolls out\n/);
            assert.equal(stderr, "e2e/dev: 1 export runs, 1 release rolls out.\n");
        });
    });

    it("exits with 1 for a deletion if --deletions is mandatory", async () => {
        await withFolder(async (folder) => {
            const ends = async (...args: string[]) =>
                (await run(folder, ["preview-report", fixture("delete"), ...args], noSummary)).exitCode;
            const here = ["--protected-stack", "staging", "--protected-stack", "dev"];
            assert.equal(await ends(...here), 0);
            assert.equal(await ends(...here, "--deletions", "mandatory"), 1);
            assert.equal(await ends("--deletions", "mandatory"), 0);
            assert.equal(await ends("--deletions", "never"), 2);
        });
    });

    it("exits with 1 and reports the failure if the preview failed", async () => {
        await withFolder(async (folder) => {
            const log = (await readFile(fixture("version"), "utf8")).replace('"succeeded"', '"failed"');
            await writeFile(join(folder, "events.log"), log);
            const { exitCode, stdout } = await run(folder, ["preview-report", "events.log"], noSummary);
            assert.equal(exitCode, 1);
            assert.match(stdout, /^### ❌ The preview failed/);
        });
    });

    it("exits with 1 and reports that the log ends before the preview", async () => {
        await withFolder(async (folder) => {
            const log = await readFile(fixture("version"), "utf8");
            await writeFile(join(folder, "events.log"), log.slice(0, log.length / 2));
            const { exitCode, stdout } = await run(folder, ["preview-report", "events.log"], noSummary);
            assert.equal(exitCode, 1);
            assert.match(stdout, /The log ends before the preview did/);
        });
    });

    it("writes JSON with the verdict, the exit code and every change", async () => {
        await withFolder(async (folder) => {
            const args = ["preview-report", fixture("domain"), "--json", "--commit", "abc"];
            const { stdout } = await run(folder, args, noSummary);
            const { verdict, exitCode, outcome, commit, exports } = JSON.parse(stdout) as Record<string, unknown>;
            assert.deepEqual([exitCode, outcome, commit], [0, "changes", "abc"]);
            assert.equal(verdict, "1 resource is replaced, 1 export runs, 1 release rolls out");
            const [first] = exports as { domain: object; reasons: string[] }[];
            assert.deepEqual(first?.domain, { from: "docs.example.com", to: "other.example.com" });
            assert.deepEqual(first?.reasons, ["the domain changes, so another site is exported"]);
        });
    });

    it("writes to a file, and to the GitHub job summary unless --no-step-summary is set", async () => {
        await withFolder(async (folder) => {
            const summary = join(folder, "summary.md");
            await writeFile(summary, "before\n");
            const args = ["preview-report", fixture("nothing"), "--out", "report.md"];
            const { stdout } = await run(folder, args, { GITHUB_STEP_SUMMARY: summary });
            const report = await readFile(join(folder, "report.md"), "utf8");
            assert.equal(stdout, "");
            assert.match(report, /^✅ \*\*Nothing changes/);
            assert.equal(await readFile(summary, "utf8"), `before\n${report}`);
            await run(folder, [...args, "--no-step-summary"], { GITHUB_STEP_SUMMARY: summary });
            assert.equal(await readFile(summary, "utf8"), `before\n${report}`);
        });
    });

    it("warns instead of growing a job summary beyond the size that GitHub accepts", async () => {
        await withFolder(async (folder) => {
            const summary = join(folder, "summary.md");
            const full = "x".repeat(1024 * 1024 - 100);
            await writeFile(summary, full);
            const args = ["preview-report", fixture("nothing"), "--out", "report.md"];
            const { stderr } = await run(folder, args, { GITHUB_STEP_SUMMARY: summary });
            assert.match(stderr, /warning: the job summary has no space for the report/);
            assert.equal(await readFile(summary, "utf8"), full);
        });
    });

    it("writes one comment for a preview from another job, and exits with 2 if it may not comment", async () => {
        const server = await new GithubServer().start();
        const env = {
            ...noSummary,
            GITHUB_API_URL: server.url,
            GITHUB_REPOSITORY: "octo/docs",
            GITHUB_TOKEN: server.token,
        };
        try {
            await withFolder(async (folder) => {
                const args = [
                    "--comment",
                    "github",
                    "--pull-request",
                    "5",
                    "--project",
                    "docs",
                    "--stack",
                    "production",
                ];
                const first = await run(folder, ["preview-report", fixture("version"), ...args], env);
                assert.match(first.stderr, /^docs\/production: 1 export runs.*\nA comment was created\.\n$/);
                const second = await run(folder, ["preview-report", fixture("nothing"), ...args], env);
                assert.match(second.stderr, /The comment was updated\.\n$/);
                server.faults.push({ method: "PATCH", status: 403, body: { message: "Resource not accessible" } });
                const refused = await run(folder, ["preview-report", fixture("version"), ...args], env);
                assert.equal(refused.exitCode, 2);
                assert.match(refused.stdout, /^### ✅ 1 export runs/);
                assert.match(
                    refused.stderr,
                    /error: No comment was written\. GitHub answered 403 .*pull-requests: write/,
                );
                const marker = markerOf({ project: "docs", stack: "production", folder: "" });
                assert.deepEqual(
                    server.comments.map(({ body }) => body.split("\n", 1)[0]),
                    [marker],
                );
            });
        } finally {
            await server.stop();
        }
    });

    it("does not load the service", async () => {
        await withFolder(async (folder) => {
            const env = { ...noSummary, NODE_DEBUG: "module" };
            const { exitCode, stderr } = await run(folder, ["preview-report", fixture("nothing")], env);
            assert.equal(exitCode, 0);
            assert.doesNotMatch(stderr, /node_modules.fastify/);
        });
    });
});

describe("static-export preview-report exits with 2 and suggests a fix for", function () {
    // Starting processes takes seconds while other specs run.
    this.timeout(60_000);

    const digest = '{\n    "config": {},\n    "steps": [],\n    "changeSummary": {}\n}\n';
    const refused: [string, string | undefined, RegExp][] = [
        ["the output of preview --json", digest, /omits every policy result and every cause of a failure/],
        ["the same on one line", JSON.stringify(JSON.parse(digest)), /omits every policy result/],
        ["a text", "Previewing update (dev)\n", /is not an event log of Pulumi: line 1 is not an engine event/],
        ["a line that is no event among events", '{"sequence":0,"timestamp":1}\n[]\n{}\n', /line 2 is not/],
        ["a file that is missing", undefined, /cannot be read \(ENOENT\)/],
    ];
    for (const [what, content, message] of refused) {
        it(what, async () => {
            await withFolder(async (folder) => {
                if (content !== undefined) {
                    await writeFile(join(folder, "events.log"), content);
                }
                const { exitCode, stdout, stderr } = await run(folder, ["preview-report", "events.log"], noSummary);
                assert.equal(exitCode, 2);
                assert.equal(stdout, "");
                assert.match(stderr, message);
                assert.match(stderr, /^error: [^\n]*PULUMI_DEBUG_COMMANDS=1 pulumi preview --event-log events\.log/);
            });
        });
    }

    it("a report that cannot be written", async () => {
        await withFolder(async (folder) => {
            const args = ["preview-report", fixture("nothing"), "--out", "missing/report.md"];
            const { exitCode, stderr } = await run(folder, args, noSummary);
            assert.equal(exitCode, 2);
            assert.match(stderr, /^error: The report cannot be written to missing\/report\.md/);
        });
    });

    it("a file that is not a log, and unknown options", async () => {
        await withFolder(async (folder) => {
            for (const args of [[], [fixture("nothing"), "--jsn"]]) {
                const { exitCode, stderr } = await run(folder, ["preview-report", ...args], noSummary);
                assert.equal(exitCode, 2);
                assert.match(stderr, /^error: /);
            }
        });
    });
});
