import { access, constants, open, readdir, rm, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { type Readable } from "node:stream";
import { replaceFile } from "@pulumi-static-export/contract/replace-file";
import { type BetweenBatches, batchSize } from "./batches.js";
import { type Archive, type BundleStorage, type WhileUnused } from "./bundle-storage.js";
import { digestOf } from "../shared/digest.js";
import { type StorageFolders } from "./storage-folders.js";

const archiveName = /^([0-9a-f]{64})\.tar\.gz$/;

/** Stores archives in a folder. */
export class BundlesInFolder implements BundleStorage {
    readonly #bundles: string;
    /** The file state of each archive when it was last read, and whether its digest matched. */
    readonly #read = new Map<string, { version: string; isIntact: Promise<boolean> }>();

    constructor({ bundles }: Pick<StorageFolders, "bundles">) {
        this.#bundles = bundles;
    }

    /** Moves the archive, and syncs both file and name to disk. */
    async keep(archivePath: string, { sha256 }: Archive): Promise<void> {
        await sync(archivePath, "r+");
        await replaceFile(archivePath, this.#pathOf(sha256));
        if (process.platform !== "win32") {
            await sync(this.#bundles, "r");
        }
    }

    async examine(archive: Archive): Promise<"intact" | "damaged" | "missing"> {
        const found = await this.deliver(archive);
        if (typeof found === "string") {
            return found;
        }
        await found.file.close();
        return "intact";
    }

    /** Reads an archive once per process, and again when its file has changed. */
    async deliver({ sha256 }: Archive): Promise<{ file: FileHandle } | "damaged" | "missing"> {
        const file = await this.#open(sha256);
        if (file === undefined) {
            return "missing";
        }
        let isIntact = false;
        try {
            isIntact = await this.#hasDigest(sha256, file);
        } finally {
            if (!isIntact) {
                await file.close();
            }
        }
        return isIntact ? { file } : "damaged";
    }

    async read(archive: Archive): Promise<Readable | "damaged" | "missing"> {
        const delivery = await this.deliver(archive);
        return typeof delivery === "string" ? delivery : delivery.file.createReadStream({ start: 0 });
    }

    async #open(sha256: string): Promise<FileHandle | undefined> {
        try {
            return await open(this.#pathOf(sha256), "r");
        } catch (error) {
            if ((error as NodeJS.ErrnoException).code === "ENOENT") {
                return undefined;
            }
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
        const isIntact = digestOf(archive.createReadStream({ start: 0, autoClose: false })).then(
            (digest) => digest === sha256,
        );
        this.#read.set(sha256, { version, isIntact });
        try {
            return await isIntact;
        } catch (error) {
            this.#read.delete(sha256);
            throw error;
        }
    }

    async removeBundles(whileUnused: WhileUnused, betweenBatches: BetweenBatches): Promise<number> {
        const archives = (await listArchives(this.#bundles)).map(({ sha256 }) => sha256);
        let removed = 0;
        for (let from = 0; from < archives.length; from += batchSize) {
            removed += await whileUnused(archives.slice(from, from + batchSize), async (unused) => {
                for (const sha256 of unused) {
                    await rm(this.#pathOf(sha256), { force: true });
                    this.#read.delete(sha256);
                }
            });
            await betweenBatches();
        }
        return removed;
    }

    /** Records nothing, because each round lists the folder itself. */
    recordFound(): Promise<number> {
        return Promise.resolve(0);
    }

    async assertReachable(): Promise<void> {
        await access(this.#bundles, constants.W_OK);
    }

    async measure(): Promise<{ bundles: number; bytes: number }> {
        const archives = await listArchives(this.#bundles);
        let bytes = 0;
        for (const { path } of archives) {
            bytes += (await stat(path)).size;
        }
        return { bundles: archives.length, bytes };
    }

    #pathOf(sha256: string): string {
        return join(this.#bundles, `${sha256}.tar.gz`);
    }
}

/** The archives that a storage has written to a folder. */
export async function listArchives(folder: string): Promise<{ sha256: string; path: string }[]> {
    return (await readdir(folder)).flatMap((name) => {
        const [, sha256] = archiveName.exec(name) ?? [];
        return sha256 === undefined ? [] : [{ sha256, path: join(folder, name) }];
    });
}

async function sync(path: string, flags: string): Promise<void> {
    const handle = await open(path, flags);
    try {
        await handle.sync();
    } finally {
        await handle.close();
    }
}
