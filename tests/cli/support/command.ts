import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Readable } from "node:stream";
import { fileURLToPath } from "node:url";

export const bin = fileURLToPath(new URL("../../../cli/bin/static-export.js", import.meta.url));

export interface Outcome {
    exitCode: number | null;
    stdout: string;
    stderr: string;
}

/** A running `static-export` command. */
export class Command {
    stdout = "";
    stderr = "";
    readonly exited: Promise<Outcome>;
    readonly #process: ChildProcessByStdio<null, Readable, Readable>;

    /**
     * @param settings.prefix - a program that runs the command, and the program's arguments before the command
     * @param settings.program - the `static-export.js` of another checkout
     */
    constructor(
        args: readonly string[],
        settings: {
            cwd: string;
            env?: Record<string, string>;
            prefix?: readonly string[];
            program?: string | undefined;
        },
    ) {
        const [program = "", ...rest] = [
            ...(settings.prefix ?? []),
            process.execPath,
            settings.program ?? bin,
            ...args,
        ];
        this.#process = spawn(program, rest, {
            cwd: settings.cwd,
            env: { ...process.env, ...settings.env },
            stdio: ["ignore", "pipe", "pipe"],
        });
        this.#process.stdout.setEncoding("utf8").on("data", (text: string) => (this.stdout += text));
        this.#process.stderr.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
        this.exited = once(this.#process, "close").then(([exitCode]) => ({
            exitCode: exitCode as number | null,
            stdout: this.stdout,
            stderr: this.stderr,
        }));
    }

    /** Resolves when a stream contains the text; rejects if the command ends without it. */
    async prints(pattern: RegExp, stream: "stdout" | "stderr" = "stdout"): Promise<RegExpExecArray> {
        let ended = false;
        void this.exited.then(() => (ended = true));
        for (;;) {
            const found = pattern.exec(this[stream]);
            if (found !== null) {
                return found;
            }
            if (ended) {
                throw new Error(`The command ended without ${String(pattern)}:\n${this.stdout}\n${this.stderr}`);
            }
            await Promise.race([once(this.#process[stream], "data"), this.exited]);
        }
    }

    /** Stops reading the command's output until `resumeReading` is called. */
    pauseReading(): void {
        this.#process.stdout.pause();
    }

    resumeReading(): void {
        this.#process.stdout.resume();
    }

    get pid(): number | undefined {
        return this.#process.pid;
    }

    /** Only for `serve`: resolves to the service's address when the service accepts requests. */
    async serves(): Promise<string> {
        const [, url = ""] = await this.prints(/address\s+(http\S+)[^]*Press Ctrl-C to stop\./);
        return url;
    }

    signal(signal: NodeJS.Signals): void {
        this.#process.kill(signal);
    }
}

/** Creates a temporary folder with a site in `docs/`, and removes the folder afterwards. */
export async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "static-export-cli-"));
    try {
        await mkdir(join(folder, "docs"));
        await writeFile(join(folder, "docs", "index.md"), "# Welcome\n\nHello.\n");
        await use(folder);
    } finally {
        // A killed process may still write its last file.
        await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
}

/** Runs a command to completion. */
export async function run(folder: string, args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
    return new Command(args, { cwd: folder, env }).exited;
}

export interface Serving {
    command: Command;
    url: string;
}

/** Runs `static-export serve` on `docs/` and a free port; kills the command if it still runs when `use` has settled. */
export async function withServe(
    folder: string,
    args: readonly string[],
    use: (serving: Serving) => Promise<void>,
    env: Record<string, string> = {},
): Promise<void> {
    const site = ["--site", "docs.example.com=docs", "--port", "0"];
    const command = new Command(["serve", ...site, ...args], { cwd: folder, env });
    try {
        await use({ command, url: await command.serves() });
    } finally {
        command.signal("SIGKILL");
        await command.exited;
    }
}
