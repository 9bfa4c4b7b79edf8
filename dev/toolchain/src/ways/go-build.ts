import { chmod, copyFile, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import which from "which";
import { cachedBinary } from "../cache/cache.js";
import { ToolUnavailableError } from "../running/errors.js";
import { CommandError, run } from "../running/run.js";
import { type EmbeddedFiles, type GoTool } from "../cache/tools.js";

const shownOutputLines = 15;

/** @param what what needs Go, for the message @throws {ToolUnavailableError} when Go is not on PATH */
export async function findGo(what: string): Promise<string> {
    const go = await which("go", { nothrow: true });
    if (go === null) {
        throw new ToolUnavailableError(what, ["Go is not installed"], "Install Go 1.26 or later, then run this again.");
    }
    return go;
}

/**
 * Builds a tool inside `folder`, a scratch folder that the caller removes, and returns the path of the binary.
 * Downloads modules that are not in Go's cache, and verifies them against go.sum.
 *
 * @throws {ToolUnavailableError} when Go is missing, a download fails, or the code does not compile.
 */
export async function buildWithGo(tool: GoTool, folder: string, signal: AbortSignal | undefined): Promise<string> {
    const go = await findGo(`${tool.name} ${tool.version}`);
    const sources = path.join(folder, "sources");
    const scratch = path.join(folder, "scratch");
    const binary = path.join(folder, tool.name);
    await cp(tool.sources, sources, { recursive: true });
    await mkdir(scratch);

    const runGo = (step: string, args: string[]) => runGoStep(go, args, { tool, step, sources, scratch, signal });

    const moduleFolder = async (module: string) => {
        await runGo("downloading its Go modules", ["mod", "download", module]);
        const folder = await runGo("finding its Go modules", ["list", "-m", "-f", "{{.Dir}}", module]);
        return folder.trim();
    };
    if (tool.embeds !== undefined) {
        await copyEmbeddedFiles(tool, tool.embeds, sources, moduleFolder);
    }
    // Downloading is a separate step, to distinguish a network failure from a compile error.
    await runGo("downloading its Go modules", ["list", "-deps", tool.package]);
    const linkerFlags = ["-s", "-w"];
    for (const [variable, value] of Object.entries(tool.variables ?? {})) {
        linkerFlags.push("-X", `${variable}=${withVersion(value, tool)}`);
    }
    await runGo("compiling it", ["build", "-ldflags", linkerFlags.join(" "), "-o", binary, tool.package]);
    if (tool.script !== undefined) {
        await putBeside(cachedBinary(tool), path.join(await moduleFolder(tool.script.module), tool.script.path));
    }
    return binary;
}

interface GoStep {
    readonly tool: GoTool;
    /** A clause, as in "failed while compiling it". */
    readonly step: string;
    readonly sources: string;
    readonly scratch: string;
    readonly signal: AbortSignal | undefined;
}

async function runGoStep(
    go: string,
    args: string[],
    { tool, step, sources, scratch, signal }: GoStep,
): Promise<string> {
    const env = {
        // Settings that give the same binary on every machine, regardless of the user's Go settings.
        CGO_ENABLED: "0",
        GOFLAGS: "-mod=readonly -buildvcs=false -trimpath",
        GOWORK: "off",
        // Temporary files are in the scratch folder, because a killed `go` does not remove them.
        GOTMPDIR: scratch,
    };
    try {
        return await run(go, args, { cwd: sources, env, signal });
    } catch (error) {
        if (!(error instanceof CommandError)) {
            throw error;
        }
        throw new ToolUnavailableError(
            `${tool.name} ${tool.version}`,
            [`building it with Go failed while ${step}`],
            "Check that the network works and that `go version` is 1.26 or later. Go's output follows.",
            error.lastLines(shownOutputLines),
            { cause: error },
        );
    }
}

/** Copies the script before the binary, whose existence shows that the tool is complete. */
async function putBeside(binary: string, script: string): Promise<void> {
    const target = path.join(path.dirname(binary), path.basename(script));
    await mkdir(path.dirname(target), { recursive: true });
    await copyFile(script, target);
    await chmod(target, 0o755);
}

async function copyEmbeddedFiles(
    tool: GoTool,
    { module, files }: EmbeddedFiles,
    target: string,
    moduleFolder: (module: string) => Promise<string>,
): Promise<void> {
    const folder = await moduleFolder(module);
    for (const { path: file, set = {} } of files) {
        const content = JSON.parse(await readFile(path.join(folder, file), "utf8")) as Record<string, unknown>;
        for (const [key, value] of Object.entries(set)) {
            content[key] = withVersion(value, tool);
        }
        await writeFile(path.join(target, path.basename(file)), JSON.stringify(content));
    }
}

function withVersion(text: string, { version }: GoTool): string {
    return text.replaceAll("{version}", version);
}
