import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type FrontMatter } from "./front-matter.js";
import { type RenderedBody } from "./page-renderer.js";

/** A link as it was resolved when the page was rendered; the page can be reused while it still resolves alike. */
export interface SeenLink {
    readonly href: string;
    readonly resolved: string;
    readonly line?: number;
}

export interface CachedPage {
    readonly meta: FrontMatter;
    readonly title: string;
    readonly body: RenderedBody;
    readonly links: readonly SeenLink[];
}

/**
 * Remembers pages by the hash of everything that they are made of. One file a site, replaced as a whole at the end of
 * an export, so it holds exactly the pages of the last one. A damaged or missing file only costs time.
 */
export class PageCache {
    private readonly kept = new Map<string, string>();

    private constructor(
        private readonly path: string | undefined,
        private readonly fingerprint: string,
        private readonly lines: ReadonlyMap<string, string>,
    ) {}

    static async open(cacheDir: string | undefined, domain: string, fingerprint: string): Promise<PageCache> {
        if (cacheDir === undefined) return new PageCache(undefined, fingerprint, new Map());
        const path = join(cacheDir, `${encodeURIComponent(domain)}.pages`);
        const text = await readFile(path, "utf8").catch(() => "");
        const lines = new Map<string, string>();
        for (const line of text.split("\n")) lines.set(line.slice(0, keyLength), line.slice(keyLength));
        return new PageCache(path, fingerprint, lines);
    }

    keyOf(file: string, route: string, source: string): string {
        return createHash("sha256").update([this.fingerprint, file, route, source].join("\0")).digest("hex");
    }

    get(key: string): CachedPage | undefined {
        const line = this.lines.get(key);
        if (line === undefined) return undefined;
        try {
            return JSON.parse(line) as CachedPage;
        } catch {
            return undefined;
        }
    }

    /** Keeps an entry for the next export; without a page, the one that was found under the key. */
    keep(key: string, page?: CachedPage): void {
        if (this.path === undefined) return;
        const line = page === undefined ? this.lines.get(key) : JSON.stringify(page);
        if (line !== undefined) this.kept.set(key, line);
    }

    async save(): Promise<void> {
        if (this.path === undefined) return;
        let text = "";
        for (const [key, line] of this.kept) text += `${key}${line}\n`;
        await mkdir(join(this.path, ".."), { recursive: true });
        const unfinished = `${this.path}.${process.pid}.${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
        await writeFile(unfinished, text);
        await rename(unfinished, this.path);
    }
}

const keyLength = 64;
