import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type BuilderSettings, readTheDocsOutput } from "./builder-settings.js";

/** The site's own builder failed. */
export class BuilderError extends Error {
    override readonly name = "BuilderError";
}

/**
 * Runs the site's own builder like the writer does in a terminal, without a sandbox. Its log goes to stderr.
 * @returns the folder that the builder wrote
 * @throws BuilderError, or the signal's reason after all processes of the command were asked to end
 */
export async function runBuilder(
    folder: string,
    { command, outputFolder, baseFolder }: BuilderSettings,
    signal: AbortSignal,
): Promise<string> {
    const base = resolve(folder, baseFolder);
    // Windows has no process groups.
    const detached = process.platform !== "win32";
    const child = spawn(`${detached ? "set -e\n" : ""}${command}`, {
        cwd: base,
        shell: true,
        detached,
        stdio: ["ignore", process.stderr, process.stderr],
        env: { ...process.env, READTHEDOCS_OUTPUT: join(base, readTheDocsOutput) },
    });
    const end = () => {
        try {
            process.kill(detached ? -(child.pid as number) : (child.pid as number), "SIGTERM");
        } catch {
            // All processes have already ended.
        }
    };
    if (child.pid !== undefined) {
        signal.addEventListener("abort", end);
    }
    let exit: [exitCode: number | null, killedBy: NodeJS.Signals | null];
    try {
        exit = (await once(child, "close")) as typeof exit;
    } catch (error) {
        throw new BuilderError(`${command} cannot run in ${base}: ${(error as Error).message}`);
    } finally {
        signal.removeEventListener("abort", end);
    }
    signal.throwIfAborted();
    const [exitCode, killedBy] = exit;
    if (exitCode !== 0) {
        throw new BuilderError(`${command} ended with ${killedBy ?? exitCode}; its log is above.`);
    }
    const output = join(base, outputFolder);
    if (!statSync(output, { throwIfNoEntry: false })?.isDirectory()) {
        throw new BuilderError(`${command} wrote no folder ${outputFolder}: correct --output-folder.`);
    }
    return output;
}
