import {
    closeSync,
    constants,
    fstatSync,
    ftruncateSync,
    mkdirSync,
    openSync,
    readSync,
    rmSync,
    writevSync,
    writeSync,
} from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { replaceFile } from "@pulumi-static-export/contract/replace-file";
import { readCheckedFile, unfinishedPath, writeCheckedFile } from "./checked-file.js";

/** The position of an entry in the file, with the checksum of the entry's bytes. */
type Range = readonly [offset: number, length: number, checksum: number];

const kinds = ["pages", "groups", "files"] as const;
type Kind = (typeof kinds)[number];

/** Entries are written in batches: a write for each page takes three times as long. */
const bufferedBytes = 1024 * 1024;

const pieceLength = 256 * 1024;

/** An entry was damaged after the export had relied on it. Another export does not use the file. */
export class DamagedEntryError extends Error {
    override readonly name = "DamagedEntryError";
}

/**
 * Stores entries by their keys in one file, to which exports append. A second file lists the entries that the last
 * export used. Checksums are compared when entries are read, so damage only costs time.
 */
export class EntryFile {
    readonly #next = new Map<string, Range>();
    #pending: Buffer[] = [];
    #pendingBytes = 0;
    /** Why entries could not be written: then `save` fails, and the export goes on. */
    #failure: Error | undefined;
    /** The size of the entries from earlier exports. */
    readonly #start: number;
    #end: number;
    #isSaved = false;
    #isClosed = false;

    private constructor(
        private readonly path: string,
        private readonly descriptor: number,
        private readonly ranges: ReadonlyMap<string, Range>,
        private readonly isOnlyRead = false,
    ) {
        this.#start = fstatSync(descriptor).size;
        this.#end = this.#start;
    }

    static open(cacheDir: string, domain: string, kind: Kind): EntryFile {
        mkdirSync(cacheDir, { recursive: true });
        const path = pathOf(cacheDir, domain, kind);
        const ranges = readRanges(path);
        const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
        // Any bytes after the last entry are from a process that was killed.
        if (fstatSync(descriptor).size > endOf(ranges)) {
            ftruncateSync(descriptor, endOf(ranges));
        }
        return new EntryFile(path, descriptor, ranges);
    }

    /** Opens the entries of the last export, while another thread may add entries. */
    static openToRead(cacheDir: string, domain: string, kind: Kind): EntryFile {
        const path = pathOf(cacheDir, domain, kind);
        return new EntryFile(path, openSync(path, "r"), readRanges(path), true);
    }

    /** Removes entries that a killed process has added. */
    static dropUnsaved(cacheDir: string, domain: string): void {
        kinds.forEach((kind) => EntryFile.open(cacheDir, domain, kind).close());
    }

    /** Whether no earlier export has stored an entry. */
    get isNew(): boolean {
        return this.ranges.size === 0;
    }

    has(key: string): boolean {
        return this.ranges.has(key);
    }

    get(key: string): Buffer | undefined {
        const range = this.ranges.get(key);
        if (range === undefined) {
            return undefined;
        }
        const bytes = this.#read(range);
        const [, , checksum] = range;
        return crc32(bytes) === checksum ? bytes : undefined;
    }

    /** Returns an entry. @throws DamagedEntryError after it has removed all entries */
    mustGet(key: string): Buffer {
        const entry = this.get(key);
        if (entry === undefined) {
            rmSync(indexOf(this.path), { force: true });
            throw new DamagedEntryError(`${this.path} is damaged`);
        }
        return entry;
    }

    /** Adds an entry for the next export. Without an entry, preserves the existing entry of the key. */
    keep(key: string, entry?: Buffer): void {
        if (entry === undefined) {
            const range = this.ranges.get(key);
            if (range !== undefined) {
                this.#next.set(key, range);
            }
            return;
        }
        this.#pending.push(entry);
        this.#pendingBytes += entry.length;
        this.#next.set(key, [this.#end, entry.length, crc32(entry)]);
        this.#end += entry.length;
        if (this.#pendingBytes >= bufferedBytes) {
            this.#flush();
        }
    }

