import { createHash } from "node:crypto";
import {
    closeSync,
    fstatSync,
    ftruncateSync,
    mkdirSync,
    openSync,
    readSync,
    renameSync,
    rmSync,
    writeSync,
} from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type RenderedBody } from "../page/render-host.js";
import { type SiteWarning } from "../problems/warnings.js";
import { ByteBuffer } from "./byte-buffer.js";
import { readCheckedFile, unfinishedPath, writeCheckedFile } from "../files/checked-file.js";

/** A link as it was resolved when the page was rendered; the page can be reused while it still resolves alike. */
export interface SeenLink {
    readonly href: string;
    readonly resolved: string;
    /** Where the link stands, when that is not the page's own file. */
    readonly file?: string;
    readonly line?: number;
}

export interface CachedPage {
    readonly body: RenderedBody;
    readonly links: readonly SeenLink[];
    readonly warnings: readonly SiteWarning[];
    /** Files that the page imports, with digests of their texts. */
    readonly imports: readonly (readonly [file: string, digest: string])[];
}

/** Where a page stands in the cache's file, with the checksum of its bytes. */
type Range = readonly [offset: number, length: number, checksum: number];

const keyLength = 64;

/** Pages are written in batches: one write for each page takes three times as long. */
const bufferedBytes = 1024 * 1024;

/**
 * Remembers pages by the hash of everything that they are made of: in one file a site, to which an export appends, and a
 * list of the pages of the last export. Pages are compared with their checksums when they are read, so damage only costs
 * time.
 */
export class PageCache {
    readonly #next = new Map<string, Range>();
    readonly #pending = new ByteBuffer(2 * bufferedBytes);
    /** The size of what earlier exports have saved. */
    readonly #start: number;
    #end: number;
    #isSaved = false;

    private constructor(
        /** A digest of the code that renders pages. */
        readonly fingerprint: string,
        private readonly path: string | undefined,
        private readonly descriptor: number | undefined,
        private readonly ranges: ReadonlyMap<string, Range>,
    ) {
        this.#start = descriptor === undefined ? 0 : fstatSync(descriptor).size;
        this.#end = this.#start;
    }

    /** Without a folder nothing is remembered. */
    static open(cacheDir: string | undefined, domain: string, fingerprint: string): PageCache {
        if (cacheDir === undefined) {
            return new PageCache(fingerprint, undefined, undefined, new Map());
        }
        mkdirSync(cacheDir, { recursive: true });
        const path = pathOf(cacheDir, domain);
        const ranges = readRanges(path);
        const descriptor = openSync(path, "a+", 0o600);
        // What follows was added by a process that was killed.
        if (fstatSync(descriptor).size > endOf(ranges)) {
            ftruncateSync(descriptor, endOf(ranges));
        }
        return new PageCache(fingerprint, path, descriptor, ranges);
    }

    /** Removes what a killed process has added. */
    static dropUnsaved(cacheDir: string, domain: string): void {
        PageCache.open(cacheDir, domain, "").close();
    }

    keyOf(file: string, route: string, source: string): string {
        return createHash("sha256").update([this.fingerprint, file, route, source].join("\0")).digest("hex");
    }

    get(key: string): CachedPage | undefined {
        const range = this.ranges.get(key);
        if (range === undefined || this.descriptor === undefined) {
            return undefined;
        }
        const bytes = this.#read(this.descriptor, range);
        const [, , checksum] = range;
        if (crc32(bytes) !== checksum) {
            return undefined;
        }
        const entry = bytes.toString("utf8");
        const end = entry.indexOf("\n");
        return withHtml(JSON.parse(entry.slice(keyLength, end)) as CachedPage, entry.slice(end + 1, -1));
    }

    /** Keeps an entry for the next export. Without a page, it keeps the entry that was found under the key. */
    keep(key: string, page?: CachedPage): void {
        if (this.descriptor === undefined) {
            return;
        }
        if (page === undefined) {
            const range = this.ranges.get(key);
            if (range !== undefined) {
                this.#next.set(key, range);
            }
            return;
        }
        // The HTML stands as it is behind the rest: as JSON it would take twice the time, and a quarter more space.
        const before = this.#pending.length;
        this.#pending.addText(`${key}${JSON.stringify(withHtml(page, ""))}\n`);
        this.#pending.addText(`${page.body.html}\n`);
        const length = this.#pending.length - before;
        this.#next.set(key, [this.#end, length, this.#pending.checksumFrom(before)]);
        this.#end += length;
        if (this.#pending.length >= bufferedBytes) {
            this.#flush(this.descriptor);
        }
    }

    /** Replaces the content of the cache with the entries that were kept. */
    async save(yieldToEventLoop: () => Promise<void>): Promise<void> {
        if (this.path === undefined || this.descriptor === undefined) {
            return;
        }
        this.#flush(this.descriptor);
        if (
            this.#next.size === this.ranges.size &&
            [...this.#next].every(([key, range]) => this.ranges.get(key) === range)
        ) {
            return;
        }
        const used = [...this.#next.values()].reduce((sum, [, length]) => sum + length, 0);
        const ranges =
            this.#end > 2 * used ? await this.#compact(this.path, this.descriptor, yieldToEventLoop) : this.#next;
        await writeCheckedFile(indexOf(this.path), [
            JSON.stringify([...ranges].map(([key, range]) => [key, ...range])),
        ]);
        this.#isSaved = true;
    }

    /** Without `save` before it, the content stays what it was. */
    close(): void {
        if (this.descriptor === undefined) {
            return;
        }
        if (!this.#isSaved) {
            ftruncateSync(this.descriptor, this.#start);
        }
        closeSync(this.descriptor);
    }

    #flush(descriptor: number): void {
        if (this.#pending.length > 0) {
            writeSync(descriptor, this.#pending.take());
        }
    }

    #read(descriptor: number, [offset, length]: Range): Buffer {
        const line = Buffer.alloc(Math.max(0, Math.min(length, this.#end - offset)));
        return line.subarray(0, readSync(descriptor, line, 0, line.length, offset));
    }

    /** Rewrites the file without the pages that are no longer needed. */
    async #compact(
        path: string,
        from: number,
        yieldToEventLoop: () => Promise<void>,
    ): Promise<ReadonlyMap<string, Range>> {
        const ranges = new Map<string, Range>();
        const unfinished = unfinishedPath(path);
        const to = openSync(unfinished, "w", 0o600);
        try {
            let end = 0;
            for (const [key, range] of this.#next) {
                const line = this.#read(from, range);
                writeSync(to, line);
                ranges.set(key, [end, line.length, range[2]]);
                end += line.length;
                await yieldToEventLoop();
            }
            renameSync(unfinished, path);
            return ranges;
        } catch (error) {
            rmSync(unfinished, { force: true });
            throw error;
        } finally {
            closeSync(to);
        }
    }
}

function withHtml(page: CachedPage, html: string): CachedPage {
    return { ...page, body: { ...page.body, html } };
}

function pathOf(cacheDir: string, domain: string): string {
    return join(cacheDir, `${encodeURIComponent(domain)}.pages`);
}

function indexOf(path: string): string {
    return `${path}.json`;
}

function readRanges(path: string): Map<string, Range> {
    const content = readCheckedFile(indexOf(path));
    const entries = content === undefined ? [] : (JSON.parse(content.toString("utf8")) as [string, ...Range][]);
    return new Map(entries.map(([key, ...range]) => [key, range]));
}

function endOf(ranges: ReadonlyMap<string, Range>): number {
    return [...ranges.values()].reduce((end, [offset, length]) => Math.max(end, offset + length), 0);
}
