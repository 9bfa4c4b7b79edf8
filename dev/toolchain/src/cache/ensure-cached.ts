import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { onExit } from "signal-exit";
import { withLock } from "./lock.js";
import { type EnsureOptions, reporter } from "../running/options.js";

/** An object that is created once and then stays in the cache. */
export interface Cached {
    /** The object's folder in the cache. */
    readonly folder: string;
    /**
     * The file or folder to create, atomically.
     * @default the folder itself
     */
    readonly target?: string;
    /** Whether the target already exists. */
    readonly isThere: () => Promise<boolean>;
    /** Describes the work of another process while this process waits, as in `building helm 4.3.1`. */
    readonly doing: string;
    /** Creates the object inside an empty folder, and returns the path to move to the target. */
    readonly make: (partialFolder: string) => Promise<string>;
}

/**
 * Returns the path of the cached target, creating it first if it is missing. The target appears atomically, even if
 * `make` is aborted or its process is killed. Concurrent processes create the target only once.
 */
export async function ensureCached(cached: Cached, options: EnsureOptions): Promise<string> {
    const { folder, target = folder, isThere, doing, make } = cached;
    if (await isThere()) {
        return target;
    }
    await mkdir(path.dirname(folder), { recursive: true });
    const onWait = () => reporter(options)(`Waiting for another process that is ${doing} (it holds ${folder}.lock).`);
    return withLock(`${folder}.lock`, { onWait, signal: options.signal }, async () => {
        if (!(await isThere())) {
            await inPartialFolder(folder, async (partialFolder) => {
                const made = await make(partialFolder);
                await rm(target, { recursive: true, force: true });
                await mkdir(path.dirname(target), { recursive: true });
                await rename(made, target);
            });
        }
        return target;
    });
}

/**
 * Gives `work` a temporary folder next to `folder`, and removes temporary folders that killed processes left behind.
 */
async function inPartialFolder<T>(folder: string, work: (partialFolder: string) => Promise<T>): Promise<T> {
    const parent = path.dirname(folder);
    const prefix = `.${path.basename(folder)}.partial-`;
    for (const name of await readdir(parent)) {
        if (name.startsWith(prefix)) {
            await removeFolder(path.join(parent, name));
        }
    }
    const partialFolder = await mkdtemp(path.join(parent, prefix));
    // Removes the folder for callers without a Ctrl-C handler, because Node.js then exits without running `finally`.
    const cancelExitHook = onExit(() => rmSync(partialFolder, { recursive: true, force: true }));
    try {
        return await work(partialFolder);
    } finally {
        cancelExitHook();
        await removeFolder(partialFolder);
    }
}

/** Retries, because the compilers of a killed `go` may keep writing for a moment. */
async function removeFolder(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
