import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { onExit } from "signal-exit";
import { cachedBinary, isExecutable } from "./cache.js";
import { buildWithGo } from "./go-build.js";
import { formatDuration, withHeartbeat } from "./heartbeat.js";
import { withLock } from "./lock.js";
import { type EnsureOptions, reporter } from "./options.js";
import { type GoTool } from "./tools.js";

/**
 * Returns the path of a tool's binary in the cache, and builds it first if it is not there yet.
 *
 * The binary appears there whole or not at all, also when the build is aborted or its process killed. Processes that
 * ask for the same tool at once build it once.
 *
 * @throws {ToolUnavailableError} when it cannot be built on this machine.
 */
export async function ensureGoTool(tool: GoTool, options: EnsureOptions = {}): Promise<string> {
    const binary = cachedBinary(tool);
    if (await isExecutable(binary)) {
        return binary;
    }
    const report = reporter(options);
    const { signal } = options;
    const identity = `${tool.name} ${tool.version}`;
    const folder = path.dirname(binary);
    await mkdir(path.dirname(folder), { recursive: true });

    const onWait = () => report(`Waiting for another process that is building ${identity} (it holds ${folder}.lock).`);
    return withLock(`${folder}.lock`, { onWait, signal }, async () => {
        if (await isExecutable(binary)) {
            return binary;
        }
        await inPartialFolder(folder, async (partialFolder) => {
            const duration = formatDuration(tool.typicalMinutes * 60_000);
            report(`Building ${identity} with Go, once; takes about ${duration} on two cores.`);
            const texts = { started: `building ${identity}`, ended: `Built ${identity}` };
            const built = await withHeartbeat(texts, { report }, () => buildWithGo(tool, partialFolder, signal));
            await mkdir(folder, { recursive: true });
            await rename(built, binary);
        });
        return binary;
    });
}

/** Gives `work` a folder beside `folder`, removed afterwards, and removes those that killed processes left. */
export async function inPartialFolder<T>(folder: string, work: (partialFolder: string) => Promise<T>): Promise<T> {
    const parent = path.dirname(folder);
    const prefix = `.${path.basename(folder)}.partial-`;
    for (const name of await readdir(parent)) {
        if (name.startsWith(prefix)) {
            await removeFolder(path.join(parent, name));
        }
    }
    const partialFolder = await mkdtemp(path.join(parent, prefix));
    // For callers that leave Ctrl-C to Node, which then runs no `finally`.
    const cancelExitHook = onExit(() => rmSync(partialFolder, { recursive: true, force: true }));
    try {
        return await work(partialFolder);
    } finally {
        cancelExitHook();
        await removeFolder(partialFolder);
    }
}

/** With retries, because compilers of a killed `go` may still write there for a moment. */
async function removeFolder(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
