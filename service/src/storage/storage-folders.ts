import { randomBytes } from "node:crypto";
import { constants, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { access, mkdir, rm, statfs, utimes } from "node:fs/promises";
import { join } from "node:path";
import { isUnfinished } from "@pulumi-static-export/exporter";

/** With less free space, not even the log of a job can be written. */
const minFreeBytes = 1024 * 1024;

/** The folders for archives, for the files of running jobs, and for the caches of domains. */
export interface StorageFolders {
    bundles: string;
    work: string;
    cache: string;
}

export function foldersIn(dataDir: string): StorageFolders {
    return { bundles: join(dataDir, "bundles"), work: join(dataDir, "work"), cache: join(dataDir, "cache") };
}

/** Creates folders that other processes share, and removes nothing from them. */
export function createSharedFolders(dataDir: string): StorageFolders {
    const folders = foldersIn(dataDir);
    for (const folder of [folders.bundles, folders.work, folders.cache]) {
        mkdirSync(folder, { recursive: true });
    }
    return folders;
}

/**
 * Creates folders that only one process uses; removes a killed service's unfinished files, and caches of domains that
 * are not given.
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

/** Removes work folders that have not changed for `olderThanMs`, because their processes were killed. */
export function removeOldWork({ work }: Pick<StorageFolders, "work">, olderThanMs: number): void {
    for (const name of readdirSync(work)) {
        const folder = join(work, name);
        // Another worker may remove the folder at the same time, or the folder's job may end.
        const found = statSync(folder, { throwIfNoEntry: false });
        if (found !== undefined && Date.now() - found.mtimeMs > olderThanMs) {
            rmSync(folder, { recursive: true, force: true });
        }
    }
}

/** A work folder per running job, and a cache per domain. */
export class WorkFolders {
    readonly #work: string;
    readonly #cache: string;
    readonly #all: readonly string[];

    constructor(folders: StorageFolders) {
        this.#work = folders.work;
        this.#cache = folders.cache;
        this.#all = Object.values(folders) as string[];
    }

    /** @throws an error that says why a job cannot write its files now */
    assertWritable(): Promise<void> {
        return assertWritable(this.#all);
    }

    /** Creates an empty folder that is removed after `use` has settled. */
    async withWorkFolder<T>(jobId: string, use: (folder: string) => Promise<T>): Promise<T> {
        // The name is new each time: an export process of a killed service may still write to the old folder for a
        // second.
        const folder = join(this.#work, `${jobId}-${randomBytes(4).toString("hex")}`);
        await mkdir(folder);
        try {
            return await use(folder);
        } finally {
            await rm(folder, { recursive: true, force: true });
        }
    }

    async cacheFolder(domain: string): Promise<string> {
        const folder = join(this.#cache, domain);
        await mkdir(folder, { recursive: true });
        // `pruneCaches` removes the least recently used ones.
        const now = new Date();
        await utimes(folder, now, now);
        return folder;
    }
}

/** @throws an error that says why files cannot be written in one of these folders */
export async function assertWritable(folders: readonly string[]): Promise<void> {
    for (const folder of folders) {
        await access(folder, constants.W_OK);
        const { bavail, bsize, files, ffree } = await statfs(folder);
        // Some file systems do not limit the number of files.
        if (bavail * bsize < minFreeBytes || (files > 0 && ffree === 0)) {
            throw new Error(`the disk of ${folder} is full`);
        }
    }
}
