import { placedTerms } from "./words.js";

export interface ExcerptSize {
    /** The approximate number of characters before the first word that was found. */
    readonly before: number;
    readonly length: number;
}

/** A part of a text around the first of the terms, or its beginning if it contains none. */
export function excerptOf(text: string, terms: ReadonlySet<string>, { before, length }: ExcerptSize): string {
    const found = placedTerms(text).find(({ term }) => terms.has(term));
    const from = found === undefined ? 0 : Math.max(0, found.from - before);
    const start = from === 0 ? 0 : text.indexOf(" ", from) + 1;
    const end = start + length;
    return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}
