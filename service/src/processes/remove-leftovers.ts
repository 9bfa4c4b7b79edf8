import { execFile } from "node:child_process";
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { asOwner } from "./program-user.js";

const run = promisify(execFile);

/**
 * Removes what an agent left, including folders without write permission and paths that are too long for the system.
 * Resolves to the reason if something could not be removed, such as another user's files.
 */
export async function removeLeftovers(path: string): Promise<string | undefined> {
    // Unlike Node's `rm`, this command needs little memory for millions of files, and does not build full paths, which
    // may be too long for the system.
    const remove = () => run("rm", ["-rf", "--", path]);
    try {
        await remove().catch(async () => {
            // The run's folder may be a file system, and its files may belong to the run's user.
            await run("umount", ["--lazy", "--", path]).catch(() => undefined);
            const [program, ...args] = asOwner(["rm", "-rf", "--", path]);
            await run(program, args).catch(() => undefined);
            const left = await lstat(path).catch(() => undefined);
            if (left?.isDirectory() === true) {
                await makeWritable(path);
            }
            await remove();
        });
        return undefined;
    } catch (error) {
        // A program that cannot be started writes no error.
        const [reason = ""] = ((error as { stderr?: string }).stderr || String(error)).split("\n", 1);
        return reason;
    }
}

/**
 * Removes the locks of killed git processes. Call this function only while no other process uses the repositories in
 * the folder.
 */
export async function removeStaleLocks(folder: string): Promise<void> {
    const files = await readdir(folder, { recursive: true }).catch((): string[] => []);
    for (const file of files.filter((name) => name.endsWith(".lock"))) {
        // If a lock cannot be removed, the next job fails with git's message.
        await rm(join(folder, file), { force: true }).catch(() => undefined);
    }
}

/** Gives the owner access to a folder and everything in it. Does not follow links, and skips other users' files. */
export async function makeWritable(folder: string): Promise<void> {
    await run("chmod", ["-R", "u+rwX", "--", `${folder}/`]).catch(() => undefined);
}
