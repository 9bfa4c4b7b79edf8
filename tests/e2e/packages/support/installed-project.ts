import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ensurePulumi } from "@pulumi-static-export/toolchain";
import { startCommand, type CommandResult } from "../../support/run-command.js";
import { withoutSettings } from "../../support/without-settings.js";
import { nodeFolder } from "./npm-cache.js";
import { managerCommand, type PackageManager } from "./package-managers.js";

interface ProjectOptions {
    manager?: PackageManager;
    /**
     * The Node.js version on PATH, for the package manager and for Pulumi; by default the version that runs the specs.
     */
    node?: string;
    manifest: { dependencies: Record<string, string> } & Record<string, unknown>;
    files: Record<string, string | Uint8Array>;
    env?: Record<string, string | undefined>;
}

/** A Pulumi project outside of this checkout, with the packages of its package manager and a separate backend. */
export class InstalledProject {
    /** The output of the package manager. */
    installation = "";

    private constructor(
        readonly folder: string,
        private readonly env: NodeJS.ProcessEnv,
        private readonly pulumi: string,
    ) {}

    static async create(options: ProjectOptions): Promise<InstalledProject> {
        const { manager = "npm", node, manifest, files } = options;
        const { command, env } = await ensurePulumi();
        const installer = await managerCommand(manager);
        const folder = await mkdtemp(join(tmpdir(), "static-export-project-"));
        const nodePath = node === undefined ? dirname(process.execPath) : await nodeFolder(node);
        const project = new InstalledProject(
            folder,
            {
                ...process.env,
                ...withoutSettings,
                ...env,
                ...installer.env,
                PATH: [nodePath, env["PATH"]].join(delimiter),
                PULUMI_HOME: join(folder, ".home"),
                PULUMI_BACKEND_URL: `file://${join(folder, ".state")}`,
                PULUMI_CONFIG_PASSPHRASE: "e2e",
                STATIC_EXPORT_JOURNAL_DIR: join(folder, ".journal"),
                ...options.env,
            },
            command,
        );
        await mkdir(join(folder, ".state"));
        await project.write({
            "Pulumi.yaml": "name: user\nruntime: nodejs\n",
            "package.json": JSON.stringify({ name: "user", version: "1.0.0", private: true, ...manifest }, null, 2),
            ...installer.files,
            ...files,
        });
        const [program, ...args] = installer.install;
        project.installation = (await project.succeed(program!, ...args)).output;
        return project;
    }

    /** The environment of its programs, for specs that start programs themselves. */
    get settings(): NodeJS.ProcessEnv {
        return { ...this.env };
    }

    get path(): string {
        return this.env["PATH"] ?? "";
    }

    async write(files: Record<string, string | Uint8Array>): Promise<void> {
        for (const [name, text] of Object.entries(files)) {
            const file = join(this.folder, name);
            await mkdir(dirname(file), { recursive: true });
            await writeFile(file, text);
        }
    }

    /** Runs a program in the project's folder. */
    run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CommandResult> {
        return startCommand(program, args, { cwd: this.folder, env: { ...this.env, ...env } }).result;
    }

    /** Like `run`, but fails the spec if the program fails. */
    async succeed(program: string, ...args: string[]): Promise<CommandResult> {
        return mustSucceed(program, args, await this.run(program, args));
    }

    /** Runs the engine's command. */
    tryPulumi(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CommandResult> {
        return this.run(this.pulumi, [...args, "--non-interactive"], env);
    }

    async pulumiSucceeds(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CommandResult> {
        return mustSucceed("pulumi", args, await this.tryPulumi(args, env));
    }

    async remove(): Promise<void> {
        await rm(this.folder, { recursive: true, force: true });
    }
}

function mustSucceed(program: string, args: readonly string[], result: CommandResult): CommandResult {
    if (result.exitCode !== 0) {
        throw new Error(`${program} ${args.join(" ")} ended with ${result.exitCode}:\n${result.output}`);
    }
    return result;
}
