import path from "node:path";
import { cachedBinary, isExecutable } from "../cache/cache.js";
import { ensureCached } from "../cache/ensure-cached.js";
import { buildWithGo } from "./go-build.js";
import { formatDuration, withHeartbeat } from "../running/heartbeat.js";
import { type EnsureOptions, reporter } from "../running/options.js";
import { type GoTool } from "../cache/tools.js";

/**
 * Returns the path of a tool's binary in the cache, building it first if it is missing.
 *
 * @throws {ToolUnavailableError} when it cannot be built on this machine.
 */
export async function ensureGoTool(tool: GoTool, options: EnsureOptions = {}): Promise<string> {
    const binary = cachedBinary(tool);
    const report = reporter(options);
    const identity = `${tool.name} ${tool.version}`;
    const build = async (partialFolder: string) => {
        const duration = formatDuration(tool.typicalMinutes * 60_000);
        report(`Building ${identity} with Go, once. This takes about ${duration} on two cores.`);
        const texts = { started: `building ${identity}`, ended: `Built ${identity}` };
        return withHeartbeat(texts, { report }, () => buildWithGo(tool, partialFolder, options.signal));
    };
    return ensureCached(
        {
            folder: path.dirname(binary),
            target: binary,
            isThere: () => isExecutable(binary),
            doing: `building ${identity}`,
            make: build,
        },
        options,
    );
}
