import { execFileSync } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensurePulumi } from "@pulumi-static-export/toolchain";
import { bin } from "../../../cli/support/command.js";
import { EngineStack } from "../../support/engine-stack.js";
import { adminApiKey, Platform } from "../../support/platform.js";
import { type CommandResult, startCommand } from "../../support/run-command.js";
import { withoutSettings } from "../../support/without-settings.js";

/** This folder is inside the checkout, so that programs find their packages. */
const scratch = fileURLToPath(new URL("../../../../.e2e/", import.meta.url));

export const program = `const version = new pulumi.Config().require("version");
new StaticExportBundle("docs", { domain: "docs.example.com", version });
`;

/** A bare repository: `main` is deployed, and `pull-request` publishes version 2. */
export class DeployedRepository {
    readonly #folders: string[] = [];

    private constructor(
        readonly platform: Platform,
        readonly main: EngineStack,
        /** A folder for the spec's files. */
        readonly folder: string,
    ) {}

    static async create(): Promise<DeployedRepository> {
        const platform = await Platform.start({ linkTtlSeconds: 24 * 3600 });
        const main = await EngineStack.create({
            program,
            config: { version: "1", "static-export:baseUrl": platform.service.url },
            secret: { "static-export:adminApiKey": adminApiKey },
        });
        await main.up();
        platform.requests.length = 0;
        const repository = new DeployedRepository(platform, main, await mkdtemp(join(scratch, "repository-")));
        await repository.#fill();
        // Replaces npm: installs this checkout's command, and records the arguments.
        await repository.addProgram(
            "npm",
            `echo "$*" > '${repository.folder}/npm-arguments'
[ "$2" = --prefix ] && cd -P . && mkdir -p "$3" && cd "$3"
mkdir -p node_modules/.bin && ln -s '${bin}' node_modules/.bin/static-export`,
        );
        return repository;
    }

    async #fill(): Promise<void> {
        const checkout = join(this.folder, "first");
        this.git(this.folder, "init", "--quiet", "--bare", "--initial-branch", "main", this.remote);
        this.git(this.folder, "init", "--quiet", "--initial-branch", "main", checkout);
        for (const file of ["index.js", "Pulumi.yaml", "Pulumi.dev.yaml", "package.json"]) {
            await cp(join(this.main.folder, file), join(checkout, file));
        }
        this.git(checkout, "add", "--all");
        this.git(checkout, "commit", "--quiet", "--message", "Deploy the documentation");
        this.git(checkout, "push", "--quiet", this.remote, "HEAD:main");
        const settings = join(checkout, "Pulumi.dev.yaml");
        await writeFile(settings, (await readFile(settings, "utf8")).replace('version: "1"', 'version: "2"'));
        this.git(checkout, "commit", "--quiet", "--all", "--message", "Publish version 2");
        this.git(checkout, "push", "--quiet", this.remote, "HEAD:pull-request");
    }

    get remote(): string {
        return join(this.folder, "remote.git");
    }

    /** Variables that only protected jobs get. */
    get secrets(): Record<string, string> {
        return {
            PULUMI_BACKEND_URL: `file://${join(this.main.folder, "state")}`,
            PULUMI_CONFIG_PASSPHRASE: "e2e",
        };
    }

    git(cwd: string, ...args: string[]): string {
        const author = ["-c", "user.name=Spec", "-c", "user.email=spec@example.com"];
        return execFileSync("git", [...author, ...args], { cwd, encoding: "utf8" });
    }

    /** Creates a fresh checkout. */
    async clone(branch: "main" | "pull-request"): Promise<string> {
        const checkout = await mkdtemp(join(scratch, "checkout-"));
        this.#folders.push(checkout);
        this.git(checkout, "clone", "--quiet", "--branch", branch, this.remote, ".");
        return checkout;
    }

    /** Puts a bash script on the PATH of `run`. */
    async addProgram(name: string, script: string): Promise<void> {
        const file = join(this.folder, "programs", name);
        await mkdir(join(this.folder, "programs"), { recursive: true });
        await writeFile(file, `#!/bin/bash\n${script}\n`);
        await chmod(file, 0o755);
    }

    /** Runs a script like a runner, without the user's settings. @param path - prepended to PATH */
    async run(script: string, cwd: string, env: NodeJS.ProcessEnv, path = ""): Promise<CommandResult> {
        const pulumi = await ensurePulumi();
        const programs = join(this.folder, "programs");
        return startCommand("bash", ["-e", "-o", "pipefail", "-c", script], {
            cwd,
            env: {
                ...process.env,
                ...withoutSettings,
                ...pulumi.env,
                PULUMI_HOME: join(this.folder, "home"),
                PULUMI_CONFIG_PASSPHRASE: undefined,
                PULUMI_NODEJS_TRANSPILE_ONLY: "true",
                GITHUB_STEP_SUMMARY: undefined,
                PATH: [path, programs, pulumi.env["PATH"]].filter(Boolean).join(delimiter),
                ...env,
            },
        }).result;
    }

    async remove(): Promise<void> {
        for (const folder of [...this.#folders, this.folder]) {
            await rm(folder, { recursive: true, force: true });
        }
        await this.main.remove();
        await this.platform.stop();
    }
}
