import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../../cli/support/command.js";
import { compiled } from "../support/engine-stack.js";
import { DeployedRepository, program } from "./support/deployed-repository.js";
import { withoutRoute } from "./support/fork.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const script = join(root, "examples", "pull-request-check", "check-pull-request.sh");
const POLICY_PACK = join(root, "policy", "bin", "policy-pack.mjs");

const blog = (domain: string) => `new StaticExportBundle("blog", { domain: "${domain}", version });\n`;

/** Uses a clone with a pull request's branch, and checks the branch out as a fork's check does. */
describe("the check of examples/pull-request-check, without a network and without secrets,", function () {
    this.timeout(600_000);
    let repository: DeployedRepository;
    let clone: string;

    const git = (...args: string[]) => repository.git(clone, ...args);
    const push = () => git("push", "--quiet", "origin", "HEAD:pull-request");
    const commit = async (added: string, message: string) => {
        await writeFile(join(clone, "index.js"), compiled(program + added));
        git("commit", "--quiet", "--all", "--message", message);
        push();
    };
    /** Runs the script in a fresh checkout of the branch, and returns its report. */
    const check = async () => {
        const checkout = await repository.clone("pull-request");
        const command = [...withoutRoute, script, "dev", join(repository.folder, "redacted")];
        const result = await repository.run(command.map((word) => `'${word}'`).join(" "), checkout, { POLICY_PACK });
        // These files include the pull request's own configuration.
        assert.equal(repository.git(checkout, "status", "--porcelain"), "?? events.log\n");
        return result;
    };

    before(async () => {
        repository = await DeployedRepository.create();
        const { main, folder } = repository;
        clone = await repository.clone("pull-request");

        await writeFile(join(folder, "state.json"), (await main.succeed("stack", "export")).stdout);
        const args = ["state.json", "--config", join(main.folder, "Pulumi.dev.yaml"), "--out", "redacted"];
        const { exitCode, stderr } = await run(folder, ["redact-state", ...args], { PULUMI_CONFIG_PASSPHRASE: "e2e" });
        assert.equal(exitCode, 0, stderr);
    });

    after(() => repository?.remove());

    it("reports that a new version is exported again, and names the old version", async () => {
        const { exitCode, stdout, output } = await check();
        assert.equal(exitCode, 0, output);
        assert.match(stdout, /1 export runs/);
        assert.match(stdout, /docs\.example\.com[^\n]*1[^\n]*2/);
    });

    it("reports a new site", async () => {
        await commit(blog("blog.example.com"), "Add the blog");
        const { exitCode, stdout, output } = await check();
        assert.equal(exitCode, 0, output);
        assert.match(stdout, /2 exports run/);
        assert.match(stdout, /blog\.example\.com/);
    });

    it("fails and names the rule if a rule is broken", async () => {
        await commit(blog("docs.example.com"), "Use one domain twice");
        const { exitCode, stdout, output } = await check();
        assert.equal(exitCode, 1, output);
        assert.match(stdout, /1 mandatory rule is broken/);
        assert.match(stdout, /one-bundle-per-domain/);
    });

    it("passes again after the broken rule is fixed", async () => {
        await commit(blog("blog.example.com"), "Give the blog its domain back");
        const { exitCode, stdout, output } = await check();
        assert.equal(exitCode, 0, output);
        assert.match(stdout, /2 exports run/);
    });

    it("reports no changes after everything is reverted, and makes no requests", async () => {
        git("revert", "--no-edit", "origin/main..HEAD");
        push();
        const { exitCode, stdout, output } = await check();
        assert.equal(exitCode, 0, output);
        assert.match(stdout, /[Nn]othing changes|[Nn]o changes/);
        assert.deepEqual(repository.platform.requests, []);
    });
});
