import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { assertWritable } from "./assert-writable.js";
import { type StorageFolders } from "./storage-folders.js";

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

    /** @throws an error that says why a job could not write its files at the moment */
    assertWritable(): Promise<void> {
        return assertWritable(this.#all);
    }

    /** Creates an empty folder that is removed once `use` has settled. */
    async withWorkFolder<T>(jobId: string, use: (folder: string) => Promise<T>): Promise<T> {
        // A new name each time: an export process of a killed service may still write to the old folder for a second.
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
        return folder;
    }
}
