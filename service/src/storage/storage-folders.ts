import { randomBytes } from "node:crypto";
import { constants, mkdirSync, readdirSync, rmSync } from "node:fs";
import { access, mkdir, rm, statfs, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isUnfinished } from "@pulumi-static-export/exporter";
import { holdFolder, removeUnheldFolders } from "../processes/held-folders.js";
import { type LogFields, type ServiceLogger } from "../shared/logger.js";

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
 * Creates folders that only one process uses; removes a killed service's unfinished files from caches, and caches of
 * domains that are not given.
 */
export function createOwnFolders(dataDir: string, domains: readonly string[]): StorageFolders {
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

/** A work folder per running job, and a cache per domain. */
export class WorkFolders {
    readonly #work: string;
    readonly #cache: string;
    readonly #all: readonly string[];

    /** @param maxAgeMs as of {@link removeUnheldFolders} */
    constructor(
        folders: StorageFolders,
        private readonly maxAgeMs: number,
    ) {
        this.#work = folders.work;
        this.#cache = folders.cache;
        this.#all = Object.values(folders) as string[];
    }

    /** @throws an error that says why a job cannot write its files now */
    assertWritable(): Promise<void> {
        return assertWritable(this.#all);
    }

    /** Removes the work folders of processes that were killed. @returns why some could not be removed */
    removeUnheld(): Promise<string[]> {
        return removeUnheldFolders(this.#work, this.maxAgeMs);
    }

    /** Creates an empty folder that is removed after `use` has settled. */
    async withWorkFolder<T>(jobId: string, use: (folder: string) => Promise<T>): Promise<T> {
        // The name is new each time: an export process of a killed service may still write to the old folder for a
        // second.
        const folder = join(this.#work, `${jobId}-${randomBytes(4).toString("hex")}`);
        const release = holdFolder(folder);
        try {
            await mkdir(folder);
            return await use(folder);
        } finally {
            await rm(folder, { recursive: true, force: true });
            await release();
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

interface SpaceOptions {
    /** Rejects with the reason while files cannot be written. */
    assertWritable: () => Promise<void>;
    signal: AbortSignal;
    /** Called when the wait begins, with the reason, and without one when it ends. */
    onWait: (reason?: string) => void;
}

const spaceCheckMs = 1000;

/**
 * Calls `write`; if it fails while the disk is full, waits for space and calls it again. `write` must first remove what
 * it left: if there is space then, it needs more than the disk has.
 *
 * @throws the error of `write`, or the reason of the signal
 */
export async function writeWithSpace<T>(
    write: () => Promise<T>,
    { assertWritable: check, signal, onWait }: SpaceOptions,
): Promise<T> {
    for (;;) {
        try {
            return await write();
        } catch (error) {
            signal.throwIfAborted();
            const reason = await reasonOf(check());
            if (reason === undefined) {
                throw error;
            }
            onWait(reason);
        }
        do {
            await delay(spaceCheckMs, undefined, { signal });
        } while ((await reasonOf(check())) !== undefined);
        onWait();
    }
}

/** @returns a function that writes to a run's own log, and to that of the service, when a wait begins and ends */
export function reportWait(
    run: string,
    note: (line: string) => void,
    logger: ServiceLogger,
    fields: LogFields,
): SpaceOptions["onWait"] {
    return (reason) => {
        if (reason === undefined) {
            note("There is space again.");
            logger.info(`${run} continues: there is space again.`, fields);
        } else {
            note(`Waits until there is space: ${reason}.`);
            logger.error(`${run} waits until there is space: ${reason}.`, fields);
        }
    };
}

/** @returns the message of the error with which a check rejects */
export function reasonOf(check: Promise<unknown>): Promise<string | undefined> {
    return check.then(
        () => undefined,
        (error: unknown) => (error as Error).message,
    );
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
