import { hash } from "node:crypto";
import { constants, readdirSync, writeFileSync } from "node:fs";
import { copyFile, lstat, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BundleError } from "../errors/index.js";
import { checkEntryPath, checkLinkTarget, type EntryPath, quoteName } from "./entry-path.js";

/** The limits on the content of an archive. */
export interface BundleLimits {
    /** Maximum size of the unpacked archive, including headers, plus {@link entryBytes} for each file and folder. */
    maxBytes: number;
    /** Maximum number of files and folders. */
    maxFiles: number;
    /** Whether links inside the archive are refused. @default false */
    refuseLinks?: boolean | undefined;
    /** Whether an archive without any `.html` file is refused. @default false */
    requirePages?: boolean | undefined;
}

/** The content of a file that was written. */
export interface WrittenFile {
    /** SHA-256 in lower-case hexadecimal. */
    digest: string;
    sizeBytes: number;
}

/** Receives small files as they are written, so that these files need not be read again. */
export type OnFile = (path: string, file: WrittenFile) => void;

/** What happens with each file that was written. */
export interface FileHandlers {
    onFile?: OnFile | undefined;
    /** Receives the modification time in the archive. By default, files have the time at which they were written. */
    onTime?: ((path: string, modified: Date | undefined) => void) | undefined;
}

/** Added to the size of each file or folder, because an archive of a few MB may contain millions of empty files. */
const entryBytes = 4096;

const maxLinkHops = 40;
const largeFileBytes = 256 * 1024;
const newFile = { flag: "wx", mode: 0o644 };

/**
 * Writes the entries of an archive below one new folder and refuses harmful ones. Creates only plain files and folders:
 * a link to a file in the bundle becomes a copy of it after all files are written, so no write can follow a link.
 * Ignores owners and modes.
 */
export class SiteWriter {
    readonly #root: string;
    readonly #limits: BundleLimits;
    readonly #handlers: FileHandlers;
    readonly #folders = new Set<string>();
    readonly #links = new Map<string, { name: string; target: EntryPath }>();
    #entryCount = 0;
    #fileCount = 0;
    #hasPages = false;
    #unpackedBytes = 0;
    #occupiedBytes = 0;

    constructor(root: string, limits: BundleLimits, handlers: FileHandlers = {}) {
        this.#root = root;
        this.#limits = limits;
        this.#handlers = handlers;
    }

    get fileCount(): number {
        return this.#fileCount;
    }

    get unpackedBytes(): number {
        return this.#unpackedBytes;
    }

    /** Counts unpacked bytes towards `maxBytes`. */
    occupy(bytes: number): void {
        this.#occupiedBytes += bytes;
        if (this.#occupiedBytes > this.#limits.maxBytes) {
            throw new BundleError("too-many-bytes", `the archive unpacks to more than ${this.#limits.maxBytes} bytes`);
        }
    }

    async addFolder(name: string): Promise<void> {
        this.#countEntry();
        const path = checkEntryPath(name);
        await this.#makeParents(name, path);
        if (path.length > 0) {
            await this.#makeFolder(name, path.join("/"));
        }
    }

    async addFile(name: string, content: AsyncIterable<Uint8Array>, modified?: Date): Promise<void> {
        this.#countEntry();
        const path = this.#fileName(name);
        await this.#makeParents(name, path);
        const file = path.join("/");
        // Joining the names with `join` takes a tenth of the time of a small file.
        const filePath = `${this.#root}/${file}`;
        const chunks = this.#counted(content);
        try {
            const start = await readStart(chunks);
            if (start.length < largeFileBytes) {
                // An asynchronous write occupies four threads one after the other, and takes twice the CPU time.
                try {
                    writeFileSync(filePath, start, newFile);
                } catch (error) {
                    throw this.#clashOf(name, path, error);
                }
                this.#handlers.onFile?.(file, { digest: hash("sha256", start, "hex"), sizeBytes: start.length });
            } else {
                await this.#refuseClash(name, path, () => writeFile(filePath, joined(start, chunks), newFile));
            }
        } finally {
            await chunks.return(undefined);
        }
        this.#handlers.onTime?.(file, modified);
        this.#countFile(path);
    }

    /** Adds a symbolic link. The target is relative to the link's folder. */
    addSymbolicLink(name: string, target: string): void {
        this.#addLink(name, this.#fileName(name).slice(0, -1), target);
    }

    /** Adds a hard link. The target is relative to the bundle's folder. */
    addHardLink(name: string, target: string): void {
        this.#addLink(name, [], target);
    }

    /** Creates the copies for links. Call this method once, after all entries. */
    async finish(): Promise<void> {
        for (const [key, { name, target }] of this.#links) {
            const source = join(this.#root, ...(await this.#findLinkedFile(name, target)));
            const path = key.split("/");
            await this.#makeParents(name, path);
            const { size } = await lstat(source);
            this.#unpackedBytes += size;
            this.occupy(size);
            const mode = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;
            await this.#refuseClash(name, path, () => copyFile(source, join(this.#root, ...path), mode));
            this.#countFile(path);
        }
        if (this.#fileCount === 0) {
            throw new BundleError("corrupt", "the archive has no files");
        }
        if (this.#limits.requirePages && !this.#hasPages) {
            throw new BundleError("no-pages", "the bundle contains no .html page");
        }
    }

    #addLink(name: string, from: EntryPath, target: string): void {
        this.#countEntry();
        if (this.#limits.refuseLinks) {
            const what = `the entry ${quoteName(name)} is a link, where only files and folders are accepted`;
            throw new BundleError("unsafe-link", what);
        }
        const key = this.#fileName(name).join("/");
        if (this.#links.has(key)) {
            throw clash(name);
        }
        this.#links.set(key, { name, target: checkLinkTarget(name, from, target) });
    }

