import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensurePulumi, type Pulumi } from "@pulumi-static-export/toolchain";
import { startCommand, type CommandResult, type RunningCommand } from "./run-command.js";
import { withoutSettings } from "./without-settings.js";

/** Programs stand inside the checkout, so that they find its packages as a user's program finds installed ones. */
const programs = fileURLToPath(new URL("../../../.e2e/", import.meta.url));

let pulumi: Promise<Pulumi> | undefined;

export interface EngineStackOptions {
    /**
     * The body of index.ts, after the imports of pulumi and the provider; or the folder of a whole project to copy; or
     * the texts of its files by their names.
     */
    program: string | URL | Record<string, string>;
    /** Stack configuration; a value in `secret` is set with --secret. */
    config?: Record<string, string>;
    secret?: Record<string, string>;
    env?: Record<string, string>;
    /** Folders of further plugins and programs, put in front of PATH. */
    pathFolders?: readonly string[];
    /** A program and its arguments that run the command line tool, given as their last arguments. */
    commandPrefix?: readonly string[];
}

const imports = `import * as pulumi from "@pulumi/pulumi";
import { StaticExportBundle } from "pulumi-static-export";
`;

/** A stack of one small program on the real engine, with a backend, a home and a journal of its own. */
export class EngineStack {
    private constructor(
        readonly folder: string,
        private readonly env: NodeJS.ProcessEnv,
        private readonly command: readonly string[],
    ) {}

    static async create(options: EngineStackOptions): Promise<EngineStack> {
        const { command, env } = await (pulumi ??= ensurePulumi({ onProgress: (line) => console.log(line) }));
        await mkdir(programs, { recursive: true });
        const folder = await mkdtemp(join(programs, "stack-"));
        const stack = new EngineStack(
            folder,
            {
                ...process.env,
                ...withoutSettings,
                ...env,
                PATH: [...(options.pathFolders ?? []), env["PATH"]].join(delimiter),
                PULUMI_HOME: join(folder, "home"),
                PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
                PULUMI_CONFIG_PASSPHRASE: "e2e",
                // The programs are type-checked with the specs they stand in, and a type check takes seconds each time.
                PULUMI_NODEJS_TRANSPILE_ONLY: "true",
                // The engine is written in Go, lives for seconds and uses little memory: collecting it is a tenth of its time.
                GOGC: "400",
                STATIC_EXPORT_JOURNAL_DIR: join(folder, "journal"),
                ...options.env,
            },
            [...(options.commandPrefix ?? []), command],
        );
        await mkdir(join(folder, "state"));
        if (options.program instanceof URL) {
            await cp(options.program, folder, { recursive: true });
        } else if (typeof options.program === "string") {
            await stack.#writeProject(options.program);
        } else {
            await stack.writeFiles(options.program);
        }
        await stack.succeed("stack", "init", "dev");
        await stack.configure(options);
        return stack;
    }

    /** Sets values of the stack's configuration, all with one command: each costs the engine half a second. */
    async configure({ config = {}, secret = {} }: Pick<EngineStackOptions, "config" | "secret">): Promise<void> {
        const flags = (name: string, values: Record<string, string>) =>
            Object.entries(values).flatMap(([key, value]) => [name, `${key}=${value}`]);
        const values = [...flags("--plaintext", config), ...flags("--secret", secret)];
        if (values.length > 0) {
            await this.succeed("config", "set-all", ...values);
        }
    }

    async #writeProject(program: string): Promise<void> {
        await this.writeProgram(program);
        await writeFile(join(this.folder, "Pulumi.yaml"), "name: e2e\nruntime: nodejs\n");
        await writeFile(join(this.folder, "package.json"), '{ "name": "e2e", "private": true, "main": "index.ts" }\n');
        await writeFile(
            join(this.folder, "tsconfig.json"),
            '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "strict": true }, "files": ["index.ts"] }\n',
        );
    }

    async writeProgram(program: string): Promise<void> {
        await writeFile(join(this.folder, "index.ts"), imports + program);
    }

    async writeFiles(files: Record<string, string>): Promise<void> {
        for (const [name, text] of Object.entries(files)) {
            await writeFile(join(this.folder, name), text);
        }
    }

    /** Runs the command line tool to its end. */
    run(...args: string[]): Promise<CommandResult> {
        return this.start(...args).result;
    }

    start(...args: string[]): RunningCommand {
        const [program = "", ...prefix] = this.command;
        return startCommand(program, [...prefix, ...args, "--non-interactive"], { cwd: this.folder, env: this.env });
    }

    /** Starts another program than the engine, in the stack's folder and with its environment. */
    startOther(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): RunningCommand {
        return startCommand(program, args, { cwd: this.folder, env: { ...this.env, ...env } });
    }

    /** Like `run`, and the spec fails when the command does. */
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
        const { stdout } = await this.succeed("stack", "output", "--json", "--show-secrets");
        return (JSON.parse(stdout) as Record<string, unknown>)[name];
    }

    /** What stands in the state about the first resource of our type. */
    async resource(): Promise<
        { id: string; type: string; inputs: Record<string, unknown>; outputs: Record<string, unknown> } | undefined
    > {
        // As the file backend keeps it: reading the file spares a process of the engine.
        const stacks = join(this.folder, "state", ".pulumi", "stacks");
        const [project = ""] = await readdir(stacks);
        const { checkpoint } = JSON.parse(await readFile(join(stacks, project, "dev.json"), "utf8")) as {
            checkpoint: { latest?: { resources?: { type: string; id: string; inputs: object; outputs: object }[] } };
        };
        return checkpoint.latest?.resources?.find(({ type }) => type.includes("static-export:")) as never;
    }

    /** Everything this stack has written: programs, state, checkpoints, history, backups, configuration, journal. */
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
