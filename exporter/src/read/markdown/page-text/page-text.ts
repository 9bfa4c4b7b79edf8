import { type Region, findBlocks, findRegions } from "./regions.js";
import { type Line, mayHaveTables, tableLines } from "./table-lines.js";

/** The part of a text from `start` to `end`. */
export interface Place {
    readonly start: number;
    readonly end: number;
}

/** A change of a text: a part becomes another. */
export interface Edit extends Place {
    readonly text: string;
}

/** A place that was changed, or that needs the author's attention. */
export interface Repair {
    readonly line: number | undefined;
    readonly reason: string;
}

export type Report = (line: number | undefined, reason: string) => void;

const isCode = new Set<Region["kind"]>(["front matter", "fence", "indented", "code"]);

/** The text of a page, with its code and tags, which are searched at most once: changes only move them. */
export class PageText {
    #blocks: readonly Region[] | undefined;
    #regions: readonly Region[] | undefined;

    constructor(
        readonly text: string,
        readonly isMdx: boolean,
    ) {}

    /** Front matter, and the code and formulas that consist of whole lines. */
    get blocks(): readonly Region[] {
        this.#blocks ??= findBlocks(this.text, this.isMdx);
        return this.#blocks;
    }

    /** What is not text: front matter, code, comments, formulas and tags, in their order. */
    get regions(): readonly Region[] {
        this.#regions ??= findRegions(this.text, this.isMdx, this.blocks, this.#endsOfRows());
        return this.#regions;
    }

    #endsOfRows(): number[] {
        return mayHaveTables.test(this.text) ? Array.from(tableLines(this.lines()), ({ line }) => line.start - 1) : [];
    }

    /** The regions of some kinds. */
    only(...kinds: readonly Region["kind"][]): readonly Region[] {
        return this.regions.filter(({ kind }) => kinds.includes(kind));
    }

    /** Front matter and code. */
    get code(): readonly Region[] {
        return this.regions.filter(({ kind }) => isCode.has(kind));
    }

    /** The regions between two offsets. */
    within(start: number, end: number): readonly Region[] {
        const { regions } = this;
        let [low, high] = [0, regions.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            [low, high] = (regions[middle]?.start ?? 0) < start ? [middle + 1, high] : [low, middle];
        }
        const found: Region[] = [];
        for (let region = regions[low]; region !== undefined && region.end <= end; region = regions[++low]) {
            found.push(region);
        }
        return found;
    }

    /** A part of the text without code and front matter; a backtick is in place of code in a line. */
    withoutCode(start = 0, end = this.text.length): string {
        const codes = this.within(start, end).filter(({ kind }) => isCode.has(kind));
        return withEdits(
            this.text.slice(start, end),
            codes.map(({ kind, ...code }) => ({
                start: code.start - start,
                end: code.end - start,
                text: kind === "code" ? "`" : "\n",
            })),
        );
    }

    *lines(): Generator<Line> {
        let at = 0;
        let start = 0;
        for (const text of this.text.split("\n")) {
            while ((this.blocks[at]?.end ?? Infinity) <= start) {
                at += 1;
            }
            yield { text, start, isCode: (this.blocks[at]?.start ?? Infinity) < start + text.length + 1 };
            start += text.length + 1;
        }
    }

    /** The places of a pattern, which has the flag `g`, that begin outside of some regions. */
    *matches(pattern: RegExp, without: readonly Place[] = this.regions): Generator<RegExpExecArray> {
        let at = 0;
        pattern.lastIndex = 0;
        for (let match = pattern.exec(this.text); match !== null; match = pattern.exec(this.text)) {
            while ((without[at]?.end ?? Infinity) <= match.index) {
                at += 1;
            }
            const region = without[at];
            if (region !== undefined && region.start <= match.index) {
                pattern.lastIndex = region.end;
                continue;
            }
            const { lastIndex } = pattern;
            yield match;
            pattern.lastIndex = match[0] === "" ? lastIndex + 1 : lastIndex;
        }
    }

    /** The page with the places of a pattern changed that begin outside of some regions. */
    replace(pattern: RegExp, change: (match: RegExpExecArray) => string, without = this.regions): PageText {
        const edits: Edit[] = [];
        for (const match of this.matches(pattern, without)) {
            const text = change(match);
            if (text !== match[0]) {
                edits.push({ start: match.index, end: match.index + match[0].length, text });
            }
        }
        return this.edited(edits);
    }

    /** The page with changed lines; undefined means no change. */
    withLines(change: (line: Line, index: number) => string | undefined): PageText {
        const edits: Edit[] = [];
        let index = 0;
        for (const line of this.lines()) {
            const text = change(line, index);
            index += 1;
            if (text !== undefined && text !== line.text) {
                edits.push({ start: line.start, end: line.start + line.text.length, text });
            }
        }
        return this.edited(edits);
    }

    /** @param edits in the order of their places */
    edited(edits: readonly Edit[]): PageText {
        if (edits.length === 0) {
            return this;
        }
        const page = new PageText(withEdits(this.text, edits), this.isMdx);
        page.#blocks = this.#blocks && moved(this.#blocks, edits);
        page.#regions = this.#regions && moved(this.#regions, edits);
        return page;
    }
}

export function withEdits(source: string, edits: readonly Edit[]): string {
    let text = "";
    let from = 0;
    for (const edit of edits) {
        text += source.slice(from, edit.start) + edit.text;
        from = edit.end;
    }
    return text + source.slice(from);
}

/** Regions after changes in or between them; undefined if a change replaces a part of their edges. */
function moved(regions: readonly Region[], edits: readonly Edit[]): Region[] | undefined {
    const result: Region[] = [];
    let at = 0;
    let shift = 0;
    const pass = (edit: Edit) => {
        shift += edit.text.length - (edit.end - edit.start);
        at += 1;
    };
    for (const region of regions) {
        for (let edit = edits[at]; edit !== undefined && edit.end <= region.start; edit = edits[at]) {
            pass(edit);
        }
        const start = region.start + shift;
        for (let edit = edits[at]; edit !== undefined && edit.start < region.end; edit = edits[at]) {
            if (edit.start <= region.start || edit.end >= region.end) {
                return undefined;
            }
            pass(edit);
        }
        result.push({ ...region, start, end: region.end + shift });
    }
    return result;
}
