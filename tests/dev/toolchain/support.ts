import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, watch, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { quoteWord } from "../../../contract/src/shell-words.js";
import { type GoTool } from "../../../dev/toolchain/src/cache/tools.js";

export const realPath = process.env["PATH"] ?? "";

export const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

/** Returns a tool whose Go module is a fixture that needs no network. */
export const fixtureTool = (name: string): GoTool => ({
    name,
    version: "1.2.3",
    sources: fixture(name),
    package: ".",
    variables: { "main.version": "{version}" },
    typicalMinutes: 0.1,
});

/** Runs a TypeScript file in a separate process. */
export const runScript = (file: string, args: readonly string[] = []) =>
    promisify(execFile)(process.execPath, ["--import=tsx", file, ...args]);

/**
 * Waits until the file appears. Call this function before you start the process that creates the file. The file must
 * get its name only when it is complete.
 */
export async function fileAppears(file: string): Promise<void> {
    for await (const { filename } of watch(path.dirname(file))) {
        if (filename === path.basename(file)) {
            return;
        }
    }
}

/** Returns whether the process whose id is in the file has exited. */
export async function hasEnded(pidFile: string): Promise<boolean> {
    const pid = Number(await readFile(pidFile, "utf8"));
    try {
        process.kill(pid, 0);
        return false;
    } catch (error) {
        return (error as NodeJS.ErrnoException).code === "ESRCH";
    }
}

/** Gives each spec an empty cache and its own PATH. */
export class Sandbox {
    folder = "";
    readonly #environment = { ...process.env };

    static use(): Sandbox {
        const sandbox = new Sandbox();
        beforeEach(() => sandbox.#open());
        afterEach(() => sandbox.#close());
        return sandbox;
    }

    /** The only folder on PATH, unless the spec adds others. */
    get bin(): string {
        return path.join(this.folder, "bin");
    }

    get tools(): string {
        return path.join(this.folder, "cache", "tools");
    }

    /** Puts a shell script on PATH. The script itself uses the real PATH. */
    async script(name: string, body: string): Promise<string> {
        const file = path.join(this.bin, name);
        await writeFile(file, `#!/bin/sh\nPATH=${quoteWord(realPath)}\n${body}\n`);
        await chmod(file, 0o755);
        return file;
    }

    /** Puts a `go` on PATH that never ends; it writes its process id to the returned file. */
    async endlessGo(): Promise<string> {
        const pidFile = path.join(this.folder, "go.pid");
        await this.script("go", `echo $$ > ${pidFile}.tmp; mv ${pidFile}.tmp ${pidFile}; exec sleep 600`);
        return pidFile;
    }

    async #open(): Promise<void> {
        this.folder = await mkdtemp(path.join(tmpdir(), "toolchain-spec-"));
        await mkdir(this.bin);
        delete process.env["STATIC_EXPORT_PULUMI"];
        process.env["STATIC_EXPORT_CACHE_DIR"] = path.join(this.folder, "cache");
        process.env["PATH"] = this.bin;
    }

    async #close(): Promise<void> {
        for (const name of Object.keys(process.env)) {
            delete process.env[name];
        }
        Object.assign(process.env, this.#environment);
        await rm(this.folder, { recursive: true, force: true });
    }
}
