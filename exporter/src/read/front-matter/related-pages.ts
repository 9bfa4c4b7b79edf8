import { asRecord } from "../../text/json-values.js";

/** A page of the site, or one elsewhere, that a page names as related. */
export interface RelatedPage {
    readonly href: string;
    /** Undefined for a page that is called what its own title says. */
    readonly title?: string;
}

const maxRelated = 50;

/** Reads `related` of front matter: addresses, and `Title: address`. Undefined for what is no list. */
export function relatedPagesOf(value: unknown): readonly RelatedPage[] | undefined {
    if (value === false) {
        return [];
    }
    return Array.isArray(value) ? value.slice(0, maxRelated).flatMap(readEntry) : undefined;
}

function readEntry(entry: unknown): RelatedPage[] {
    if (typeof entry === "string") {
        return entry.trim() === "" ? [] : [{ href: entry.trim() }];
    }
    return Object.entries(asRecord(entry)).flatMap(([title, href]) =>
        typeof href === "string" ? [{ title, href: href.trim() }] : [],
    );
}
