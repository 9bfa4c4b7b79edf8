import { createHash, randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writevSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type FrontMatter } from "../read/front-matter.js";
import { type SiteWarning } from "../warnings.js";
import { type RenderedBody } from "../render/render-host.js";

/** A link as it was resolved when the page was rendered; the page can be reused while it still resolves alike. */
export interface SeenLink {
    readonly href: string;
    readonly resolved: string;
    /** Where the link stands, when that is not the page's own file. */
    readonly file?: string;
    readonly line?: number;
}

export interface CachedPage {
    readonly meta: FrontMatter;
    readonly title: string;
    readonly body: RenderedBody;
    readonly links: readonly SeenLink[];
    readonly warnings: readonly SiteWarning[];
    /** Files that the page imports, with digests of their texts. */
    readonly imports: readonly (readonly [file: string, digest: string])[];
}

const keyLength = 64;
const newline = 10;

/** One write a line costs three times as much. */
const linesOfAWrite = 64;

/**
 * Remembers pages by the hash of everything that they are made of. One file a site, replaced as a whole at the end of
 * an export, so it holds exactly the pages of the last one. A damaged or missing file only costs time.
 */
export class PageCache {
    private readonly kept = new Map<string, Uint8Array>();

    private constructor(
        private readonly path: string | undefined,
        private readonly fingerprint: string,
        private readonly lines: ReadonlyMap<string, Buffer>,
    ) {}

    /** Without a folder nothing is remembered. */
    static async open(cacheDir: string | undefined, domain: string, fingerprint: string): Promise<PageCache> {
        if (cacheDir === undefined) {
            return new PageCache(undefined, fingerprint, new Map());
        }
        const path = join(cacheDir, `${encodeURIComponent(domain)}.pages`);
        const content = await readFile(path).catch(() => Buffer.alloc(0));
        return new PageCache(path, fingerprint, splitLines(content));
    }

    keyOf(file: string, route: string, source: string): string {
        return createHash("sha256").update([this.fingerprint, file, route, source].join("\0")).digest("hex");
    }

    get(key: string): CachedPage | undefined {
        const line = this.lines.get(key);
        if (line === undefined) {
            return undefined;
        }
        try {
            return JSON.parse(line.toString("utf8", keyLength)) as CachedPage;
        } catch {
            return undefined;
        }
    }

    /** Keeps an entry for the next export; without a page, the one that was found under the key. */
    keep(key: string, page?: CachedPage): void {
        if (this.path === undefined) {
            return;
        }
        const line = page === undefined ? this.lines.get(key) : Buffer.from(`${key}${JSON.stringify(page)}\n`);
        if (line !== undefined) {
            this.kept.set(key, line);
        }
    }

    /** Writes what was kept, unless that is what the file holds already. */
    async save(breathe: () => Promise<void>): Promise<void> {
        if (this.path === undefined) {
            return;
        }
        if (this.kept.size === this.lines.size && [...this.kept.keys()].every((key) => this.lines.has(key))) {
            return;
        }
        mkdirSync(dirname(this.path), { recursive: true });
        const unfinished = `${this.path}.${randomUUID()}`;
        const file = openSync(unfinished, "w");
        try {
            const lines = [...this.kept.values()];
            for (let start = 0; start < lines.length; start += linesOfAWrite) {
                writevSync(file, lines.slice(start, start + linesOfAWrite));
                await breathe();
            }
            renameSync(unfinished, this.path);
        } catch (error) {
            rmSync(unfinished, { force: true });
            throw error;
        } finally {
            closeSync(file);
        }
    }
}

function splitLines(content: Buffer): Map<string, Buffer> {
    const lines = new Map<string, Buffer>();
    for (let start = 0; start < content.length;) {
        const end = content.indexOf(newline, start);
        if (end === -1) {
            break;
        }
        lines.set(content.toString("latin1", start, start + keyLength), content.subarray(start, end + 1));
        start = end + 1;
    }
    return lines;
}
