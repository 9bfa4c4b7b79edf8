import { ensureGoTool } from "./ensure-go-tool.js";
import { findOnPath } from "./on-path.js";
import { type EnsureOptions } from "./options.js";
import { goTools, type ToolName } from "./tools.js";
import { Missing } from "./ways.js";

/**
 * Returns the path of a tool's binary: of the one on PATH where the tool's entry accepts that, else of the cached
 * one, else of the one it builds.
 *
 * @throws {ToolUnavailableError} when it cannot be had on this machine.
 */
export async function ensureTool(name: ToolName, options: EnsureOptions = {}): Promise<string> {
    const tool = goTools[name];
    const found = await findOnPath(tool);
    return found instanceof Missing ? ensureGoTool(tool, options) : found.command;
}
