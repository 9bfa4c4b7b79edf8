import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { GithubServer } from "../../cli/comment/support/github-server.js";
import { type RestServer } from "../../cli/comment/support/rest-server.js";
import { assertGolden, commit } from "../../cli/preview/support/golden.js";
import { itInLong } from "../../scale.js";
import { type RunningCommand } from "../support/run-command.js";
import { PreviewStack, programOf } from "./support/preview-stack.js";

const bin = fileURLToPath(new URL("../../../cli/bin/static-export.js", import.meta.url));
const policyPack = fileURLToPath(new URL("../../../policy/bin/policy-pack.mjs", import.meta.url));
const withoutJob = { GITHUB_STEP_SUMMARY: "", GITHUB_EVENT_PATH: "", GITHUB_SHA: "", GITLAB_CI: "" };

describe("static-export preview on the real engine", () => {
    let preview: PreviewStack;
    let server: RestServer | undefined;

    before(async () => {
        preview = await PreviewStack.create();
    });
    afterEach(async () => {
        await server?.stop();
        server = undefined;
    });
    after(() => preview.remove());

    function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): RunningCommand {
        const all = [bin, "preview", "--stack", "dev", "--commit", commit, ...args];
        return preview.stack.startOther(process.execPath, all, { ...withoutJob, ...env });
    }

    async function onGithub(): Promise<[RestServer, NodeJS.ProcessEnv]> {
        server = await new GithubServer().start();
        const env = { GITHUB_API_URL: server.url, GITHUB_REPOSITORY: "octo/docs", GITHUB_TOKEN: server.token };
        return [server, env];
    }

    it("writes the report to standard output, and Pulumi's output to standard error", async () => {
        await preview.write(programOf({ bundle: 'version: "2"' }));
        const { exitCode, stdout, output } = await start([]).result;
        assert.equal(exitCode, 0, output);
        assert.match(stdout, /^### ✅ 1 export runs, 1 release rolls out\n/);
        assert.doesNotMatch(stdout, /Previewing update/);
        assert.match(output, /Previewing update \(dev\)/);
        assert.match(output, /^e2e\/dev: 1 export runs, 1 release rolls out\.$/m);
        assert.match(stdout, /Preview of `e2e\/dev` \(`\.e2e\/stack-\w+`\), commit `0123456789`/);
        assert.deepEqual(preview.platform.requests, []);
    });

    itInLong("updates the same comment after a change, a broken rule, a failure and a recovery", async () => {
        const [github, env] = await onGithub();
        const comment = async (program: string): Promise<[number | null, string]> => {
            await preview.write(program);
            const args = ["--comment", "github", "--pull-request", "5", "--policy-pack", policyPack];
            const { exitCode } = await start(args, env).result;
            assert.ok(github.comments.length <= 1);
            return [exitCode, github.comments[0]?.body ?? ""];
        };
        assert.deepEqual(await comment(programOf()), [0, ""]);
        const [changed, change] = await comment(programOf({ bundle: 'version: "2"' }));
        assert.equal(changed, 0);
        assert.match(change, /^<!-- static-export-preview [0-9a-f]{32} -->\n### ✅ 1 export runs/);
        assert.match(change, /commit `0123456789`/);
        const [broken, violation] = await comment(programOf().replace("enabled: true", "enabled: false"));
        assert.equal(broken, 1);
        assert.match(violation, /### ❌ 1 mandatory rule is broken; 1 site is taken down/);
        assert.match(violation, /\| ❌ \*\*mandatory\*\* `high` \| `release-link-enabled` \| `docs` \| `Release /);
        const [failed, failure] = await comment("throw new Error('boom');");
        assert.equal(failed, 1);
        assert.match(failure, /### ❌ The preview failed with 1 error[^]*Error: boom/);
        const [reverted, nothing] = await comment(programOf());
        assert.equal(reverted, 0);
        assert.match(nothing, /-->\n✅ \*\*Nothing changes/);
        assert.doesNotMatch(nothing, /boom/);
    });

    it("stops deletions in protected stacks, which policy packs cannot detect, and keeps the event log", async () => {
        await preview.write("export const nothing = true;");
        const args = ["--protected-stack", "de*", "--deletions", "mandatory", "--policy-pack", policyPack];
        const events = join(preview.stack.folder, "kept.log");
        const { exitCode, stdout, output } = await start([...args, "--events", events]).result;
        assert.equal(exitCode, 1, output);
        assert.match(stdout, /### ❌ 2 mandatory rules are broken; 2 resources are deleted/);
        assert.match(stdout, /`no-deletion` \| `docs` \| `This release is uninstalled in a protected stack/);
        const report = [bin, "preview-report", events, "--commit", commit];
        const later = await preview.stack.startOther(process.execPath, report, withoutJob).result;
        assert.equal(later.exitCode, 0);
        assert.match(later.stdout, /### ⚠️ 2 resources are deleted/);
    });

    itInLong("reports why Pulumi failed before the program ran", async () => {
        const project = join(preview.stack.folder, "Pulumi.yaml");
        const whole = await readFile(project, "utf8");
        await writeFile(project, "name: e2e\nruntime: nodejs\nruntime: [nodejs\n");
        try {
            const { exitCode, stdout } = await start(["--folder", "infra"]).result;
            assert.equal(exitCode, 1);
            await assertGolden("before-the-program", stdout.replaceAll(preview.stack.folder, "/program"));
        } finally {
            await writeFile(project, whole);
        }
    });

    itInLong("hides the token from the program, and fails to start without a token or a stack", async () => {
        const [, env] = await onGithub();
        await preview.write('console.log("has", String(process.env.GITHUB_TOKEN), process.env.HOME);');
        const args = ["--comment", "github", "--pull-request", "5"];
        assert.match((await start(args, env).result).output, /has undefined \//);
        const without = await start(args, { ...env, GITHUB_TOKEN: "" }).result;
        assert.equal(without.exitCode, 2);
        assert.match(without.output, /^error: The environment variable GITHUB_TOKEN is missing/);
        const noStack = [bin, "preview", "--comment", "github"];
        const unnamed = await preview.stack.startOther(process.execPath, noStack, env).result;
        assert.deepEqual([unnamed.exitCode, /--comment needs --stack/.test(unnamed.output)], [2, true]);
    });

    itInLong("reports a missing pulumi command and a missing folder", async () => {
        const { exitCode, output } = await start([], { PATH: "/nonexistent" }).result;
        assert.equal(exitCode, 2);
        assert.match(output, /^error: pulumi is not on the PATH: install Pulumi/);
        assert.match((await start(["--cwd", "missing"]).result).output, /^error: There is no folder missing\./);
    });

    itInLong("stops Pulumi cleanly on Ctrl-C, without a report, comment or leftover file", async () => {
        const [github, env] = await onGithub();
        await preview.write('console.log("running"); setTimeout(() => undefined, 600_000);');
        const TMPDIR = join(preview.stack.folder, "tmp");
        await mkdir(TMPDIR);
        const running = start(["--comment", "github", "--pull-request", "5"], { ...env, TMPDIR });
        await running.seen(/running/);
        running.child.kill("SIGINT");
        await running.seen(/cancel|terminate/i).then(
            () => running.child.kill("SIGINT"),
            () => undefined,
        );
        const { exitCode, stdout, output } = await running.result;
        // A Ctrl-C that comes while Node.js already exits ends it as a signal does.
        assert.deepEqual([exitCode ?? 130, stdout], [130, ""]);
        assert.match(output, /The preview was interrupted: there is no report/);
        assert.deepEqual(github.requests, []);
        const left = (await readdir(TMPDIR)).filter((name) => name.startsWith("static-export-preview-"));
        assert.deepEqual(left, []);
        assert.equal(existsSync(join(preview.stack.folder, "events.jsonl")), false);
    });
});
