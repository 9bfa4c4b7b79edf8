import { mkdirSync, rmSync } from "node:fs";
import { mkdir, open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";

/**
 * Archives in the data folder, stored by digest: exports with the same result share one file, and a job keeps its
 * bundle for as long as the data folder lives. Beside them a work folder per running job, and a cache per domain.
 */
export class BundleStorage {
    readonly #bundles: string;
    readonly #work: string;
    readonly #cache: string;

    /** Clears what a killed service left in its work folders. */
    constructor(dataDir: string) {
        this.#bundles = join(dataDir, "bundles");
        this.#work = join(dataDir, "work");
        this.#cache = join(dataDir, "cache");
        rmSync(this.#work, { recursive: true, force: true });
        for (const folder of [this.#bundles, this.#work, this.#cache]) {
            mkdirSync(folder, { recursive: true });
        }
    }

    /** A folder that is empty now and gone when `use` has settled. */
    async withWorkFolder<T>(jobId: string, use: (folder: string) => Promise<T>): Promise<T> {
        const folder = join(this.#work, jobId);
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

    /** Takes over a finished archive; it is on disk under its digest, complete, when this returns. */
    async keep(archivePath: string, sha256: string): Promise<void> {
        const handle = await open(archivePath, "r+");
        try {
            await handle.sync();
        } finally {
            await handle.close();
        }
        await rename(archivePath, this.#pathOf(sha256));
    }

    async has(sha256: string): Promise<boolean> {
        return stat(this.#pathOf(sha256)).then(
            (found) => found.isFile(),
            () => false,
        );
    }

    /** The archive opened for reading, or undefined when somebody removed it; the caller closes it. */
    async open(sha256: string): Promise<FileHandle | undefined> {
        try {
            return await open(this.#pathOf(sha256), "r");
        } catch (error) {
            if ((error as NodeJS.ErrnoException).code === "ENOENT") {
                return undefined;
            }
            throw error;
        }
    }

    #pathOf(sha256: string): string {
        return join(this.#bundles, `${sha256}.tar.gz`);
    }
}
