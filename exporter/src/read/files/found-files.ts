import { resolveLinks } from "@pulumi-static-export/contract/resolve-links";
import { createHash, hash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type BigIntStats } from "node:fs";
import { SiteError } from "../../problems/site-error.js";
import { decodeText, isDecodable } from "./decode-text.js";
import { isPageFile } from "./routes.js";
import { join } from "node:path";

/** A regular file that the scan found, with links resolved. */
export interface FoundFile {
    /** Undefined for the file's own path in the site's folder, as that of most files. */
    readonly realPath: string | undefined;
    readonly bytes: number;
    readonly identity: string;
}

/** The files that the scan of a folder found. */
export interface ScannedFiles {
    readonly root: string;
    readonly files: Map<string, FoundFile>;
}

/** The state of a file's content at a point in time. */
export interface FileState {
    /** SHA-256, in base64. */
    readonly digest: string;
    readonly identity: string;
}

/**
 * Returns a string that differs after each change of a file's content or name. Its last word is the time of the change,
 * in nanoseconds.
 */
function identityOf(stats: BigIntStats): string {
    const { size, mtimeNs, ctimeNs } = stats;
    // Joins the parts to save memory: a site has many files, and V8 stores the text of a template as a tree until code
    // reads it.
    return [placeOnDisk(stats), size, mtimeNs, ctimeNs].join(" ");
}

/** The beginning of a file's identity, which no other file has at the same time. */
function placeOnDisk({ dev, ino }: BigIntStats): string {
    return `${dev} ${ino}`;
}

export function foundFile(realPath: string | undefined, stats: BigIntStats): FoundFile {
    return { realPath, bytes: Number(stats.size), identity: identityOf(stats) };
}

/** The maximum number of bytes that stay in memory between `readState` and the reading of the text. */
const maxWaiting = 32_000_000;

const blockBytes = 1024 * 1024;

/**
 * The maximum size of a page, which is larger than any page written by hand. A parser's time and memory grow with the
 * size.
 */
export const maxPageBytes = 5 * 1024 * 1024;

// With these flags, opening a file does not follow links or wait for a pipe. Windows has neither flag.
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The files of a site, by their paths in the site. Only files that the scan allowed can be opened, and only if they
 * have not been replaced.
 */
export class FoundFiles {
    /** The content of pages that were read only to determine their state. */
    readonly #waiting = new Map<string, Buffer>();
    #room = maxWaiting;
    readonly #opened = new Set<string>();
    #isShared = false;

    /** @param root the site's folder, with links resolved */
    constructor(
        private readonly root: string,
        /** The names are in the Unicode form NFC. */
        private readonly files: Map<string, FoundFile>,
    ) {}

    /** The result of the scan, as data. */
    get scanned(): ScannedFiles {
        return { root: this.root, files: this.files };
    }

    /** The result of the scan, for a thread that may open any of the files. */
    share(): ScannedFiles {
        this.#isShared = true;
        return this.scanned;
    }

    /** Whether the content of a file may have been read since the scan. */
    mayBeRead(file: string): boolean {
        return this.#isShared || this.#opened.has(file);
    }

    has(file: string): boolean {
        return this.#find(file) !== undefined;
    }

