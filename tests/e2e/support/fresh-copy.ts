import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startCommand, type RunningCommand } from "./run-command.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The files of a new clone: the current files of this checkout, without anything installed or built. */
export class FreshCopy {
    private constructor(
        readonly folder: string,
        private readonly env: NodeJS.ProcessEnv,
    ) {}

    /** @param env - added to the specs' environment */
    static async create(env: NodeJS.ProcessEnv = {}): Promise<FreshCopy> {
        const folder = await mkdtemp(join(tmpdir(), "static-export-clone-"));
        const list = (...args: string[]) =>
            execFileSync("git", ["ls-files", "-z", ...args], { cwd: root })
                .toString()
                .split("\0")
                .filter(Boolean);
        const deleted = new Set(list("--deleted"));
        for (const file of new Set(list("--cached", "--others", "--exclude-standard"))) {
            if (!deleted.has(file)) {
                await mkdir(dirname(join(folder, file)), { recursive: true });
                await cp(join(root, file), join(folder, file));
            }
        }
        return new FreshCopy(folder, { ...process.env, ...env });
    }

    start(...command: [string, ...string[]]): RunningCommand {
        const [program, ...args] = command;
        return startCommand(program, args, { cwd: this.folder, env: this.env });
    }

    async remove(): Promise<void> {
        await rm(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
}
