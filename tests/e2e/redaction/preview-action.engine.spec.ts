import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { GithubServer } from "../../cli/comment/support/github-server.js";
import { adminApiKey } from "../support/platform.js";
import { DeployedRepository } from "./support/deployed-repository.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

interface Action {
    inputs: Record<string, { default?: string }>;
    runs: {
        steps: { if?: string; run?: string; env?: Record<string, string>; "working-directory"?: string }[];
    };
}

/** Runs the scripts of action.yml as GitHub does. Replaces the scripts' `npm` and `gh`. */
describe("action.yml, with a bare git remote,", function () {
    this.timeout(600_000);
    let repository: DeployedRepository;
    let github: GithubServer;

    before(async () => {
        repository = await DeployedRepository.create();
        github = await new GithubServer().start();
        await repository.addProgram(
            "gh",
            `case "$*" in
*/zip) cat '${repository.folder}/events.zip' ;;
*/artifacts*) echo 7 ;;
*/pulls*) echo 5 ;;
esac`,
        );
    });

    after(async () => {
        await repository?.remove();
        await github?.stop();
    });

    /** Runs the steps of one kind in a checkout. */
    async function runAction(step: "redact" | "preview" | "comment", checkout: string, env: NodeJS.ProcessEnv = {}) {
        const temp = await mkdtemp(join(repository.folder, "runner-"));
        const action = parse(await readFile(join(root, "action.yml"), "utf8")) as Action;
        const values: Record<string, string> = {
            "inputs.stack": "dev",
            "inputs.folder": action.inputs["folder"]?.default ?? "",
            "inputs.project": "e2e",
            "inputs.policy-pack": join(root, "policy", "bin", "policy-pack.mjs"),
            "inputs.install": "true",
            "inputs.package": "",
            "runner.temp": temp,
            "github.token": github.token,
            "github.action_repository": "octo/pulumi-static-export",
            "github.action_path": root,
            "github.event.workflow_run.id": "9",
            "github.event.workflow_run.head_repository.owner.login": "octo",
            "github.event.workflow_run.head_branch": "$(touch injected)",
            "github.event.workflow_run.head_sha": "0123456789abcdef",
        };
        const evaluate = (text: string) =>
            text.replace(/\$\{\{ (.*?) \}\}/g, (_, name: string) => {
                assert.ok(name in values, `${name} has no value`);
                return values[name]!;
            });
        let output = "";
        for (const { if: condition = step, run, env: own = {}, "working-directory": folder = "." } of action.runs
            .steps) {
            if (run === undefined || !condition.includes(step)) {
                continue;
            }
            assert.doesNotMatch(run, /\$\{\{/, "a script contains an expression");
            const added = await readFile(join(temp, "path"), "utf8").catch(() => "");
            const cwd = evaluate(folder);
            const variables = {
                RUNNER_TEMP: temp,
                GITHUB_PATH: join(temp, "path"),
                GITHUB_OUTPUT: join(temp, "output"),
                GITHUB_STEP_SUMMARY: join(temp, "summary.md"),
                GITHUB_API_URL: github.url,
                GITHUB_REPOSITORY: "octo/docs",
                ...env,
                ...Object.fromEntries(Object.entries(own).map(([name, text]) => [name, evaluate(text)])),
            };
            const place = isAbsolute(cwd) ? cwd : join(checkout, cwd);
            const result = await repository.run(run, place, variables, added.trim());
            output += result.output;
            if (result.exitCode !== 0) {
                return { exitCode: result.exitCode, output, temp };
            }
        }
        return { exitCode: 0, output, temp };
    }

    it("reports the first step if there is no redacted stack yet", async () => {
        const { exitCode, output } = await runAction("preview", await repository.clone("pull-request"));
        assert.equal(exitCode, 1, output);
        assert.match(output, /::error::There is no redacted stack dev yet: run this action after a deployment/);
    });

    it("always writes the redacted stack as the only commit of a branch", async () => {
        const checkout = await repository.clone("main");
        for (let time = 0; time < 2; time += 1) {
            const { exitCode, output } = await runAction("redact", checkout, repository.secrets);
            assert.equal(exitCode, 0, output);
        }
        const branch = "static-export/redacted/dev";
        const inRemote = (...args: string[]) => repository.git(repository.remote, ...args);
        assert.equal(inRemote("rev-list", "--count", branch), "1\n");
        const files = ["Pulumi.dev.yaml", "config-placeholders.json", "state.json"];
        assert.deepEqual(inRemote("ls-tree", "--name-only", branch).trim().split("\n"), files);
        for (const file of files) {
            assert.doesNotMatch(inRemote("show", `${branch}:${file}`), new RegExp(adminApiKey));
        }
        assert.equal(repository.git(checkout, "status", "--porcelain"), "");
        assert.match(
            await readFile(join(repository.folder, "npm-arguments"), "utf8"),
            /^install --prefix command --ignore-scripts .* @octo\/static-export-cli@\d+\.\d+\.\d+\n$/,
        );
    });

    it("previews a pull request without a secret, and comments using only the events", async () => {
        const checkout = await repository.clone("pull-request");
        const { exitCode, output, temp } = await runAction("preview", checkout);
        assert.equal(exitCode, 0, output);
        assert.match(await readFile(join(temp, "summary.md"), "utf8"), /1 export runs/);
        assert.equal(repository.git(checkout, "status", "--porcelain"), "");
        assert.deepEqual(repository.platform.requests, []);

        const zip = join(repository.folder, "events.zip");
        execFileSync("python3", ["-m", "zipfile", "-c", zip, "events.log"], { cwd: temp });
        const empty = await mkdtemp(join(repository.folder, "empty-"));
        const commented = await runAction("comment", empty);
        assert.equal(commented.exitCode, 0, commented.output);
        assert.deepEqual(
            github.comments.map(({ body }) => /1 export runs/.test(body)),
            [true],
        );
        assert.deepEqual(await readdir(empty), []);
    });
});
