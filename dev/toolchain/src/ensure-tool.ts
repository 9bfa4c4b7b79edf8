import { ensureGoTool } from "./ways/ensure-go-tool.js";
import { findOnPath } from "./ways/on-path.js";
import { type EnsureOptions } from "./running/options.js";
import { goTools, type ToolName } from "./cache/tools.js";
import { Missing } from "./ways/ways.js";

/**
 * Returns the path of a tool's binary: the one on PATH if the tool's entry accepts it, otherwise the cached one,
 * otherwise a new build.
 *
 * @throws {ToolUnavailableError} when this machine does not have the tool and cannot build it.
 */
export async function ensureTool(name: ToolName, options: EnsureOptions = {}): Promise<string> {
    const tool = goTools[name];
    const found = await findOnPath(tool);
    return found instanceof Missing ? ensureGoTool(tool, options) : found.command;
}
