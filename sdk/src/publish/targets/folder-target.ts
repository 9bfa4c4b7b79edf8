import { createHash, randomUUID } from "node:crypto";
import { constants, createReadStream, createWriteStream } from "node:fs";
import {
    copyFile,
    link,
    lstat,
    mkdir,
    readdir,
    readFile,
    rename,
    rm,
    rmdir,
    stat,
    symlink,
    unlink,
    writeFile,
} from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { PublishError, RecordChangedError } from "../errors/publish-error.js";
import type { StoredFile } from "../records/inventory.js";
import { ownFolder, recordKey } from "../records/site-record.js";
import type { SiteTarget } from "./site-target.js";

const recordFile = /^record-(\d{12})\.json$/;

/**
 * A folder of this machine or a network, for a web server. Each version of the record is a file with the next number.
 * Creating a hard link fails if the file exists, even if two machines create the link at the same time.
 */
export class FolderTarget implements SiteTarget {
    readonly hasHeaders = false;
    readonly concurrency = 8;
    readonly address: string;
    readonly recordAddress: string;
    readonly #root: string;
    readonly #own: string;
    readonly #scratch: string;

    private constructor(root: string) {
        this.#root = root;
        this.#own = join(root, ownFolder);
        this.#scratch = join(this.#own, "unfinished");
        this.address = `file://${root}/`;
        this.recordAddress = `${this.address}${ownFolder}record-*.json`;
    }

    /** @throws PublishError if the folder does not exist: a missing folder may be a disk that is not mounted */
    static async open(root: string): Promise<FolderTarget> {
        const found = await stat(root).catch(() => undefined);
        if (!found?.isDirectory()) {
            throw new PublishError(`There is no folder ${root}: create it, or mount the disk that contains it.`);
        }
        return new FolderTarget(root.replace(/(?<=.)\/+$/, ""));
    }