    /** Replaces the content with the entries of this export; no entry can be read afterwards. */
    async save(yieldToEventLoop: () => Promise<void>): Promise<void> {
        this.#flush();
        if (this.#failure !== undefined) {
            throw this.#failure;
        }
        if (this.#isUnchanged()) {
            return;
        }
        let used = 0;
        for (const [, length] of this.#next.values()) {
            used += length;
        }
        const ranges = this.#end > 2 * used ? await this.#compact(yieldToEventLoop) : this.#next;
        await writeCheckedFile(indexOf(this.path), jsonOf(ranges));
        this.#isSaved = true;
    }

    /** Closes the file; without an earlier `save`, its content stays unchanged. */
    close(): void {
        if (this.#isClosed) {
            return;
        }
        if (!this.#isSaved && !this.isOnlyRead) {
            try {
                ftruncateSync(this.descriptor, this.#start);
            } catch {
                // The next export does so when it opens the file.
            }
        }
        this.#closeDescriptor();
    }

    #closeDescriptor(): void {
        this.#isClosed = true;
        closeSync(this.descriptor);
    }

    #isUnchanged(): boolean {
        for (const [key, range] of this.#next) {
            if (this.ranges.get(key) !== range) {
                return false;
            }
        }
        return this.#next.size === this.ranges.size;
    }

    #flush(): void {
        if (this.#pending.length > 0 && this.#failure === undefined) {
            try {
                writevSync(this.descriptor, this.#pending, this.#end - this.#pendingBytes);
            } catch (error) {
                this.#failure = error as Error;
            }
        }
        [this.#pending, this.#pendingBytes] = [[], 0];
    }

    #read([offset, length]: Range): Buffer {
        const line = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.#end - offset)));
        return line.subarray(0, readSync(this.descriptor, line, 0, line.length, offset));
    }

    /** Rewrites the file without the entries that are no longer needed. */
    async #compact(yieldToEventLoop: () => Promise<void>): Promise<ReadonlyMap<string, Range>> {
        const unfinished = unfinishedPath(this.path);
        try {
            const ranges = await this.#copyNext(unfinished, yieldToEventLoop);
            // Windows does not replace an open file.
            this.#closeDescriptor();
            await replaceFile(unfinished, this.path);
            return ranges;
        } catch (error) {
            rmSync(unfinished, { force: true });
            throw error;
        }
    }

    /** Writes the entries of this export to another file. @returns their places there */
    async #copyNext(path: string, yieldToEventLoop: () => Promise<void>): Promise<ReadonlyMap<string, Range>> {
        const ranges = new Map<string, Range>();
        const to = openSync(path, "w", 0o600);
        try {
            let end = 0;
            for (const [key, range] of this.#next) {
                const line = this.#read(range);
                writeSync(to, line);
                ranges.set(key, [end, line.length, range[2]]);
                end += line.length;
                await yieldToEventLoop();
            }
            return ranges;
        } finally {
            closeSync(to);
        }
    }
}

function indexOf(path: string): string {
    return `${path}.json`;
}

/** The ranges as JSON, in pieces, because a large site has many ranges. */
function* jsonOf(ranges: ReadonlyMap<string, Range>): Generator<string> {
    let piece = "[";
    let separator = "";
    for (const [key, range] of ranges) {
        piece += separator + JSON.stringify([key, ...range]);
        separator = ",";
        if (piece.length >= pieceLength) {
            yield piece;
            piece = "";
        }
    }
    yield `${piece}]`;
}

function pathOf(cacheDir: string, domain: string, kind: Kind): string {
    return join(cacheDir, `${encodeURIComponent(domain)}.${kind}`);
}

function readRanges(path: string): Map<string, Range> {
    const content = readCheckedFile(indexOf(path));
    const entries = content === undefined ? [] : (JSON.parse(content.toString("utf8")) as [string, ...Range][]);
    return new Map(entries.map(([key, ...range]) => [key, range]));
}

function endOf(ranges: ReadonlyMap<string, Range>): number {
    let end = 0;
    for (const [offset, length] of ranges.values()) {
        end = Math.max(end, offset + length);
    }
    return end;
}
