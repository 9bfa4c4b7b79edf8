import { footnote, heading, itemMarker, itemStart, thematicBreak } from "./block-starts.js";

/** In Markdown, a line that is indented further is code, or continues a paragraph. MDX has no indented code. */
const maxIndent = 3;
/** A footnote continues in lines with this indentation. */
const footnoteIndent = 4;
/** No author nests deeper; the time for a line grows with the depth. */
const maxDepth = 100;

/** A quotation; or an item or a footnote, by the number of columns by which its lines are indented. */
type Container = "quotation" | number;

/** A line without its indentation and marks of containers. */
interface LineWithin {
    readonly text: string;
    /** Whether it is indented so far that no block but code begins on it. */
    readonly isDeep: boolean;
}

/**
 * The quotations, list items and footnotes around a line, in the order in which they contain each other:
 * https://spec.commonmark.org/0.31.2/#phase-1-block-structure
 */
export class Containers {
    #open: readonly Container[] = [];
    /** Whether a paragraph may continue on the next line, even if that line is further left. */
    isAfterText = false;
    #endsInEmptyItem = false;

    constructor(private readonly isMdx: boolean) {}

    /** A line of the innermost container; undefined for a line outside of it. */
    within(line: string): LineWithin | undefined {
        const rest = new Rest(line);
        return this.#entered(rest) === this.#open.length ? this.#lineOf(rest) : undefined;
    }

    read(line: string): LineWithin & { readonly isCode: boolean } {
        const rest = new Rest(line);
        const entered = this.#entered(rest);
        const isInParagraph = this.isAfterText && entered === this.#open.length;
        if (rest.isBlank) {
            const isItemOver = this.#endsInEmptyItem && entered === this.#open.length;
            this.#end(this.#open.slice(0, isItemOver ? -1 : entered), false);
            return { isCode: false, isDeep: false, text: rest.text };
        }
        const begun = this.#begun(rest, isInParagraph, entered);
        const { text, isDeep } = this.#lineOf(rest);
        if (begun.length === 0 && this.isAfterText && (isDeep || !beginsBlock.test(text))) {
            // A paragraph goes on, also in a line that is further left than its item.
            this.isAfterText = !(isInParagraph && !isDeep && underline.test(text));
            return { isCode: false, isDeep, text };
        }
        const isEmpty = rest.isBlank;
        this.#end([...this.#open.slice(0, entered), ...begun], !isDeep && !isEmpty && !beginsBlock.test(text));
        this.#endsInEmptyItem = isEmpty;
        return { isCode: isDeep && !isEmpty, isDeep, text };
    }

    #lineOf(rest: Rest): LineWithin {
        return { text: rest.text, isDeep: !this.isMdx && rest.indent > maxIndent };
    }

    #end(open: readonly Container[], isAfterText: boolean): void {
        this.#open = open;
        this.isAfterText = isAfterText;
        this.#endsInEmptyItem = false;
    }

    /** Enters the open containers that the line continues. @returns their number */
    #entered(rest: Rest): number {
        const { isMdx } = this;
        const end = this.#open.findIndex((container) =>
            container === "quotation"
                ? !rest.enterQuotation(isMdx)
                : !(rest.isBlank || (rest.indent >= container && rest.skip(container))),
        );
        return end === -1 ? this.#open.length : end;
    }

    /** Enters the containers that begin on the line. */
    #begun(rest: Rest, isInParagraph: boolean, depth: number): Container[] {
        const begun: Container[] = [];
        const breakLength = lengthOfBreak(rest.text);
        while (depth + begun.length < maxDepth && (this.isMdx || rest.indent <= maxIndent)) {
            if (rest.enterQuotation(this.isMdx)) {
                begun.push("quotation");
                continue;
            }
            const mayBegin = rest.text.trimStart().length > breakLength;
            const width = mayBegin ? rest.enterItem(isInParagraph && begun.length === 0) : undefined;
            const indent = width ?? (rest.enterFootnote() ? footnoteIndent : undefined);
            if (indent === undefined) {
                break;
            }
            begun.push(indent);
        }
        return begun;
    }
}

/** The rest of a line, and the column where it begins. */
class Rest {
    #column = 0;

    constructor(public text: string) {}

    get isBlank(): boolean {
        return /^\s*$/.test(this.text);
    }

    /** The number of columns of blanks at the start; a tab ends at the next multiple of four. */
    get indent(): number {
        let column = this.#column;
        for (const character of /^[ \t]*/.exec(this.text)?.[0] ?? "") {
            column += character === "\t" ? 4 - (column % 4) : 1;
        }
        return column - this.#column;
    }

    /** Skips blanks; a part of a tab remains as spaces. */
    skip(columns: number): true {
        let left = columns;
        let at = 0;
        let partOfTab = 0;
        while (left > 0 && (this.text[at] === " " || this.text[at] === "\t")) {
            const width = this.text[at] === "\t" ? 4 - (this.#column % 4) : 1;
            partOfTab = Math.max(width - left, 0);
            this.#column += Math.min(width, left);
            left -= Math.min(width, left);
            at += 1;
        }
        this.text = " ".repeat(partOfTab) + this.text.slice(at);
        return true;
    }

    #take(length: number): void {
        this.text = this.text.slice(length);
        this.#column += length;
    }

    enterQuotation(isMdx: boolean): boolean {
        const { indent } = this;
        if (!/^[ \t]*>/.test(this.text) || (!isMdx && indent > maxIndent)) {
            return false;
        }
        this.skip(indent);
        this.#take(1);
        return this.skip(1);
    }

    /** @param isInParagraph few items end a paragraph @returns the indentation of the item's other lines */
    enterItem(isInParagraph: boolean): number | undefined {
        const marker = item.exec(this.text)?.[1];
        if (marker === undefined) {
            return undefined;
        }
        const { indent } = this;
        const text = this.text.trimStart().slice(marker.length);
        const isEmpty = text.trim() === "";
        if (isInParagraph && (isEmpty || (/^\d/.test(marker) && Number(marker.slice(0, -1)) !== 1))) {
            return undefined;
        }
        this.skip(indent);
        this.#take(marker.length);
        // Five columns begin indented code, after one that belongs to the item.
        const blanks = isEmpty || this.indent > maxIndent + 1 ? 1 : this.indent;
        this.skip(blanks);
        return indent + marker.length + blanks;
    }

    enterFootnote(): boolean {
        const mark = beginsFootnote.exec(this.text)?.[1];
        if (mark === undefined) {
            return false;
        }
        this.skip(this.indent);
        this.#take(mark.length);
        return this.skip(this.indent);
    }
}

/** The number of characters of a thematic break at the end of a line; 0 if there is none. */
function lengthOfBreak(line: string): number {
    const text = line.trimEnd();
    const ofBreak = `${text.at(-1) ?? ""} \t`;
    let start = text.length;
    while (start > 0 && ofBreak.includes(text[start - 1]!)) {
        start -= 1;
    }
    const end = line.slice(start).trimStart();
    return onlyBreak.test(end) ? end.length : 0;
}

const onlyBreak = new RegExp(`^${thematicBreak}`);
const underline = /^[ \t]*(?:=+|-+)\s*$/;

/** The beginning of a line that is not text of a paragraph. */
const beginsBlock = new RegExp(String.raw`^[ \t]*(?:${heading}|[\x60]{3}|~{3}|\$\$|<[A-Za-z/!?]|${thematicBreak})`);
const beginsFootnote = new RegExp(String.raw`^[ \t]*(${footnote})`);
const item = new RegExp(String.raw`^[ \t]*(?=${itemStart})(${itemMarker})`);
