import { lineAt } from "../../text/strings.js";
import { itemMarker } from "./page-text/block-starts.js";
import { type Edit, type PageText, type Place, type Report } from "./page-text/page-text.js";

/**
 * The native parser's memory and time grow with the product of a paragraph's length and its number of character
 * references. For this product, it takes about a quarter of a gigabyte.
 */
const maxCost = 128_000_000;

/** Matches an escape or an address, which stay; a character that an escape can write; and other references. */
const pieces =
    /\\[^]|\b(?:https?:|www\.)[^\s<>]+|&(?:(lt|gt|amp|quot)|#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z]\w{1,31});/g;
const escapes: Readonly<Record<string, string>> = { lt: "\\<", gt: "\\>", amp: "\\&", quot: '\\"' };

/** HTML of Markdown, in which a backslash does not escape. It lasts to an empty line or to the end of its element. */
const elements = "pre|script|style|textarea";
const blockTag =
    "/?(?:address|article|aside|blockquote|center|d[dlt]|details|dialog|div|fieldset|fig(?:caption|ure)|footer|form|" +
    "h[1-6]|header|li|main|nav|ol|p|section|summary|table|t(?:body|d|foot|h|head|r)|ul)";
/** A tag on a line by itself begins such HTML, whatever its name. */
const onlyTag = String.raw`/?[a-z](?:[^<>\n"']|"[^"\n]*"|'[^'\n]*')*>[ \t]*$`;
const html = new RegExp(
    String.raw`^(?:[ \t>]|${itemMarker}[ \t])*<(?:(?:${elements})\b[^]*?(?:</(?:${elements})>|(?![^]))|` +
        String.raw`(?:${blockTag}\b|${onlyTag})[^]*?(?=\n[ \t]*\n|(?![^])))`,
    "gim",
);

/** An empty line, or the line break before an item or a row of a table. */
const ends = /\n[ \t>]*(?:\n|(?=[-+*][ \t]|\||\d{1,9}[.)][ \t]))/g;

/**
 * Writes the references of extremely long paragraphs as escapes, which the parser reads in linear time. Shows those
 * references as they are written that no escape can write.
 */
export function escapeManyReferences(page: PageText, report: Report, most = maxCost): PageText {
    const { text } = page;
    if (!isCostly(text, text.split("&").length, most)) {
        return page;
    }
    const skipped = page.isMdx ? [] : Array.from(text.matchAll(html), (match) => placeOf(match));
    const without = [...page.regions.filter(({ kind }) => kind !== "unended"), ...skipped].sort(
        (one, other) => one.start - other.start,
    );
    const found = [...page.matches(pieces, merged(without))].filter(([piece]) => piece.startsWith("&"));
    const edits: Edit[] = [];
    let next = 0;
    for (const [start, end] of paragraphsOf(text)) {
        const first = next;
        while ((found[next]?.index ?? Infinity) < end) {
            next += 1;
        }
        const own = found.slice(first, next);
        const length = end - start;
        const others = own.filter(([, common]) => common === undefined).length;
        if (!isCostly({ length }, own.length, most)) {
            continue;
        }
        const isLiteral = isCostly({ length }, others, most);
        if (isLiteral) {
            const reason = `the ${others} character references of this paragraph are shown as they are written`;
            report(lineAt(text, own[0]?.index ?? start), `${reason}, because they are too many: split the paragraph`);
        }
        for (const match of own) {
            const escape = match[1] === undefined ? (isLiteral ? `\\${match[0]}` : match[0]) : escapes[match[1]];
            edits.push({ ...placeOf(match), text: escape ?? match[0] });
        }
    }
    return page.edited(edits);
}

function isCostly({ length }: { readonly length: number }, references: number, most: number): boolean {
    return length * references > most;
}

function* paragraphsOf(text: string): Generator<readonly [start: number, end: number]> {
    let start = 0;
    for (const { index } of text.matchAll(ends)) {
        yield [start, index];
        start = index;
    }
    yield [start, text.length];
}

function placeOf({ 0: whole, index }: RegExpExecArray): Place {
    return { start: index, end: index + whole.length };
}

/** Places without those that are within others. @param places in their order */
function merged(places: readonly Place[]): Place[] {
    let last = 0;
    return places.filter(({ end }) => {
        const isOutside = end > last;
        last = Math.max(last, end);
        return isOutside;
    });
}
