import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";

import { type StorageFolders } from "./storage-folders.js";

const archiveName = /^([0-9a-f]{64})\.tar\.gz$/;

/**
 * Archives in the data folder, stored by digest: exports with the same result share one file. Beside them a work folder
 * per running job, and a cache per domain.
 */
export class BundleStorage {
    readonly #bundles: string;
    readonly #work: string;
    readonly #cache: string;
    /** Which state of each archive was read last, and whether it had its digest. */
    readonly #read = new Map<string, { version: string; isIntact: Promise<boolean> }>();

    constructor({ bundles, work, cache }: StorageFolders) {
        this.#bundles = bundles;
        this.#work = work;
        this.#cache = cache;
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

    /** Moves a finished archive into the storage; when this returns, both file and name are synced to disk. */
    async keep(archivePath: string, sha256: string): Promise<void> {
        await sync(archivePath, "r+");
        await rename(archivePath, this.#pathOf(sha256));
        if (process.platform !== "win32") {
            await sync(this.#bundles, "r");
        }
    }

    /** The archive opened for reading, or undefined if it was removed; the caller closes it. */
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

    /**
     * Whether an opened archive still has its digest. Reads it once in the life of this process, and again after the file has
     * changed. Closes it if it cannot be read.
     */
    async isIntact(sha256: string, archive: FileHandle): Promise<boolean> {
        try {
            return await this.#hasDigest(sha256, archive);
        } catch (error) {
            await archive.close();
            throw error;
        }
    }

    async #hasDigest(sha256: string, archive: FileHandle): Promise<boolean> {
        const { ino, size, mtimeMs } = await archive.stat();
        const version = `${ino} ${size} ${mtimeMs}`;
        const known = this.#read.get(sha256);
        if (known?.version === version) {
            return known.isIntact;
        }
        const isIntact = digestOf(archive).then((digest) => digest === sha256);
        this.#read.set(sha256, { version, isIntact });
        try {
            return await isIntact;
        } catch (error) {
            this.#read.delete(sha256);
            throw error;
        }
    }

    /**
     * Removes archives; downloads in progress continue.
     *
     * @param whileUnused - calls `remove` if nothing needs the archive, and says whether it has
     * @returns how many it removed
     */
    async removeBundles(
        whileUnused: (sha256: string, remove: () => Promise<void>) => Promise<boolean>,
    ): Promise<number> {
        let removed = 0;
        for (const name of await readdir(this.#bundles)) {
            const [, sha256] = archiveName.exec(name) ?? [];
            const remove = async (): Promise<void> => {
                await rm(join(this.#bundles, name), { force: true });
                this.#read.delete(sha256 ?? "");
            };
            if (sha256 !== undefined && (await whileUnused(sha256, remove))) {
                removed += 1;
            }
        }
        return removed;
    }

    async measure(): Promise<{ bundles: number; bytes: number }> {
        const names = (await readdir(this.#bundles)).filter((name) => archiveName.test(name));
        let bytes = 0;
        for (const name of names) {
            bytes += (await stat(join(this.#bundles, name))).size;
        }
        return { bundles: names.length, bytes };
    }

    #pathOf(sha256: string): string {
        return join(this.#bundles, `${sha256}.tar.gz`);
    }
}

async function digestOf(archive: FileHandle): Promise<string> {
    const hash = createHash("sha256");
    for await (const chunk of archive.createReadStream({ start: 0, autoClose: false })) {
        hash.update(chunk as Buffer);
    }
    return hash.digest("hex");
}

async function sync(path: string, flags: string): Promise<void> {
    const handle = await open(path, flags);
    try {
        await handle.sync();
    } finally {
        await handle.close();
    }
}
