import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "@pulumi-static-export/toolchain";
import { packPackages } from "../../packages/support/packed-packages.js";
import { withoutSettings } from "../../support/without-settings.js";

const lifecycle = fileURLToPath(new URL("run-lifecycle.mjs", import.meta.url));

interface RunSettings {
    readonly cwd: string;
    readonly env?: Readonly<Record<string, string>>;
}

/** Another system on this machine, with Node.js and a project with the packed packages. */
export abstract class System {
    /** Why a process cannot tell whether another one still runs; missing if it can. */
    readonly unknownProcesses?: string;
    /** The target of the system's native parser, such as `linux-arm64-gnu`. */
    protected abstract readonly target: string;
    #outputs = 0;

    /** @param root the folder that `remove` removes @param files the folder for the system's files */
    protected constructor(
        protected readonly root: string,
        readonly files: string,
    ) {}

    /** The program of `static-export`. */
    get program(): string {
        return join(this.#project, "node_modules/@pulumi-static-export/cli/bin/static-export.js");
    }

    /** A program that runs one operation of the provider. */
    get lifecycle(): string {
        return join(this.#project, basename(lifecycle));
    }

    /** The native parser. The node_modules of this repository contain only the parser for this machine. */
    get parser(): string {
        const file = `satteri-${this.target}/satteri_napi.${this.target}.node`;
        return this.pathOf(join(this.#project, "node_modules/@bruits", file));
    }

    /** Returns the name that the system has for one of its files. */
    abstract pathOf(file: string): string;

    abstract remove(): Promise<void>;

    /** The words that start a program with Node.js. */
    protected abstract commandOf(program: string): readonly [command: string, ...args: string[]];

    /** The variables of all programs. */
    protected get env(): Readonly<Record<string, string>> {
        return {};
    }

    /** Runs a program with Node.js to completion. */
    async run(args: readonly string[], settings: RunSettings) {
        const { child, output } = await this.start(args, settings);
        const [exitCode] = (await once(child, "exit")) as [number | null];
        return { exitCode, output: await output() };
    }

    /** Starts a program with Node.js. Its output is a file, because Wine has no pipes for it. */
    async start([program = "", ...args]: readonly string[], { cwd, env = {} }: RunSettings) {
        const file = join(this.root, `output-${(this.#outputs += 1)}`);
        const stream = await open(file, "w");
        const [command, ...words] = this.commandOf(program);
        const child: ChildProcess = spawn(command, [...words, ...args], {
            cwd,
            env: { ...process.env, ...withoutSettings, ...this.env, ...env },
            stdio: ["ignore", stream.fd, stream.fd],
        });
        await stream.close();
        return { child, output: () => readFile(file, "utf8") };
    }

    /** @param platform npm's options that name the system */
    protected async installPackages(platform: readonly string[]): Promise<void> {
        const { cli, provider } = await packPackages();
        await mkdir(this.#project, { recursive: true });
        await writeFile(join(this.#project, "package.json"), '{ "private": true }\n');
        await cp(lifecycle, this.lifecycle);
        const options = ["--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund"];
        await run("npm", ["install", ...platform, ...options, cli, provider], { cwd: this.#project });
    }

    get #project(): string {
        return join(this.files, "project");
    }
}
