import { bodyOf } from "../../front-matter/front-matter.js";
import { footnote, heading, itemMarker, itemStart, thematicBreak } from "./block-starts.js";
import { Fences, mayHaveFences } from "./fences.js";

/** A part of a page that is not text. */
export interface Region {
    /** `unended` is a bracket that begins a tag or comment without an end. */
    readonly kind: "front matter" | "fence" | "indented" | "code" | "comment" | "formula" | "tag" | "unended";
    readonly start: number;
    readonly end: number;
}

/** Matches the beginning of text in which Markdown or MDX reads no fences. */
const rawOfMarkdown = /^[ \t>]*<(?:!--|(script|pre|style|textarea)\b)/im;
const rawOfMdx = /^[ \t>]*(?:\{(?:\/\*|`)|<!--)|^export\s+(?:default|const|let|var|function|class|async)\b/m;

/** In CommonMark, each of these tags ends each of the elements. */
const endOfRawElement = /<\/(?:script|pre|style|textarea)>/gi;

/** Finds front matter, and the code and formulas that consist of whole lines. */
export function findBlocks(text: string, isMdx: boolean): Region[] {
    const bodyAt = text.length - bodyOf(text).length;
    const blocks: Region[] = bodyAt === 0 ? [] : [{ kind: "front matter", start: 0, end: bodyAt }];
    if (!mayHaveFences(text.slice(bodyAt), isMdx)) {
        return blocks;
    }
    const raw = isMdx ? rawOfMdx : rawOfMarkdown;
    const mayHaveRaw = raw.test(text);
    const search = new Search(text);
    const fences = new Fences(isMdx);
    let end = bodyAt;
    let rawEnd = 0;
    for (let start = bodyAt; start < text.length; start = end) {
        end = Math.min(search.next("\n", start) + 1, text.length);
        const line = text.slice(start, end);
        if (start < rawEnd) {
            continue;
        }
        const kind = fences.kindOf(line);
        if (kind === undefined) {
            const begins = mayHaveRaw ? raw.exec(line) : null;
            // An export does not interrupt a paragraph.
            const isText = begins?.[0].startsWith("export") === true && isTextBefore(text, start, bodyAt);
            rawEnd = isText ? 0 : endOfRaw(search, start, begins);
            continue;
        }
        const last = blocks.at(-1);
        if (last?.kind === kind && last.end === start) {
            blocks[blocks.length - 1] = { ...last, end };
        } else {
            blocks.push({ kind, start, end });
        }
    }
    return blocks;
}

function isTextBefore(text: string, start: number, bodyAt: number): boolean {
    return start > bodyAt && text.slice(text.lastIndexOf("\n", start - 2) + 1, start).trim() !== "";
}

function endOfRaw(search: Search, start: number, begins: RegExpExecArray | null): number {
    const [found, element] = begins ?? [];
    if (found === undefined) {
        return 0;
    }
    const mark = found.replace(/^[\s>]+/, "");
    const ends: Readonly<Record<string, string>> = { "<!--": "-->", "{/*": "*/}", "{`": "`}" };
    const what = element === undefined ? (ends[mark] ?? blankLine) : endOfRawElement;
    const end = search.next(what, start + found.length);
    return end === Infinity ? 0 : end;
}

const tokenOfMarkdown = /\\[^]|`+|\$\$|<(?=[A-Za-z/!?])/g;
const tokenOfMdx = /\\[^]|`+|\$\$|<(?=[A-Za-z/!?])|\{\/\*/g;
export const tagOfMarkdown = /<\/?[A-Za-z][\w.-]*(?:\s[^<>]*)?\/?>/y;
const tagOfMdx = /<\/?(?:[A-Za-z][\w.:-]*(?:\s[^<>]*)?)?\/?>/y;
const endOfComment = /\*\/\s*\}/y;
/** Matches what precedes a tag at the beginning of a line that is not code. */
const lineStart = new RegExp(String.raw`(?:^|\n) {0,3}(?:(?:>|${itemMarker}) {0,3})*$`);
const maxLineStart = 100;
/** The elements that end a paragraph in CommonMark. */
const blockElements =
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|" +
    "fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|" +
    "menuitem|nav|noframes|ol|optgroup|option|p|param|pre|script|search|section|style|summary|table|tbody|td|textarea|" +
    "tfoot|th|thead|title|tr|track|ul";
/** Code and formulas in a line end before these lines, as its paragraph does. */
const endOfParagraph = new RegExp(
    String.raw`\n(?<=^[ \t>]*${heading}.*\n)|\n(?=[ \t>]*(?:$|=+[ \t]*$|-+[ \t]*$|${heading}|${thematicBreak}|` +
        String.raw`${footnote}|${itemStart}|<(?:[!?]|/?(?:${blockElements})(?:[\s>]|/>|$))))`,
    "gim",
);
const blankLine = /\n[ \t]*$/gm;

/**
 * Finds all regions, from left to right: tags in code and backticks in tags do not count.
 * @param blocks the front matter, and the code and formulas of whole lines
 * @param rows the ends of the rows of tables
 */
export function findRegions(
    text: string,
    isMdx: boolean,
    blocks: readonly Region[],
    rows: readonly number[],
): Region[] {
    const regions: Region[] = [];
    const search = new Search(text, rows);
    const token = isMdx ? tokenOfMdx : tokenOfMarkdown;
    token.lastIndex = 0;
    let match = token.exec(text);
    for (const block of [...blocks, { start: text.length, end: text.length }]) {
        for (; match !== null && match.index < block.start; match = token.exec(text)) {
            const region = regionAt(search, match[0], match.index, isMdx);
            if (region !== undefined && region.end <= block.start) {
                regions.push(region);
                token.lastIndex = region.end;
            }
        }
        if (match !== null && match.index < block.end) {
            token.lastIndex = block.end;
            match = token.exec(text);
        }
        regions.push(...("kind" in block ? [block] : []));
    }
    return regions;
}

function regionAt(search: Search, token: string, start: number, isMdx: boolean): Region | undefined {
    const { text } = search;
    const region = (kind: Region["kind"], end: number) => (end === Infinity ? undefined : { kind, start, end });
    if (token.startsWith("`")) {
        const end = search.nextRun(token.length, start + token.length);
        return end < search.endOfText(start) ? region("code", end + token.length) : undefined;
    }
    if (token === "$$") {
        const end = search.next("$$", start + 2);
        return text[start + 2] !== "{" && end < search.endOfText(start) ? region("formula", end + 2) : undefined;
    }
    if (token === "{/*") {
        endOfComment.lastIndex = search.next("*/", start + 3);
        return endOfComment.test(text) ? region("comment", endOfComment.lastIndex) : undefined;
    }
    if (token !== "<") {
        return undefined;
    }
    if (text.startsWith("<!--", start)) {
        return region("comment", search.next("-->", start + 2) + 3) ?? region("unended", start + 1);
    }
    if (!isMdx && beginsLine(text, start) && !hasEnd(search, start)) {
        return region("unended", start + 1);
    }
    const tag = isMdx ? tagOfMdx : tagOfMarkdown;
    tag.lastIndex = start;
    return tag.test(text) ? region("tag", tag.lastIndex) : undefined;
}

function beginsLine(text: string, at: number): boolean {
    return lineStart.test(text.slice(Math.max(0, at - maxLineStart), at));
}

/** Whether a tag, a declaration or an instruction has an end. */
function hasEnd(search: Search, at: number): boolean {
    if (search.text.startsWith("<?", at)) {
        return search.next("?>", at) < Infinity;
    }
    return search.text.startsWith("<![CDATA[", at)
        ? search.next("]]>", at) < Infinity
        : search.next(">", at) < search.next(blankLine, at);
}

/** Finds the next place of a text or pattern. Offsets only grow, so that all searches together take linear time. */
class Search {
    readonly #found = new Map<string | RegExp, number>();
    /** The places of runs of backticks by their length, the first one last. */
    #runs: Map<number, number[]> | undefined;

    /** The ends of rows of tables, the first one last. */
    readonly #rows: number[];

    constructor(
        readonly text: string,
        rows: readonly number[] = [],
    ) {
        this.#rows = rows.toReversed();
    }

    /** The end of the paragraph or the row of a table around an offset. */
    endOfText(at: number): number {
        return Math.min(this.next(endOfParagraph, at), nextIn(this.#rows, at));
    }

    /** The next place at or after an offset; Infinity if there is none. */
    next(what: string | RegExp, at: number): number {
        const known = this.#found.get(what);
        if (known !== undefined && known >= at) {
            return known;
        }
        let found: number | undefined;
        if (typeof what === "string") {
            found = this.text.indexOf(what, at);
        } else {
            what.lastIndex = at;
            found = what.exec(this.text)?.index;
        }
        const place = found === undefined || found === -1 ? Infinity : found;
        this.#found.set(what, place);
        return place;
    }

    /** The next run of exactly as many backticks. */
    nextRun(length: number, at: number): number {
        this.#runs ??= runsIn(this.text);
        return nextIn(this.#runs.get(length) ?? [], at);
    }
}

/** The next of some places, of which the first one is last; removes the places before it. */
function nextIn(places: number[], at: number): number {
    while ((places.at(-1) ?? Infinity) < at) {
        places.pop();
    }
    return places.at(-1) ?? Infinity;
}

function runsIn(text: string): Map<number, number[]> {
    const runs = new Map<number, number[]>();
    for (const { 0: run, index } of [...text.matchAll(/`+/g)].reverse()) {
        const places = runs.get(run.length) ?? [];
        runs.set(run.length, places);
        places.push(index);
    }
    return runs;
}
