import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { GithubServer } from "../../cli/comment/support/github-server.js";
import { adminApiKey } from "../support/platform.js";
import { DeployedRepository } from "./support/deployed-repository.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

interface Action {
    inputs: Record<string, { default?: string }>;
    runs: {
        steps: {
            id?: string;
            if?: string;
            run?: string;
            with?: Record<string, string>;
            env?: Record<string, string>;
            "working-directory"?: string;
        }[];
    };
}

/** Runs the steps of action.yml as GitHub does. Replaces the scripts' `npm` and `gh`, and the upload of artifacts. */
describe("action.yml, with a bare git remote,", function () {
    this.timeout(600_000);
    let repository: DeployedRepository;
    let github: GithubServer;

    before(async () => {
        repository = await DeployedRepository.create();
        github = await new GithubServer().start();
        // The branch has the pull requests 4 and 5, to different branches. The run has the artifacts in that list.
        await repository.addProgram(
            "gh",
            `case "$*" in
*/zip) cat '${repository.folder}/events.zip' ;;
*/artifacts*) grep -qxF "$ARTIFACT" '${repository.folder}/artifacts' && echo 7 || true ;;
*/pulls*) [[ "$*" == *"[0]"* ]] && echo 4 || echo 4 5 ;;
esac`,
        );
    });

    after(async () => {
        await repository?.remove();
        await github?.stop();
    });

    /** Starts a job, which has one temporary folder for all uses of the action. */
    const startJob = () => mkdtemp(join(repository.folder, "runner-"));

    interface Use {
        readonly env?: NodeJS.ProcessEnv;
        readonly job?: string;
        readonly values?: Record<string, string>;
    }

    /** Runs the steps of one kind in a checkout. */
    async function runAction(step: "redact" | "preview" | "comment", checkout: string, use: Use = {}) {
        const temp = use.job ?? (await startJob());
        await rm(join(temp, "output"), { force: true });
        const action = parse(await readFile(join(root, "action.yml"), "utf8")) as Action;
        const values: Record<string, string> = {
            "inputs.step": step,
            "inputs.stack": "dev",
            "inputs.folder": action.inputs["folder"]?.default ?? "",
            "inputs.project": "e2e",
            "inputs.policy-pack": join(root, "policy", "bin", "policy-pack.mjs"),
            "inputs.install": "true",
            "inputs.package": "",
            // In a job with a container, these paths of the host do not exist.
            "runner.temp": "/home/runner/work/_temp",
            "github.token": github.token,
            "github.action_repository": "octo/pulumi-static-export",
            "github.action_path": "/home/runner/work/_actions/octo/pulumi-static-export/v0",
            "github.event.pull_request.number": "5",
            "github.event.workflow_run.id": "9",
            "github.event.workflow_run.head_repository.owner.login": "octo",
            "github.event.workflow_run.head_branch": "$(touch injected)",
            "github.event.workflow_run.head_sha": "0123456789abcdef",
            ...use.values,
        };
        const valueOf = (name: string) => {
            assert.ok(name in values, `${name} has no value`);
            return values[name]!;
        };
        const evaluate = (text: string) => text.replace(/\$\{\{ (.*?) \}\}/g, (_, name: string) => valueOf(name));
        let output = "";
        let exitCode = 0;
        const uploaded: Record<string, string> = {};
        /** Covers the forms of conditions in the file. */
        const isMet = (condition: string) =>
            (exitCode === 0 || condition.includes("!cancelled()")) &&
            condition.split(" && ").every((part) => {
                const [, name = "", expected = ""] = /^(\S+) == '(.*)'$/.exec(part) ?? [];
                return name === "" ? part.includes("(") || Boolean(values[part]) : valueOf(name) === expected;
            });
        for (const { id, if: condition = "success()", ...each } of action.runs.steps) {
            const { run, with: inputs = {}, env: own = {}, "working-directory": folder = "." } = each;
            if (!isMet(condition)) {
                continue;
            }
            if (run === undefined) {
                const path = evaluate(inputs["path"] ?? "");
                const text = await readFile(path, "utf8").catch(() => undefined);
                if (text !== undefined) {
                    uploaded[evaluate(inputs["name"] ?? "")] = path;
                }
                continue;
            }
            assert.doesNotMatch(run, /\$\{\{/, "a script contains an expression");
            const added = await readFile(join(temp, "path"), "utf8").catch(() => "");
            const cwd = evaluate(folder);
            const variables = {
                RUNNER_TEMP: temp,
                GITHUB_ACTION_PATH: root,
                GITHUB_PATH: join(temp, "path"),
                GITHUB_OUTPUT: join(temp, "output"),
                GITHUB_STEP_SUMMARY: join(temp, "summary.md"),
                GITHUB_API_URL: github.url,
                GITHUB_REPOSITORY: "octo/docs",
                ...use.env,
                ...Object.fromEntries(Object.entries(own).map(([name, text]) => [name, evaluate(text)])),
            };
            const place = isAbsolute(cwd) ? cwd : join(checkout, cwd);
            const path = added.trim().split("\n").reverse().join(delimiter);
            const result = await repository.run(run, place, variables, path);
            output += result.output;
            exitCode ||= result.exitCode ?? 1;
            const outputs = await readFile(join(temp, "output"), "utf8").catch(() => "");
            for (const [, name, value = ""] of id === undefined ? [] : outputs.matchAll(/^(\w+)=(.*)$/gm)) {
                values[`steps.${id}.outputs.${name}`] = value;
            }
        }
        return { exitCode, output, temp, uploaded };
    }

    it("reports the first step if there is no redacted stack yet", async () => {
        const { exitCode, output } = await runAction("preview", await repository.clone("pull-request"));
        assert.equal(exitCode, 1, output);
        assert.match(output, /::error::There is no redacted stack dev yet: run this action after a deployment/);
    });

    it("distinguishes a redacted stack that git cannot read from one that does not exist", async () => {
        const checkout = await repository.clone("pull-request");
        repository.git(checkout, "remote", "set-url", "origin", join(repository.folder, "no-such-remote"));
        const { exitCode, output } = await runAction("preview", checkout);
        assert.equal(exitCode, 1, output);
        assert.match(output, /does not appear to be a git repository/);
        assert.match(output, /::error::git could not read the redacted stack dev, for the reason above\./);
        assert.doesNotMatch(output, /There is no redacted stack/);
    });

    it("works in a job with a container, whose checkout belongs to another user", async () => {
        const env = { ...repository.secrets, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" };
        const redacted = await runAction("redact", await repository.clone("main"), { env });
        assert.equal(redacted.exitCode, 0, redacted.output);
        const { exitCode, output } = await runAction("preview", await repository.clone("pull-request"), { env });
        assert.equal(exitCode, 0, output);
    });

    it("always writes the redacted stack as the only commit of a branch", async () => {
        const checkout = await repository.clone("main");
        for (let time = 0; time < 2; time += 1) {
            const { exitCode, output } = await runAction("redact", checkout, { env: repository.secrets });
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
        const { exitCode, output, temp, uploaded } = await runAction("preview", checkout);
        assert.equal(exitCode, 0, output);
        assert.match(await readFile(join(temp, "summary.md"), "utf8"), /1 export runs/);
        assert.equal(repository.git(checkout, "status", "--porcelain"), "");
        assert.deepEqual(repository.platform.requests, []);

        const zip = join(repository.folder, "events.zip");
        const [[artifact = "", events = ""] = []] = Object.entries(uploaded);
        await writeFile(join(repository.folder, "artifacts"), `${artifact}\n`);
        execFileSync("python3", ["-m", "zipfile", "-c", zip, basename(events)], { cwd: dirname(events) });
        const empty = await mkdtemp(join(repository.folder, "empty-"));
        const commented = await runAction("comment", empty);
        assert.equal(commented.exitCode, 0, commented.output);
        assert.deepEqual(
            github.comments.map(({ body }) => /1 export runs/.test(body)),
            [true],
        );
        assert.deepEqual(await readdir(empty), []);
    });

    it("comments on no other pull request of the branch if the checked one was closed", async () => {
        const before = [...github.comments];
        await writeFile(join(repository.folder, "artifacts"), "preview-events-dev-3\n");
        const { exitCode, output } = await runAction("comment", await mkdtemp(join(repository.folder, "empty-")));
        assert.equal(exitCode, 0, output);
        assert.match(output, /The pull request was closed or has a newer commit, or its check wrote no events/);
        assert.deepEqual(github.comments, before);
    });

    it("uploads nothing of an earlier use in the same job if a later use fails", async () => {
        const job = await startJob();
        const checkout = await repository.clone("pull-request");
        const first = await runAction("preview", checkout, { job });
        assert.deepEqual([first.exitCode, Object.keys(first.uploaded)], [0, ["preview-events-dev-5"]], first.output);
        const second = await runAction("preview", checkout, { job, values: { "inputs.stack": "production" } });
        assert.deepEqual([second.exitCode, second.uploaded], [1, {}], second.output);
    });
});