    /** Resolves links by name, because no link exists on disk. */
    async #findLinkedFile(name: string, target: EntryPath): Promise<EntryPath> {
        let path: EntryPath | undefined = target;
        for (let hops = 0; hops < maxLinkHops && path !== undefined; hops += 1) {
            const next: EntryPath | undefined = this.#links.get(path.join("/"))?.target;
            if (next === undefined) {
                const found = await lstat(join(this.#root, ...path)).catch(() => undefined);
                if (found?.isFile()) {
                    return path;
                }
            }
            path = next;
        }
        throw new BundleError("unsafe-link", `the link ${quoteName(name)} does not lead to a file in the bundle`);
    }

    #fileName(name: string): EntryPath {
        const path = checkEntryPath(name);
        if (path.length === 0) {
            throw new BundleError("unsafe-path", `the entry ${quoteName(name)} names no file`);
        }
        return path;
    }

    /** Creates the parent folders of an entry. Counts folders that the archive has not listed yet. */
    async #makeParents(name: string, path: EntryPath): Promise<void> {
        if (this.#folders.has(path.slice(0, -1).join("/"))) {
            return;
        }
        for (let depth = 1; depth < path.length; depth += 1) {
            const folder = path.slice(0, depth).join("/");
            if (!this.#folders.has(folder)) {
                this.#countEntry();
                await this.#makeFolder(name, folder);
            }
        }
    }

    async #makeFolder(name: string, folder: string): Promise<void> {
        if (!this.#folders.has(folder)) {
            await this.#refuseClash(name, folder.split("/"), () =>
                mkdir(join(this.#root, folder), { recursive: true }),
            );
            this.#folders.add(folder);
        }
    }

    /** Lets the file system decide which names are the same: some ignore case or the form of Unicode letters. */
    async #refuseClash(name: string, path: EntryPath, write: () => unknown): Promise<void> {
        try {
            await write();
        } catch (error) {
            throw this.#clashOf(name, path, error);
        }
    }

    #clashOf(name: string, path: EntryPath, error: unknown): unknown {
        const { code } = error as NodeJS.ErrnoException;
        if (code !== "EEXIST" && code !== "EISDIR" && code !== "ENOTDIR") {
            return error;
        }
        const other = otherSpelling(this.#root, path);
        return other === undefined
            ? clash(name)
            : new BundleError(
                  "shared-name",
                  `${quoteName(name)} and ${quoteName(other)} are the same name on this disk, which ignores the case ` +
                      "of names",
              );
    }

    #countFile(path: EntryPath): void {
        this.#fileCount += 1;
        this.#hasPages ||= path.at(-1)?.endsWith(".html") === true;
    }

    #countEntry(): void {
        this.occupy(entryBytes);
        this.#entryCount += 1;
        if (this.#entryCount > this.#limits.maxFiles) {
            throw new BundleError(
                "too-many-files",
                `the archive has more than ${this.#limits.maxFiles} files and folders`,
            );
        }
    }

    async *#counted(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
        for await (const chunk of content) {
            this.#unpackedBytes += chunk.length;
            yield chunk;
        }
    }
}

/** Reads the beginning of a large file, or all of a small one. */
async function readStart(chunks: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
    const start: Uint8Array[] = [];
    let bytes = 0;
    while (bytes < largeFileBytes) {
        const { value, done } = (await chunks.next()) as IteratorResult<Uint8Array, undefined>;
        if (done) {
            break;
        }
        start.push(value);
        bytes += value.length;
    }
    const [only, ...others] = start;
    return only !== undefined && others.length === 0 ? only : Buffer.concat(start);
}

async function* joined(start: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield start;
    yield* rest;
}

function clash(name: string): BundleError {
    return new BundleError("duplicate-entry", `the entry ${quoteName(name)} conflicts with another entry of that name`);
}

/** Returns the name that a disk which ignores case or the form of letters has for a path, as far as the path exists. */
function otherSpelling(root: string, path: EntryPath): string | undefined {
    const fold = (name: string) => name.normalize("NFC").toLowerCase();
    const spelled: string[] = [];
    for (const name of path) {
        const names = namesIn(join(root, ...spelled));
        const found = names.includes(name) ? name : names.find((each) => fold(each) === fold(name));
        if (found === undefined) {
            break;
        }
        spelled.push(found);
    }
    return spelled.every((name, depth) => name === path[depth]) ? undefined : spelled.join("/");
}

/** Empty for a file. */
function namesIn(folder: string): string[] {
    try {
        return readdirSync(folder);
    } catch {
        return [];
    }
}
