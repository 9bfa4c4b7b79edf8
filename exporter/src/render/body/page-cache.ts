import { type SeenLink } from "../../plan/links/link-resolver.js";
import { type RenderedBody } from "../../html/rendered-body.js";
import { type SiteWarning } from "../../problems/warning-log.js";
import { type EntryFile } from "../../read/files/entry-file.js";

export interface CachedPage {
    readonly body: RenderedBody;
    readonly links: readonly SeenLink[];
    readonly warnings: readonly SiteWarning[];
    /** Files that the page imports, with the digests of the files' text. */
    readonly imports: readonly (readonly [file: string, digest: string])[];
}

/** Caches the pages of a site by the hash of all their sources. */
export class PageCache {
    constructor(private readonly entries: Pick<EntryFile, "get" | "has" | "keep">) {}

    /** Whether the last export stored a page with this key. */
    has(key: string): boolean {
        return this.entries.has(key);
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
        this.keepEntry(key, entry);
    }

    /** Adds the entry of a page that another thread has rendered. */
    keepEntry(key: string, entry: Buffer | undefined): void {
        this.entries.keep(key, entry);
    }
}

function withHtml(page: CachedPage, html: string): CachedPage {
    return { ...page, body: { ...page.body, html } };
}
