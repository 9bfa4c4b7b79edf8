import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { ensurePulumi, type Pulumi } from "@pulumi-static-export/toolchain";
import { startCommand, type CommandResult, type RunningCommand } from "./run-command.js";
import { StackFiles, type Checkpoint, type StackSettings } from "./stack-files.js";
import { withoutSettings } from "./without-settings.js";

/** Programs are inside the checkout, so that they find its packages as a user's program finds installed packages. */
const programs = fileURLToPath(new URL("../../../.e2e/", import.meta.url));

const compileCache = fileURLToPath(new URL("../../../node_modules/.cache/compiled/", import.meta.url));

const preloaded = fileURLToPath(new URL("late-modules.cjs", import.meta.url));

let pulumi: Promise<Pulumi> | undefined;

export interface EngineStackOptions extends StackSettings {
    /**
     * The body of the program, after the imports of pulumi and the provider; or the folder of a whole project to copy;
     * or the text of each file by its name.
     */
    program: string | URL | Record<string, string>;
    env?: Record<string, string>;
    /** Folders with additional plugins and programs, prepended to PATH. */
    pathFolders?: readonly string[];
    /** A command that runs the command line tool, such as `ip netns exec NAME`. */
    commandPrefix?: readonly string[];
}

const imports = `import * as pulumi from "@pulumi/pulumi";
import { StaticExportBundle } from "pulumi-static-export";
`;

/** A stack of one small program on the real engine, with its own backend, home and journal. */
export class EngineStack {
    private constructor(
        readonly folder: string,
        private readonly files: StackFiles,
        private readonly env: NodeJS.ProcessEnv,
        private readonly command: readonly string[],
    ) {}

    static async create(options: EngineStackOptions): Promise<EngineStack> {
        const { program, pathFolders = [], commandPrefix = [] } = options;
        const pulumiCli = await (pulumi ??= ensurePulumi({ onProgress: (line) => console.log(line) }));
        await mkdir(programs, { recursive: true });
        const folder = await mkdtemp(join(programs, "stack-"));
        const passphrase = options.env?.["PULUMI_CONFIG_PASSPHRASE"] ?? "e2e";
        const env = {
            ...process.env,
            ...withoutSettings,
            ...pulumiCli.env,
            PATH: [...pathFolders, pulumiCli.env["PATH"]].join(delimiter),
            PULUMI_HOME: join(folder, "home"),
            PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
            PULUMI_CONFIG_PASSPHRASE: passphrase,
            // The programs are type-checked together with their specs, because each separate type check takes seconds.
            PULUMI_NODEJS_TRANSPILE_ONLY: "true",
            // Makes Go collect garbage less often: collection takes 10 % of the time of an engine that runs for only a
            // few seconds.
            GOGC: "400",
            NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} --require "${preloaded}"`,
            // Compiling Pulumi's SDK and TypeScript would take a third of the CPU time of each run.
            NODE_COMPILE_CACHE: compileCache,
            STATIC_EXPORT_JOURNAL_DIR: join(folder, "journal"),
            ...options.env,
        };
        if (program instanceof URL) {
            await cp(program, folder, { recursive: true });
        } else {
            await writeFiles(folder, typeof program === "string" ? projectOf(program) : program);
        }
        const files = await StackFiles.create(folder, passphrase);
        await files.configure(options);
        return new EngineStack(folder, files, env, [...commandPrefix, pulumiCli.command]);
    }

    async configure(settings: StackSettings): Promise<void> {
        await this.files.configure(settings);
    }

    async removeConfig(...keys: readonly string[]): Promise<void> {
        await this.files.removeConfig(...keys);
    }

    async writeProgram(program: string): Promise<void> {
        await this.writeFiles({ "index.js": compiled(program) });
    }

    /** Writes a program for Pulumi's own TypeScript, which runs without the modules that specs preload. */
    async writeTypeScript(program: string): Promise<void> {
        this.env["NODE_OPTIONS"] = "";
        await this.writeFiles({
            "index.ts": imports + program,
            "Pulumi.yaml": "name: e2e\nruntime: nodejs\n",
            "package.json": '{ "name": "e2e", "private": true, "main": "index.ts" }\n',
            "tsconfig.json":
                '{ "compilerOptions": { "target": "es2022", "module": "nodenext" }, "files": ["index.ts"] }\n',
        });
    }

    async writeFiles(files: Record<string, string>): Promise<void> {
        await writeFiles(this.folder, files);
    }

    /** Runs the command line tool to completion. */
    run(...args: string[]): Promise<CommandResult> {
        return this.start(...args).result;
    }

    start(...args: string[]): RunningCommand {
        const [program = "", ...prefix] = this.command;
        return startCommand(program, [...prefix, ...args, "--non-interactive"], { cwd: this.folder, env: this.env });
    }

    /** Starts a program other than the engine, in the stack's folder and with its environment. */
    startOther(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): RunningCommand {
        return startCommand(program, args, { cwd: this.folder, env: { ...this.env, ...env } });
    }

    /** Like `run`, but fails the spec if the command fails. */
    async succeed(...args: string[]): Promise<CommandResult> {
        const result = await this.run(...args);
        if (result.exitCode !== 0) {
            throw new Error(`pulumi ${args.join(" ")} ended with ${result.exitCode}:\n${result.output}`);
        }
        return result;
    }

    up(...args: string[]): Promise<CommandResult> {
        return this.succeed("up", "--yes", "--skip-preview", ...args);
    }

    async output(name: string): Promise<unknown> {
        return this.files.output(name);
    }

    /** Returns the state of the first resource of our type, or of another type. */
    async resource(type = "static-export:"): Promise<NonNullable<Checkpoint["resources"]>[number] | undefined> {
        const checkpoint = await this.files.checkpoint();
        return checkpoint?.resources?.find((resource) => resource.type.includes(type));
    }

    /**
     * Reads all files that this stack has written: programs, state, checkpoints, history, backups, configuration,
     * journal.
     */
    async writtenText(): Promise<string> {
        const files = await readdir(this.folder, { recursive: true, withFileTypes: true });
        const texts = files
            .filter((file) => file.isFile())
            .map((file) => readFile(join(file.parentPath, file.name), "utf8"));
        return (await Promise.all(texts)).join("\n");
    }

    async remove(): Promise<void> {
        await rm(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
}

function projectOf(program: string): Record<string, string> {
    return {
        "index.js": compiled(program),
        "Pulumi.yaml": "name: e2e\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
        "package.json": '{ "name": "e2e", "private": true, "main": "index.js" }\n',
    };
}

/** The program is JavaScript, because starting TypeScript in each run takes a third of a program's CPU time. */
export function compiled(program: string): string {
    return transformSync(imports + program, { loader: "ts", format: "cjs", target: "es2022" }).code;
}

async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), text);
    }
}
