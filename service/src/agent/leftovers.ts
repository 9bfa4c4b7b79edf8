import { execFile } from "node:child_process";
import { lstat, rm } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Removes what an agent left, also folders without write permission and paths that are too long for the system.
 * Resolves to the reason if something could not be removed, such as another user's files.
 */
export async function removeLeftovers(path: string): Promise<string | undefined> {
    try {
        await rm(path, { recursive: true, force: true, maxRetries: 3 });
        return undefined;
    } catch {
        // Below.
    }
    try {
        if ((await lstat(path)).isDirectory()) {
            await makeWritable(path);
        }
        // Unlike Node, it does not build paths, whose length the system limits.
        await run("rm", ["-rf", "--", path]);
        return undefined;
    } catch (error) {
        const [reason = ""] = ((error as { stderr?: string }).stderr ?? String(error)).split("\n", 1);
        return reason;
    }
}

/** Gives the owner access to a folder and everything in it. Follows no links, and leaves what belongs to others. */
export async function makeWritable(folder: string): Promise<void> {
    await run("chmod", ["-R", "u+rwX", "--", `${folder}/`]).catch(() => undefined);
}
