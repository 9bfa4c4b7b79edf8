import {
    closeSync,
    fstatSync,
    ftruncateSync,
    mkdirSync,
    openSync,
    readSync,
    renameSync,
    rmSync,
    writevSync,
    writeSync,
} from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type SeenLink } from "../../plan/links/link-resolver.js";
import { type RenderedBody } from "../../html/rendered-body.js";
import { type SiteWarning } from "../../problems/warnings.js";
import { readCheckedFile, unfinishedPath, writeCheckedFile } from "../../read/files/checked-file.js";

export interface CachedPage {
    readonly body: RenderedBody;
    readonly links: readonly SeenLink[];
    readonly warnings: readonly SiteWarning[];
    /** Files that the page imports, with the digests of their texts. */
    readonly imports: readonly (readonly [file: string, digest: string])[];
}

/** The place of a page in the cache's file, with the checksum of its bytes. */
type Range = readonly [offset: number, length: number, checksum: number];

const keyLength = 64;

/** Pages are written in batches: writing each page separately takes three times as long. */
const bufferedBytes = 1024 * 1024;

/**
 * Caches pages by the hash of all their sources. Each site has one file, to which exports append pages, and a list of
 * the pages of the last export. Checksums are compared when pages are read, so a damaged page is only rendered again.
 */
export class PageCache {
    readonly #next = new Map<string, Range>();
    #pending: Buffer[] = [];
    #pendingBytes = 0;
    /** The size of the data from earlier exports. */
    readonly #start: number;
    #end: number;
    #isSaved = false;

    private constructor(
        private readonly path: string,
        private readonly descriptor: number,
        private readonly ranges: ReadonlyMap<string, Range>,
    ) {
        this.#start = fstatSync(descriptor).size;
        this.#end = this.#start;
    }

    static open(cacheDir: string, domain: string): PageCache {
        mkdirSync(cacheDir, { recursive: true });
        const path = pathOf(cacheDir, domain);
        const ranges = readRanges(path);
        const descriptor = openSync(path, "a+", 0o600);
        // A killed process has added the rest.
        if (fstatSync(descriptor).size > endOf(ranges)) {
            ftruncateSync(descriptor, endOf(ranges));
        }
        return new PageCache(path, descriptor, ranges);
    }

    /** Removes what a killed process has added. */
    static dropUnsaved(cacheDir: string, domain: string): void {
        PageCache.open(cacheDir, domain).close();
    }

    get(key: string): CachedPage | undefined {
        const range = this.ranges.get(key);
        if (range === undefined) {
            return undefined;
        }
        const bytes = this.#read(range);
        const [, , checksum] = range;
        if (crc32(bytes) !== checksum) {
            return undefined;
        }
        const entry = bytes.toString("utf8");
        const end = entry.indexOf("\n");
        return withHtml(JSON.parse(entry.slice(keyLength, end)) as CachedPage, entry.slice(end + 1, -1));
    }

    /** Adds an entry for the next export. Without a page, keeps the entry with this key. */
    keep(key: string, page?: CachedPage): void {
        if (page === undefined) {
            const range = this.ranges.get(key);
            if (range !== undefined) {
                this.#next.set(key, range);
            }
            return;
        }
        // The HTML follows unencoded: as JSON it would take twice the time, and a quarter more space.
        const entry = Buffer.from(`${key}${JSON.stringify(withHtml(page, ""))}\n${page.body.html}\n`);
        this.#pending.push(entry);
        this.#pendingBytes += entry.length;
        this.#next.set(key, [this.#end, entry.length, crc32(entry)]);
        this.#end += entry.length;
        if (this.#pendingBytes >= bufferedBytes) {
            this.#flush();
        }
    }

    /** Replaces the content of the cache with the entries of this export. */
    async save(yieldToEventLoop: () => Promise<void>): Promise<void> {
        this.#flush();
        if (
            this.#next.size === this.ranges.size &&
            [...this.#next].every(([key, range]) => this.ranges.get(key) === range)
        ) {
            return;
        }
        const used = [...this.#next.values()].reduce((sum, [, length]) => sum + length, 0);
        const ranges = this.#end > 2 * used ? await this.#compact(yieldToEventLoop) : this.#next;
        await writeCheckedFile(indexOf(this.path), JSON.stringify([...ranges].map(([key, range]) => [key, ...range])));
        this.#isSaved = true;
    }

    /** Before the first `save`, the content is unchanged. */
    close(): void {
        if (!this.#isSaved) {
            ftruncateSync(this.descriptor, this.#start);
        }
        closeSync(this.descriptor);
    }

    #flush(): void {
        if (this.#pending.length > 0) {
            writevSync(this.descriptor, this.#pending);
            [this.#pending, this.#pendingBytes] = [[], 0];
        }
    }

    #read([offset, length]: Range): Buffer {
        const line = Buffer.alloc(Math.max(0, Math.min(length, this.#end - offset)));
        return line.subarray(0, readSync(this.descriptor, line, 0, line.length, offset));
    }

    /** Rewrites the file without the pages that are no longer needed. */
    async #compact(yieldToEventLoop: () => Promise<void>): Promise<ReadonlyMap<string, Range>> {
        const ranges = new Map<string, Range>();
        const unfinished = unfinishedPath(this.path);
        const to = openSync(unfinished, "w", 0o600);
        try {
            let end = 0;
            for (const [key, range] of this.#next) {
                const line = this.#read(range);
                writeSync(to, line);
                ranges.set(key, [end, line.length, range[2]]);
                end += line.length;
                await yieldToEventLoop();
            }
            renameSync(unfinished, this.path);
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
