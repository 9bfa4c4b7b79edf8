import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { lockFile } from "../database/open-sqlite.js";
import { dayMs } from "../shared/day-ms.js";
import { timeWithoutLeaps } from "../shared/time-without-leaps.js";
import { removeLeftovers } from "./remove-leftovers.js";

/** Names the machine: not every network file system shows a lock to other machines. */
const suffix = `.${createHash("sha256").update(hostname()).digest("hex").slice(0, 8)}.lock`;
const anySuffix = /\.[0-9a-f]{8}\.lock$/;

/**
 * Marks a folder, which does not exist yet, as used until the returned function is called or this process ends for any
 * reason. Without effect on a file system without locks: there, only the age of a folder says that nobody uses it.
 */
export function holdFolder(folder: string): () => Promise<void> {
    const lock = `${folder}${suffix}`;
    let release = (): void => undefined;
    try {
        release = lockFile(lock);
    } catch {
        // Otherwise, the folder would look as if it were used for ever.
        rmSync(lock, { force: true });
    }
    return async () => {
        release();
        await rm(lock, { force: true });
    };
}

/**
 * Removes the folders whose processes on this machine have ended without removing them, such as a killed worker's, and
 * other folders that have not changed for `maxAgeMs`, but never one whose lock is held.
 *
 * @param maxAgeMs 0 in a place that only this process uses: a folder of any age
 * @param remove removes a folder, which may be missing, or returns why it cannot
 * @returns why folders could not be removed
 */
export async function removeUnheldFolders(
    place: string,
    maxAgeMs = dayMs,
    remove: (folder: string) => Promise<string | undefined> = removeLeftovers,
): Promise<string[]> {
    const names = await readdir(place).catch((): string[] => []);
    const failures: string[] = [];
    for (const [name, group] of Map.groupBy(names, (each) => each.replace(anySuffix, ""))) {
        const locks = group.filter((each) => each !== name);
        const releases: (() => void)[] = [];
        let isRemoved = false;
        try {
            for (const lock of locks) {
                releases.push(lockFile(join(place, lock)));
            }
            const isEnded = maxAgeMs === 0 || locks.some((lock) => lock.endsWith(suffix));
            if (isEnded || (await isOlder(place, group, maxAgeMs))) {
                const failure = await remove(join(place, name));
                isRemoved = failure === undefined;
                failures.push(...(failure === undefined ? [] : [failure]));
            }
        } catch {
            // A process uses the folder.
        } finally {
            releases.forEach((release) => release());
        }
        for (const lock of isRemoved ? locks : []) {
            await rm(join(place, lock), { force: true });
        }
    }
    return failures;
}

async function isOlder(place: string, names: readonly string[], ageMs: number): Promise<boolean> {
    // The folder's process may remove it at the same time.
    const found = await Promise.all(names.map((name) => stat(join(place, name)).catch(() => undefined)));
    return found.every((each) => each === undefined || timeWithoutLeaps() - each.mtimeMs > ageMs);
}
