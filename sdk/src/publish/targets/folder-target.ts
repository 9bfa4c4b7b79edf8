import { createHash, randomUUID } from "node:crypto";
import { constants, createReadStream, createWriteStream } from "node:fs";
import {
    copyFile,
    lstat,
    mkdir,
    readdir,
    readFile,
    realpath,
    rm,
    rmdir,
    stat,
    unlink,
    writeFile,
} from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { addName, type AddNameOptions, replaceFile } from "@pulumi-static-export/contract/replace-file";
import { PublishError, RecordChangedError } from "../errors/publish-error.js";
import type { StoredFile } from "../records/inventory.js";
import { ownFolder, recordKey } from "../records/site-record.js";
import { FileFailure, isFileFailure } from "../errors/storage-error.js";
import {
    addressOfFolder,
    areSameFile,
    ignoreMissing,
    refuseSharedNames,
    spellingsOf,
    statFile,
} from "./folder-files.js";
import { listFolder, recordFile } from "./folder-listing.js";
import { readChunks } from "../site/read-content.js";
import { ReleaseLink, type ReleaseLinkOptions } from "./release-link.js";
import type { ListedFile, OuterPlace, RefusedRemoval, SiteReader, SiteTarget, WantedPaths } from "./site-target.js";

/** The last byte of a record. */
const lineEnd = 0x0a;
/** How often a run looks whether another run has written the end of a record: for about a second. */
const maxReads = 50;
const readDelayMs = 20;

interface FolderOptions extends AddNameOptions, ReleaseLinkOptions {}

/**
 * A folder of this machine or a network, for a web server. Each version of the record is a file with the next number.
 * Creating a hard link fails if the file exists, even if two machines create the link at the same time; so does a copy
 * on a disk without hard links.
 */
export class FolderTarget implements SiteTarget {
    readonly hasHeaders = false;
    readonly concurrency = 8;
    readonly address: string;
    readonly recordAddress: string;
    readonly #root: string;
    readonly #own: string;
    readonly #scratch: string;
    readonly #link: ReleaseLink;

    private constructor(
        root: string,
        private readonly options: FolderOptions,
    ) {
        this.#root = root;
        this.#own = join(root, ownFolder);
        this.#scratch = join(this.#own, "unfinished");
        this.#link = new ReleaseLink(root, options);
        this.address = addressOfFolder(root);
        this.recordAddress = `${this.address}${ownFolder}record-*.json`;
    }

    /** @throws PublishError if the folder does not exist: a missing folder may be a disk that is not mounted */
    static async open(root: string, options: FolderOptions = {}): Promise<FolderTarget> {
        const found = await stat(root).catch(() => undefined);
        if (!found?.isDirectory()) {
            throw new PublishError(`There is no folder ${root}: create it, or mount the disk that contains it.`);
        }
        return new FolderTarget(resolve(root), options);
    }

