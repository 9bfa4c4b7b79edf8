import { type SeenLink } from "../../plan/links/link-resolver.js";
import { type RenderedBody } from "../../html/rendered-body.js";
import { type SiteWarning } from "../../problems/warnings.js";
import { EntryFile } from "../../read/files/entry-file.js";

export interface CachedPage {
    readonly body: RenderedBody;
    readonly links: readonly SeenLink[];
    readonly warnings: readonly SiteWarning[];
    /** Files that the page imports, with the digests of the files' text. */
    readonly imports: readonly (readonly [file: string, digest: string])[];
}

/** Caches the pages of a site by the hash of all their sources. */
export class PageCache {
    private constructor(private readonly entries: EntryFile) {}

    static open(cacheDir: string, domain: string): PageCache {
        return new PageCache(EntryFile.open(cacheDir, domain, "pages"));
    }

    get(key: string): CachedPage | undefined {
        const entry = this.entries.get(key)?.toString("utf8");
        if (entry === undefined) {
            return undefined;
        }
        const end = entry.indexOf("\n");
        return withHtml(JSON.parse(entry.slice(0, end)) as CachedPage, entry.slice(end + 1, -1));
    }

    /** Adds an entry for the next export. Without a page, preserves the existing entry with this key. */
    keep(key: string, page?: CachedPage): void {
        // The HTML is stored unchanged after the rest: as JSON, the HTML would take twice the time and a quarter more
        // space.
        const entry = page && Buffer.from(`${JSON.stringify(withHtml(page, ""))}\n${page.body.html}\n`);
        this.entries.keep(key, entry);
    }

    /** Replaces the content of the cache with the entries of this export. */
    async save(yieldToEventLoop: () => Promise<void>): Promise<void> {
        await this.entries.save(yieldToEventLoop);
    }

    /** Closes the cache; without an earlier `save`, its content stays unchanged. */
    close(): void {
        this.entries.close();
    }
}

function withHtml(page: CachedPage, html: string): CachedPage {
    return { ...page, body: { ...page.body, html } };
}
