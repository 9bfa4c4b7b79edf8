import { writeFile } from "node:fs/promises";
import path from "node:path";
import which from "which";
import { toolFolder } from "./cache/cache.js";
import { ensureCached } from "./cache/ensure-cached.js";
import { ToolUnavailableError } from "./running/errors.js";
import { exists } from "./running/files.js";
import { withHeartbeat } from "./running/heartbeat.js";
import { type EnsureOptions, reporter } from "./running/options.js";
import { CommandError, run } from "./running/run.js";

/** A command-line tool that is published as a Python package. */
export interface PythonTool {
    /** The name of the package and of its command. */
    readonly name: string;
    readonly version: string;
}

export const schemathesis: PythonTool = { name: "schemathesis", version: "4.32.5" };

/**
 * Returns the path of a Python tool's command, installed with pip into a virtual environment in the cache.
 *
 * @throws {ToolUnavailableError} when Python is missing or pip fails.
 */
export async function ensurePythonTool({ name, version }: PythonTool, options: EnsureOptions = {}): Promise<string> {
    const folder = toolFolder(name, version);
    const command = path.join(folder, "bin", name);
    // Written last: a virtual environment contains absolute paths, so it is created in place instead of renamed.
    const complete = path.join(folder, "complete");
    await ensureCached(
        {
            folder,
            target: complete,
            isThere: () => exists(complete),
            doing: `installing ${name} ${version}`,
            make: async (partialFolder) => {
                const texts = { started: `installing ${name} ${version}`, ended: `Installed ${name} ${version}` };
                await withHeartbeat(texts, { report: reporter(options) }, () =>
                    install(folder, { name, version }, options),
                );
                const marker = path.join(partialFolder, "complete");
                await writeFile(marker, "");
                return marker;
            },
        },
        options,
    );
    return command;
}

async function install(folder: string, { name, version }: PythonTool, { signal }: EnsureOptions): Promise<void> {
    const python = await which("python3", { nothrow: true });
    if (python === null) {
        throw new ToolUnavailableError(name, ["no python3 is on PATH"], "Install Python 3.10 or later.");
    }
    try {
        await run(python, ["-m", "venv", "--clear", folder], { signal });
        const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", `${name}==${version}`];
        await run(path.join(folder, "bin", "python"), pip, { signal });
    } catch (error) {
        if (!(error instanceof CommandError)) {
            throw error;
        }
        const advice =
            "Check that this machine reaches the Python package index, and that python3 has the venv module.";
        throw new ToolUnavailableError(`${name} ${version}`, [error.lastLine], advice, error.lastLines(10), {
            cause: error,
        });
    }
}