    async read(path: string): Promise<{ content: Buffer; version: string } | undefined> {
        if (path !== recordKey) {
            const content = await readFile(join(this.#root, path)).catch(ignoreMissing);
            return content && { content, version: "" };
        }
        const { sleep = setTimeout } = this.options;
        // Another run may replace the latest version while it is being read, or have copied only a part of it.
        for (let reads = 1; ; reads += 1) {
            const number = (await this.#recordNumbers()).at(-1);
            if (number === undefined) {
                return undefined;
            }
            const content = await readFile(this.#recordPath(number)).catch(ignoreMissing);
            if (content !== undefined && (content.at(-1) === lineEnd || reads >= maxReads)) {
                return { content, version: String(number) };
            }
            if (content !== undefined) {
                await sleep(readDelayMs);
            }
        }
    }

    async write(path: string, content: Buffer): Promise<string> {
        return this.#place(path, (file) => writeFile(file, content, { flag: "wx", mode: 0o644 }));
    }

    async writeRecord(content: Buffer, version: string | undefined): Promise<string> {
        const number = Number(version ?? 0) + 1;
        const changed = new RecordChangedError(this.address);
        // A run that was suspended while the site was removed must not bring its record back.
        if (version !== undefined && !(await this.#recordNumbers()).includes(Number(version))) {
            throw changed;
        }
        await this.#withScratch(async (file) => {
            await writeFile(file, content, { flag: "wx", mode: 0o644 });
            if (!(await addName(file, this.#recordPath(number), this.options))) {
                throw changed;
            }
        });
        const numbers = await this.#recordNumbers();
        if (numbers.some((each) => each > number) || (version !== undefined && !numbers.includes(Number(version)))) {
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

    async refuseUnfit(paths: Iterable<string>, prefix: string): Promise<void> {
        const names = [...paths].map((path) => path.slice(prefix.length));
        await this.#withScratch((probe) => refuseSharedNames(this.#root, probe, names));
        if (prefix !== "") {
            await this.#withScratch((probe) => this.#link.refuseUnfit(probe));
        }
    }

    async send(path: string, localPath: string, stored: StoredFile, signal: AbortSignal): Promise<string> {
        return this.#place(path, (file) =>
            pipeline(readChunks(localPath, stored), createWriteStream(file, { flags: "wx", mode: 0o644 }), { signal }),
        );
    }

    async copy(from: string, to: string, { digest }: StoredFile): Promise<string> {
        return this.#place(to, async (file) => {
            await copyFile(join(this.#root, from), file, constants.COPYFILE_FICLONE);
            const hash = createHash("sha256");
            await pipeline(createReadStream(file), hash);
            if (hash.digest("hex") !== digest) {
                throw new PublishError(
                    `The content of ${this.address}${from} does not match the list of files: publish the site again, ` +
                        "from its folder or archive.",
                );
            }
        });
    }

    async remove(
        paths: readonly string[],
        _signal?: AbortSignal,
        live: { keys(): Iterable<string> } = new Map(),
    ): Promise<RefusedRemoval | undefined> {
        const refused: { path: string; error: Error }[] = [];
        const otherSpelling = spellingsOf(paths, live.keys());
        for (const path of paths) {
            try {
                const other = otherSpelling(path);
                await this.#refuseLinkedFolders(dirname(path));
                if (other !== undefined && (await areSameFile(this.#root, path, other))) {
                    // The disk may still show the file by its earlier spelling.
                    await replaceFile(join(this.#root, path), join(this.#root, other), this.options).catch(
                        () => undefined,
                    );
                    continue;
                }
                await unlink(join(this.#root, path)).catch(ignoreMissing);
            } catch (error) {
                if (error instanceof PublishError) {
                    refused.push({ path, error });
                    continue;
                }
                const isFolder = (await stat(join(this.#root, path)).catch(() => undefined))?.isDirectory() === true;
                // A folder in one release may have the name of a file in the other.
                if (!isFileFailure(error)) {
                    throw error;
                }
                if (!isFolder) {
                    refused.push({ path, error: new FileFailure(error, this.address) });
                }
            }
            await this.#removeEmptyFolders(dirname(path));
        }
        return refused.length === 0 ? undefined : { paths: refused.map(({ path }) => path), error: refused[0]!.error };
    }

    async removeRecord(): Promise<RefusedRemoval | undefined> {
        await rm(this.#scratch, { recursive: true, force: true });
        const numbers = await this.#recordNumbers();
        return this.remove(numbers.map((number) => relative(this.#root, this.#recordPath(number))));
    }

    list(signal: AbortSignal, wanted?: WantedPaths): AsyncIterable<ListedFile> {
        return listFolder(this.#root, this.#link, signal, wanted);
    }

    async outerPlaces(): Promise<readonly OuterPlace[]> {
        const root = await realpath(this.#root);
        const places: OuterPlace[] = [];
        for (let outer = dirname(root), inner = root; outer !== inner; inner = outer, outer = dirname(outer)) {
            const folder = `${relative(outer, root).replaceAll(sep, "/")}/`;
            places.push({ reader: new FolderTarget(outer, this.options), folder });
        }
        return places;
    }

    innerPlace(folder: string): SiteReader {
        return new FolderTarget(join(this.#root, folder), this.options);
    }

    async switchTo(folder: string | undefined): Promise<void> {
        await (folder === undefined
            ? this.#link.remove()
            : this.#withScratch((scratch) => this.#link.switchTo(folder, scratch)));
    }

    close(): void {
        // Nothing is open.
    }

    /** A link in the place of a folder leads to files that belong to somebody else. @throws PublishError */
    async #refuseLinkedFolders(folder: string): Promise<void> {
        for (let current = folder; current !== "."; current = dirname(current)) {
            const path = join(this.#root, current);
            if ((await lstat(path).catch(ignoreMissing))?.isSymbolicLink() === true) {
                throw new PublishError(
                    `${path} is a link, where the site has a folder. The link's target is not changed: remove the ` +
                        "link, or publish to another place.",
                );
            }
        }
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
    async #place(path: string, write: (file: string) => Promise<unknown>): Promise<string> {
        const target = join(this.#root, path);
        return this.#withScratch(async (file) => {
            await write(file);
            try {
                await this.#makeParents(path);
                await replaceFile(file, target, this.options);
            } catch (error) {
                const isFolder = (await stat(target).catch(() => undefined))?.isDirectory();
                throw isFolder
                    ? new PublishError(`${target} is a folder, where the site has a file: move the folder away.`)
                    : error;
            }
            return (await statFile(target))?.tag ?? "";
        });
    }

    /** Removes a file of an earlier release that has the name of a folder. */
    async #makeParents(path: string): Promise<void> {
        const parent = dirname(path);
        await this.#refuseLinkedFolders(parent);
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
