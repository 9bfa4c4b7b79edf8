import { cutPlace } from "../text/cut-text.js";
import { eachWord } from "./word-places.js";
import { termsOf } from "./words.js";

interface ExcerptSize {
    /** The approximate number of characters before the first word that was found. */
    readonly before: number;
    readonly length: number;
}

/** Returns the part of the text around the first of the terms, or the beginning of the text if it contains no term. */
export function excerptOf(text: string, terms: ReadonlySet<string>, { before, length }: ExcerptSize): string {
    const place = placeOf(terms, text) ?? 0;
    const from = cutPlace(text, place - before);
    const space = from === 0 ? -1 : text.indexOf(" ", from);
    // Some languages write no spaces.
    const start = space >= 0 && space < place ? space + 1 : from;
    const end = cutPlace(text, start + length);
    return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}

/** Returns the place of the first of the terms in the text. */
function placeOf(terms: ReadonlySet<string>, text: string): number | undefined {
    let place: number | undefined;
    eachWord(text, (from, to) => {
        if (place === undefined) {
            const found = termsOf(text.slice(from, to)).find(({ term }) => terms.has(term));
            place = found && from + found.from;
        }
    });
    return place;
}
