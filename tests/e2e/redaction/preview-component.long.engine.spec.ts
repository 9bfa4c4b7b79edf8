import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ComponentJob, readComponent } from "../../docs/support/gitlab-component.js";
import { DeployedRepository } from "./support/deployed-repository.js";

/** Runs the scripts of templates/preview.yml as GitLab does. Replaces the scripts' `npm` and `curl`. */
describe("the GitLab component, with a bare git remote,", function () {
    this.timeout(600_000);
    let repository: DeployedRepository;
    let jobs: Record<string, ComponentJob>;

    before(async () => {
        repository = await DeployedRepository.create();
        jobs = readComponent({ stack: "dev", install: "true" }).jobs;
        // The default image is that of Node.js without Python.
        await repository.addProgram("python3", "exit 127");
        await repository.addProgram(
            "curl",
            `echo "$*" > '${repository.folder}/curl-arguments'
while [ "$1" != --output ]; do shift; done
case "$3" in
*/jobs/artifacts/main/download?job=redact-dev) cp '${repository.folder}/redacted.zip' "$2" ;;
*) exit 22 ;;
esac`,
        );
    });

    after(() => repository?.remove());

    async function runJob(name: string, checkout: string, env: Record<string, string> = {}) {
        const { script = [], variables = {} } = jobs[name] ?? {};
        const { exitCode, output } = await repository.run(script.join("\n"), checkout, {
            ...{ CI_API_V4_URL: "https://gitlab.example.com/api/v4", CI_DEFAULT_BRANCH: "main" },
            ...{ CI_MERGE_REQUEST_PROJECT_ID: "7", CI_JOB_TOKEN: "unused" },
            ...variables,
            ...env,
        });
        assert.equal(exitCode, 0, output);
    }

    const curlArguments = () => readFile(join(repository.folder, "curl-arguments"), "utf8");
    const preview = async (checkout: string, env: Record<string, string> = {}) =>
        runJob("preview-dev", checkout, { TMPDIR: await mkdtemp(join(repository.folder, "tmp-")), ...env });

    it("previews a merge request without a secret, and writes the report", async () => {
        const main = await repository.clone("main");
        await runJob("redact-dev", main, repository.secrets);
        // GitLab creates the artifact from the job's paths.
        assert.deepEqual(jobs["redact-dev"]?.artifacts?.paths, ["redacted-dev"]);
        const zip = join(repository.folder, "redacted.zip");
        execFileSync("python3", ["-m", "zipfile", "-c", zip, "redacted-dev"], { cwd: main });

        const checkout = await repository.clone("pull-request");
        await preview(checkout);
        assert.match(await curlArguments(), /--header JOB-TOKEN:unused /);
        assert.match(await readFile(join(checkout, "report.md"), "utf8"), /1 export runs/);
        assert.equal(repository.git(checkout, "status", "--porcelain"), "?? events.log\n?? report.md\n");
        assert.deepEqual(repository.platform.requests, []);
    });

    it("downloads the redacted stack with the variable's token if there is one", async () => {
        await preview(await repository.clone("pull-request"), { REDACTED_STACK_TOKEN: "read-only" });
        assert.match(await curlArguments(), /--header Authorization:Bearer read-only /);
    });
});
