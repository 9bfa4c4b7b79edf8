import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensurePulumi } from "@pulumi-static-export/toolchain";
import { run } from "../../cli/support/command.js";
import { EngineStack } from "../support/engine-stack.js";
import { adminApiKey, Platform } from "../support/platform.js";
import { startCommand } from "../support/run-command.js";
import { withoutSettings } from "../support/without-settings.js";
import { withoutRoute } from "./support/fork.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const script = "check-pull-request.sh";

const docs = `const version = new pulumi.Config().require("version");
new StaticExportBundle("docs", { domain: "docs.example.com", version });
`;
const blog = (domain: string) => `new StaticExportBundle("blog", { domain: "${domain}", version });\n`;

/** A repository whose main branch is deployed, and a clone with the branch of a pull request, as a fork's check sees it. */
describe("the check of examples/pull-request-check, without a network and without secrets", function () {
    this.timeout(600_000);
    let platform: Platform;
    let main: EngineStack;
    let folder: string;
    let clone: string;

    const git = (...args: string[]) =>
        execFileSync("git", ["-c", "user.name=Spec", "-c", "user.email=spec@example.com", ...args], { cwd: clone });
    const commit = async (program: string, message: string) => {
        const imports = (await readFile(join(clone, "index.ts"), "utf8")).split("\n").slice(0, 2).join("\n");
        await writeFile(join(clone, "index.ts"), `${imports}\n${program}`);
        git("commit", "--quiet", "--all", "--message", message);
    };
    /** Runs the script in a fresh checkout of the branch, and returns its report. */
    const check = async () => {
        const checkout = await mkdtemp(join(root, ".e2e", "check-"));
        try {
            git("worktree", "add", "--quiet", "--detach", "--force", checkout, "pull-request");
            const { env } = await ensurePulumi();
            const [program = "", ...prefix] = withoutRoute;
            const result = await startCommand(
                program,
                [...prefix, join(checkout, script), "dev", join(folder, "redacted")],
                {
                    cwd: checkout,
                    env: {
                        ...process.env,
                        ...withoutSettings,
                        ...env,
                        PULUMI_HOME: join(folder, "home"),
                        PULUMI_CONFIG_PASSPHRASE: undefined,
                        PULUMI_NODEJS_TRANSPILE_ONLY: "true",
                        GITHUB_STEP_SUMMARY: undefined,
                        POLICY_PACK: join(root, "policy", "bin", "policy-pack.mjs"),
                    },
                },
            ).result;
            // The pull request's own configuration is among these files.
            const changed = execFileSync("git", ["status", "--porcelain"], { cwd: checkout, encoding: "utf8" });
            assert.equal(changed, "?? events.log\n");
            return result;
        } finally {
            await rm(checkout, { recursive: true, force: true });
        }
    };

    before(async () => {
        platform = await Platform.start({ linkTtlSeconds: 24 * 3600 });
        main = await EngineStack.create({
            program: docs,
            config: { version: "1", "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
        await main.up();
        platform.requests.length = 0;
        folder = await mkdtemp(join(root, ".e2e", "pull-request-"));
        clone = join(folder, "clone");
        execFileSync("git", ["init", "--quiet", "--initial-branch", "main", clone]);
        for (const file of ["index.ts", "Pulumi.yaml", "Pulumi.dev.yaml", "package.json", "tsconfig.json"]) {
            await cp(join(main.folder, file), join(clone, file));
        }
        await cp(join(root, "examples", "pull-request-check", script), join(clone, script));
        git("add", "--all");
        git("commit", "--quiet", "--message", "Deploy the documentation");
        git("switch", "--quiet", "--create", "pull-request");

        await writeFile(join(folder, "state.json"), (await main.succeed("stack", "export")).stdout);
        const args = ["state.json", "--config", join(main.folder, "Pulumi.dev.yaml"), "--out", "redacted"];
        const { exitCode, stderr } = await run(folder, ["redact-state", ...args], { PULUMI_CONFIG_PASSPHRASE: "e2e" });
        assert.equal(exitCode, 0, stderr);
    });

    after(async () => {
        await rm(folder, { recursive: true, force: true });
        await main?.remove();
        await platform?.stop();
    });

    it("reports that another version exports again, and the old version", async () => {
        const file = join(clone, "Pulumi.dev.yaml");
        await writeFile(file, (await readFile(file, "utf8")).replace('version: "1"', 'version: "2"'));
        await commit(docs, "Publish version 2");
        const { exitCode, stdout, output } = await check();
        assert.equal(exitCode, 0, output);
        assert.match(stdout, /1 export runs/);
        assert.match(stdout, /docs\.example\.com[^\n]*1[^\n]*2/);
    });

    it("reports a new site", async () => {
        await commit(docs + blog("blog.example.com"), "Add the blog");
        const { exitCode, stdout, output } = await check();
        assert.equal(exitCode, 0, output);
        assert.match(stdout, /2 exports run/);
        assert.match(stdout, /blog\.example\.com/);
    });

    it("fails if a rule is broken, and names it", async () => {
        await commit(docs + blog("docs.example.com"), "Use one domain twice");
        const { exitCode, stdout, output } = await check();
        assert.equal(exitCode, 1, output);
        assert.match(stdout, /1 mandatory rule is broken/);
        assert.match(stdout, /one-bundle-per-domain/);
    });

    it("passes again once it is repaired", async () => {
        await commit(docs + blog("blog.example.com"), "Give the blog its domain back");
        const { exitCode, stdout, output } = await check();
        assert.equal(exitCode, 0, output);
        assert.match(stdout, /2 exports run/);
    });

    it("reports that nothing changes once everything is reverted, and has never made a request", async () => {
        git("revert", "--no-edit", "main..HEAD");
        const { exitCode, stdout, output } = await check();
        assert.equal(exitCode, 0, output);
        assert.match(stdout, /[Nn]othing changes|[Nn]o changes/);
        assert.deepEqual(platform.requests, []);
    });
});