    async read(path: string): Promise<{ content: Buffer; version: string } | undefined> {
        if (path !== recordKey) {
            const content = await readFile(join(this.#root, path)).catch(ignoreMissing);
            return content && { content, version: "" };
        }
        // Another run may replace the latest version while it is being read.
        for (;;) {
            const number = (await this.#recordNumbers()).at(-1);
            if (number === undefined) {
                return undefined;
            }
            const content = await readFile(this.#recordPath(number)).catch(ignoreMissing);
            if (content !== undefined) {
                return { content, version: String(number) };
            }
        }
    }

    async write(path: string, content: Buffer): Promise<void> {
        await this.#place(path, (file) => writeFile(file, content, { flag: "wx", mode: 0o644 }));
    }

    async writeRecord(content: Buffer, version: string | undefined): Promise<string> {
        const number = Number(version ?? 0) + 1;
        const changed = new RecordChangedError(this.address);
        await this.#withScratch(async (file) => {
            await writeFile(file, content, { flag: "wx", mode: 0o644 });
            await link(file, this.#recordPath(number)).catch((error: NodeJS.ErrnoException) => {
                throw error.code === "EEXIST" ? changed : error;
            });
        });
        const numbers = await this.#recordNumbers();
        if (numbers.some((each) => each > number)) {
            // Other runs have removed the version that this run expects.
            await rm(this.#recordPath(number), { force: true });
            throw changed;
        }
        for (const earlier of numbers.filter((each) => each < number)) {
            await rm(this.#recordPath(earlier), { force: true });
        }
        return String(number);
    }

    findConditionalWrites(): Promise<boolean> {
        return Promise.resolve(true);
    }

    async send(path: string, localPath: string, { digest }: StoredFile, signal: AbortSignal): Promise<void> {
        const hash = createHash("sha256");
        await this.#place(path, async (file) => {
            const measured = async function* (chunks: AsyncIterable<Buffer>) {
                for await (const chunk of chunks) {
                    hash.update(chunk);
                    yield chunk;
                }
            };
            const target = createWriteStream(file, { flags: "wx", mode: 0o644 });
            await pipeline(createReadStream(localPath), measured, target, { signal });
            if (hash.digest("hex") !== digest) {
                throw new PublishError(`The file ${localPath} was changed while it was published: publish again.`);
            }
        });
    }

    async copy(from: string, to: string, { digest }: StoredFile): Promise<void> {
        await this.#place(to, async (file) => {
            await copyFile(join(this.#root, from), file, constants.COPYFILE_FICLONE);
            const hash = createHash("sha256");
            await pipeline(createReadStream(file), hash);
            if (hash.digest("hex") !== digest) {
                throw new PublishError(
                    `${this.address}${from} does not have the content that the list of files says: publish the site ` +
                        "again, from its folder or archive.",
                );
            }
        });
    }

    async remove(paths: readonly string[]): Promise<void> {
        for (const path of paths) {
            await unlink(join(this.#root, path)).catch((error: NodeJS.ErrnoException) => {
                // EISDIR or EPERM: a folder in one release has the name of a file in the other.
                if (!["ENOENT", "ENOTDIR", "EISDIR", "EPERM"].includes(error.code ?? "")) {
                    throw error;
                }
            });
            await this.#removeEmptyFolders(dirname(path));
        }
    }

    async removeRecord(): Promise<void> {
        await rm(this.#scratch, { recursive: true, force: true });
        const numbers = await this.#recordNumbers();
        await this.remove(numbers.map((number) => relative(this.#root, this.#recordPath(number))));
    }

    async *list(): AsyncGenerator<{ path: string; sizeBytes: number }> {
        const folders = [""];
        for (let parent = folders.pop(); parent !== undefined; parent = folders.pop()) {
            for (const entry of await readdir(join(this.#root, parent), { withFileTypes: true })) {
                const path = parent + entry.name;
                if (entry.isDirectory()) {
                    folders.push(`${path}/`);
                } else if (entry.isFile()) {
                    yield { path, sizeBytes: (await stat(join(this.#root, path))).size };
                }
            }
        }
    }

    /** Web servers serve the link `current`. */
    async switchTo(folder: string | undefined): Promise<void> {
        const current = join(this.#root, "current");
        if (folder === undefined) {
            // A file of a site that is replaced file by file may have this name.
            const isLink = (await lstat(current).catch(ignoreMissing))?.isSymbolicLink() === true;
            return isLink ? unlink(current) : undefined;
        }
        await this.#withScratch(async (link) => {
            await symlink(folder.replace(/\/$/, ""), link);
            await rename(link, current).catch((error: NodeJS.ErrnoException) => {
                throw error.code === "EISDIR" || error.code === "ENOTEMPTY"
                    ? new PublishError(`${current} is a folder, where the link to the release belongs: move it away.`)
                    : error;
            });
        });
    }

    close(): void {
        // Nothing is open.
    }

    #recordPath(number: number): string {
        return join(this.#own, `record-${String(number).padStart(12, "0")}.json`);
    }

    async #recordNumbers(): Promise<number[]> {
        const names = (await readdir(this.#own).catch(ignoreMissing)) ?? [];
        const numbers = names.flatMap((name) => recordFile.exec(name)?.[1] ?? []).map(Number);
        return numbers.sort((a, b) => a - b);
    }

    /** Writes a file elsewhere and renames it, so that readers get either the old or the new content. */
    async #place(path: string, write: (file: string) => Promise<unknown>): Promise<void> {
        const target = join(this.#root, path);
        await this.#withScratch(async (file) => {
            await write(file);
            try {
                await this.#makeParents(path);
                await rename(file, target);
            } catch (error) {
                const isFolder = (await stat(target).catch(() => undefined))?.isDirectory();
                throw isFolder
                    ? new PublishError(`${target} is a folder, where the site has a file: move the folder away.`)
                    : error;
            }
        });
    }

    /** Removes a file of an earlier release that has the name of a folder. */
    async #makeParents(path: string): Promise<void> {
        const parent = dirname(path);
        try {
            await mkdir(join(this.#root, parent), { recursive: true });
        } catch (error) {
            if (!["EEXIST", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) {
                throw error;
            }
            for (let folder = parent; folder !== "."; folder = dirname(folder)) {
                if ((await stat(join(this.#root, folder)).catch(() => undefined))?.isFile()) {
                    await unlink(join(this.#root, folder)).catch(ignoreMissing);
                }
            }
            await mkdir(join(this.#root, parent), { recursive: true });
        }
    }

    async #withScratch<T>(use: (file: string) => Promise<T>): Promise<T> {
        await mkdir(this.#scratch, { recursive: true });
        const file = join(this.#scratch, randomUUID());
        try {
            return await use(file);
        } finally {
            await rm(file, { force: true });
        }
    }

    async #removeEmptyFolders(folder: string): Promise<void> {
        for (let current = folder; current !== "."; current = dirname(current)) {
            try {
                await rmdir(join(this.#root, current));
            } catch {
                return;
            }
        }
    }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
    if (!["ENOENT", "ENOTDIR"].includes(error.code ?? "")) {
        throw error;
    }
}