    #find(file: string): FoundFile | undefined {
        return this.files.get(file) ?? this.files.get(file.normalize("NFC"));
    }

    /** The file size at the time of the scan. */
    bytesOf(file: string): number {
        return this.#find(file)?.bytes ?? 0;
    }

    /** The file's path at the time of the scan, with links resolved. */
    realPathOf(file: string): string | undefined {
        const found = this.#find(file);
        return found && this.#realPathOf(file, found);
    }

    #realPathOf(file: string, { realPath }: FoundFile): string {
        return realPath ?? join(this.root, file.normalize("NFC"));
    }

    /** The files of the site with this real path, which a link and its target share. */
    filesAt(realPath: string): string[] {
        return [...this.files]
            .filter(([file, found]) => this.#realPathOf(file, found) === realPath)
            .map(([file]) => file);
    }

    /** Accepts a new version of the file at the same path. @returns false if the file no longer exists */
    refresh(file: string): boolean {
        const found = this.#find(file);
        const stats = found && this.#statsOf(file, found);
        if (found === undefined || stats?.isFile() !== true) {
            return false;
        }
        this.files.set(file.normalize("NFC"), foundFile(found.realPath, stats));
        return true;
    }

    #statsOf(file: string, found: FoundFile): BigIntStats | undefined {
        return lstatSync(this.#realPathOf(file, found), { bigint: true, throwIfNoEntry: false });
    }

    /** Opens a file for reading; the caller closes it. @throws SiteError if the file was replaced since the scan */
    open(file: string): number {
        return this.#open(file).descriptor;
    }

    #open(file: string): { readonly descriptor: number; readonly stats: BigIntStats } {
        const found = this.#find(file);
        if (found === undefined) {
            throw new SiteError(file, undefined, "this file is not published");
        }
        this.#opened.add(file.normalize("NFC"));
        const realPath = this.#realPathOf(file, found);
        let descriptor: number | undefined;
        try {
            // Since the scan, a link may have replaced a folder in the file's path.
            descriptor = resolveLinks(realPath) === realPath ? openSync(realPath, openFlags) : undefined;
        } catch (error) {
            throw new SiteError(file, undefined, reasonOf(error as NodeJS.ErrnoException), { cause: error });
        }
        if (descriptor === undefined) {
            throw new SiteError(file, undefined, replaced);
        }
        const stats = fstatSync(descriptor, { bigint: true });
        if (!stats.isFile() || !found.identity.startsWith(`${placeOnDisk(stats)} `)) {
            closeSync(descriptor);
            throw new SiteError(file, undefined, replaced);
        }
        return { descriptor, stats };
    }

    names(): string[] {
        return [...this.files.keys()];
    }

    /** The state of a file's content. A page stays in memory until its text is read. @throws SiteError */
    readState(file: string): FileState {
        const { descriptor, stats } = this.#open(file);
        const identity = identityOf(stats);
        try {
            if (stats.size <= maxPageBytes) {
                const bytes = readWhole(descriptor, Number(stats.size));
                if (isPageFile(file) && bytes.length <= this.#room) {
                    this.#room -= bytes.length;
                    this.#waiting.set(file, bytes);
                }
                return { digest: hash("sha256", bytes, "base64"), identity };
            }
            const digest = createHash("sha256");
            for (const block of blocksOf(descriptor, stats)) {
                digest.update(block);
            }
            return { digest: digest.digest("base64"), identity };
        } finally {
            closeSync(descriptor);
        }
    }

    /** Whether a file of any size contains a word in ASCII letters, in UTF-8 or UTF-16. @throws SiteError */
    mentions(file: string, word: string): boolean {
        const { descriptor, stats } = this.#open(file);
        try {
            let text = "";
            for (const block of blocksOf(descriptor, stats)) {
                text = text.slice(-word.length) + block.toString("latin1").replaceAll("\0", "");
                if (text.includes(word)) {
                    return true;
                }
            }
            return false;
        } finally {
            closeSync(descriptor);
        }
    }

    /** Returns the file's identity at the time of the scan. */
    identityOf(file: string): string {
        return this.#find(file)?.identity ?? "";
    }

    /** Returns the file's identity now; undefined if the file no longer exists. */
    currentIdentityOf(file: string): string | undefined {
        const found = this.#find(file);
        const stats = found && this.#statsOf(file, found);
        return stats && identityOf(stats);
    }

    /** Whether a text file has an encoding that `readText` reads. @throws SiteError */
    isDecodable(file: string): boolean {
        const { descriptor, stats } = this.#open(file);
        try {
            return isDecodable(readWhole(descriptor, Number(stats.size)));
        } finally {
            closeSync(descriptor);
        }
    }

    /**
     * The text of a page or another source file, with lines that end with `\n`.
     * @throws SiteError, also for a file that is too large
     */
    readText(file: string, maxBytes = maxPageBytes): string {
        const waiting = this.#waiting.get(file);
        if (waiting !== undefined && this.bytesOf(file) <= maxBytes) {
            this.#waiting.delete(file);
            return decodeText(waiting);
        }
        const { descriptor, stats } = this.#open(file);
        const size = Number(stats.size);
        try {
            if (size > maxBytes) {
                throw new SiteError(
                    file,
                    undefined,
                    `the file has ${size} bytes, but a page may have at most ${maxBytes}: split the file`,
                );
            }
            return decodeText(readWhole(descriptor, size));
        } finally {
            closeSync(descriptor);
        }
    }
}

/**
 * Reads a whole file like `readFileSync`, but without looking up the file's size again.
 * @param size of the file when it was opened
 */
function readWhole(descriptor: number, size: number): Buffer {
    const bytes = Buffer.allocUnsafe(size);
    let read = 0;
    for (let count = -1; count !== 0 && read < size; read += count) {
        count = readSync(descriptor, bytes, read, size - read, null);
    }
    return bytes.subarray(0, read);
}

/** The content of an open file. Each block is valid until the next is read. */
function* blocksOf(descriptor: number, { size }: BigIntStats): Generator<Buffer> {
    const block = Buffer.allocUnsafe(Math.min(blockBytes, Number(size) + 1));
    for (let count = readSync(descriptor, block); count !== 0; count = readSync(descriptor, block)) {
        yield block.subarray(0, count);
    }
}

export const replaced = "the file was replaced while the site was exported: start the export again";

export function reasonOf({ code = "unknown error" }: NodeJS.ErrnoException, kind: "file" | "folder" = "file"): string {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(code)) {
        return replaced;
    }
    return ["EACCES", "EPERM"].includes(code)
        ? `the service may not read this ${kind}: give its user read access`
        : `this ${kind} cannot be read (${code})`;
}
