import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isUnfinished } from "@pulumi-static-export/exporter";

/** Where a process keeps archives, the files of its running jobs, and what it keeps between the jobs of a domain. */
export interface StorageFolders {
    bundles: string;
    work: string;
    cache: string;
}

export function foldersIn(dataDir: string): StorageFolders {
    return { bundles: join(dataDir, "bundles"), work: join(dataDir, "work"), cache: join(dataDir, "cache") };
}

/** Creates folders that other processes also use, and removes nothing from them. */
export function createSharedFolders(dataDir: string): StorageFolders {
    const folders = foldersIn(dataDir);
    for (const folder of [folders.bundles, folders.work, folders.cache]) {
        mkdirSync(folder, { recursive: true });
    }
    return folders;
}

/**
 * Folders of a process that has them to itself: without what a killed service left unfinished in its work folders and
 * caches, and without the caches of domains other than these.
 */
export function createOwnFolders(dataDir: string, domains: readonly string[]): StorageFolders {
    rmSync(join(dataDir, "work"), { recursive: true, force: true });
    const folders = createSharedFolders(dataDir);
    for (const domain of readdirSync(folders.cache)) {
        const folder = join(folders.cache, domain);
        if (!domains.includes(domain)) {
            rmSync(folder, { recursive: true, force: true });
            continue;
        }
        for (const file of readdirSync(folder)) {
            if (isUnfinished(file)) {
                rmSync(join(folder, file), { recursive: true, force: true });
            }
        }
    }
    return folders;
}

/** Removes work folders of killed processes: those that have not changed for `olderThanMs`. */
export function removeOldWork({ work }: Pick<StorageFolders, "work">, olderThanMs: number): void {
    for (const name of readdirSync(work)) {
        const folder = join(work, name);
        // Another worker may remove it, too, or end its job.
        const found = statSync(folder, { throwIfNoEntry: false });
        if (found !== undefined && Date.now() - found.mtimeMs > olderThanMs) {
            rmSync(folder, { recursive: true, force: true });
        }
    }
}
