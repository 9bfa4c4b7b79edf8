import { parseArgs } from "node:util";
import { cacheFolder, cachedBinary, isExecutable } from "./cache/cache.js";
import { ensureTool } from "./ensure-tool.js";
import { ToolUnavailableError } from "./running/errors.js";
import { ensureKubernetesProvider } from "./kubernetes-provider.js";
import { type EnsureOptions } from "./running/options.js";
import { ensurePulumi } from "./pulumi.js";
import { goTools, type ToolName } from "./cache/tools.js";

const usage = `Usage: npm run toolchain -- get [name…]   gets the named tools, or all of them, ahead of time
       npm run toolchain -- list          shows which tools are cached, and where

Tools: ${Object.keys(goTools).join(", ")}

STATIC_EXPORT_CACHE_DIR moves the cache. STATIC_EXPORT_PULUMI=path|download|build allows only one way to get pulumi.`;

async function main(): Promise<void> {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { help: { type: "boolean" } } });
    const [command, ...names] = positionals;
    if (values.help === true) {
        console.log(usage);
    } else if (command === "list" && names.length === 0) {
        await list();
    } else if (command === "get" && names.every(isToolName)) {
        await get(names.length > 0 ? names : (Object.keys(goTools) as ToolName[]));
    } else {
        const unknown = names.find((name) => !isToolName(name));
        console.error(unknown === undefined ? usage : `There is no tool "${unknown}".\n\n${usage}`);
        process.exitCode = 2;
    }
}

function isToolName(name: string): name is ToolName {
    return Object.hasOwn(goTools, name);
}

async function list(): Promise<void> {
    const rows = Object.values(goTools).map(async (tool) => {
        const binary = cachedBinary(tool);
        const state = (await isExecutable(binary)) ? binary : `not cached, about ${tool.typicalMinutes} min to build`;
        return `${tool.name.padEnd(28)}${tool.version.padEnd(10)}${state}`;
    });
    console.log([`Cache: ${cacheFolder()}`, ...(await Promise.all(rows))].join("\n"));
}

/** Builds one tool after another, because a single Go build keeps every core busy. */
async function get(names: readonly ToolName[]): Promise<void> {
    const interrupted = new AbortController();
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
        // Does not use once(): without a listener, a library's exit hook would end the process before the clean-up is
        // complete.
        process.on(signal, () => interrupted.abort(new Error(`Interrupted by ${signal}.`)));
    }
    for (const name of names) {
        console.log(`${name.padEnd(28)}${await getOne(name, { signal: interrupted.signal })}`);
    }
}

/** Gets one tool. Some tools can be downloaded instead of built. */
async function getOne(name: ToolName, options: EnsureOptions): Promise<string> {
    if (name === "pulumi") {
        return (await ensurePulumi(options)).command;
    }
    return name === "pulumi-resource-kubernetes" ? ensureKubernetesProvider(options) : ensureTool(name, options);
}

try {
    await main();
} catch (error) {
    // Expected failures print their message without a stack.
    const expected = error instanceof ToolUnavailableError || (error as Error).message.startsWith("Interrupted by ");
    console.error(expected ? (error as Error).message : error);
    process.exitCode = 1;
}
