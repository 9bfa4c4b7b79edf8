import { footnote, heading, itemMarker, itemStart, thematicBreak } from "./block-starts.js";

/** A list marker may precede the line that begins code or a formula. */
const opening = new RegExp(
    String.raw`^(?:[ \t>]|${itemMarker}[ \t])*(` + "`{3,}" + String.raw`|~{3,}|\${2,}(?!\{)(?=[^$]*$))(.*)`,
);
const closing = /^[ \t]*(`{3,}|~{3,}|\${2,})\s*$/;
const mayHaveMark = /```|~~~|\$\$/;
/** In Markdown, a mark that is indented further belongs to the code. MDX has no indented code, so it has no limit. */
const maxIndent = 3;
/** Lines after which indented code may begin, also if a paragraph precedes them. */
const endsText = new RegExp(String.raw`^[ \t>]*(?:\r?\n?$|${heading}|-+\s*$|${thematicBreak}|<!--.*-->\s*$)`);
const underline = /^[ \t>]*(?:=+|-+)\s*$/;
const deeplyIndented = /^[ \t>]*?(?: {4}|\t)/;

/** Whether text may contain fences or indented code. */
export function mayHaveFences(text: string, isMdx: boolean): boolean {
    return mayHaveMark.test(text) || (!isMdx && mayHaveIndented.test(text));
}

const mayHaveIndented =
    /(?:(?<![^])|^[ \t>]*(?:#{1,6}(?:[ \t].*)?|=+[ \t]*|[-*_][-*_ \t]*|<!--.*-->[ \t]*|\r)?\r?\n)[ \t>]*(?: {4}|\t)/m;

/**
 * Tracks code and formulas that consist of whole lines, as CommonMark and its extension for formulas define them:
 * https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export class Fences {
    /** The characters that opened the fence; empty outside of a fence. */
    #mark = "";
    #column = 0;
    /** The number of quotations around the fence, and the column of the list item around it. */
    #quotes = 0;
    #item = 0;
    readonly #lists = new ListItems();
    /** Lines that are read only when code begins after them that may be in a list: most pages have no such code. */
    #unread: string[] = [];
    /** Whether a paragraph may continue on the line. */
    #isAfterText = false;

    constructor(private readonly isMdx: boolean) {}

    /** Whether a line belongs to code or a formula, or is its delimiter. */
    kindOf(line: string): "fence" | "indented" | "formula" | undefined {
        const hasMark = mayHaveMark.test(line);
        if (this.#mark !== "" && !this.#isOutside(line)) {
            const kind = this.#kind;
            const end = hasMark ? closing.exec(withoutQuotes(line, this.#quotes).text)?.[1] : undefined;
            if (end?.startsWith(this.#mark) === true && (this.isMdx || line.indexOf(end) - this.#column <= maxIndent)) {
                this.#mark = "";
            }
            return kind;
        }
        this.#mark = "";
        if (this.#isIndentedCode(line)) {
            return "indented";
        }
        this.#isAfterText = !endsText.test(line) && !(this.#isAfterText && this.#isUnderline(line));
        const [, mark = "", rest = ""] = (hasMark ? opening.exec(line) : undefined) ?? [];
        this.#unread.push(line);
        if (mark === "" || (mark.startsWith("`") && rest.includes("`"))) {
            return undefined;
        }
        this.#mark = mark;
        this.#isAfterText = false;
        this.#column = line.indexOf(mark);
        // A fence at the left edge is not in a list or quotation, whatever precedes it.
        this.#readLists(this.#column === 0 ? [line] : this.#unread);
        [this.#quotes, this.#item] = [this.#lists.quotes, this.#lists.column];
        return this.#kind;
    }

    get #kind(): "fence" | "formula" {
        return this.#mark.startsWith("$") ? "formula" : "fence";
    }

    #isIndentedCode(line: string): boolean {
        if (this.isMdx || this.#isAfterText || !deeplyIndented.test(line) || line.trim() === "") {
            return false;
        }
        this.#readLists(this.#unread);
        return this.#lists.indentOf(line) > maxIndent;
    }

    #isUnderline(line: string): boolean {
        if (!underline.test(line)) {
            return false;
        }
        this.#readLists(this.#unread);
        return indentOf(withoutQuotes(line, Infinity).text) >= this.#lists.column;
    }

    #readLists(lines: readonly string[]): void {
        lines.forEach((line) => this.#lists.read(line));
        this.#unread = [];
    }

    #isOutside(line: string): boolean {
        if (this.#quotes === 0 && this.#item === 0) {
            return false;
        }
        const { quotes, text } = withoutQuotes(line, this.#quotes);
        return quotes < this.#quotes || (text.trim() !== "" && indentOf(text) < this.#item);
    }
}

/** Tracks the list items and footnotes around a line. */
class ListItems {
    quotes = 0;
    #columns: readonly number[] = [];
    /** Whether the last line that was read is text, which a line further left may continue. */
    #isAfterText = false;

    /** The column where the text of the innermost item begins; 0 outside of lists. */
    get column(): number {
        return this.#columns.at(-1) ?? 0;
    }

    /** The indentation of a line in the list items around it. */
    indentOf(line: string): number {
        const { quotes, text } = withoutQuotes(line, Infinity);
        const indent = indentOf(text);
        const item = quotes === this.quotes ? this.#columns.findLast((column) => column <= indent) : 0;
        return indent - (item ?? 0);
    }

    read(line: string): void {
        const { quotes, text } = withoutQuotes(line, Infinity);
        if (this.#isAfterText && quotes <= this.quotes && text.trim() !== "") {
            const isUnderline = underline.test(text) && quotes === this.quotes && indentOf(text) >= this.column;
            if (isUnderline || !beginsBlock.test(text)) {
                this.#isAfterText = !isUnderline;
                return;
            }
        }
        this.#columns = quotes === this.quotes ? this.#columns : [];
        this.quotes = quotes;
        this.#isAfterText = false;
        if (text.trim() === "") {
            return;
        }
        const columns = this.#columns.filter((column) => column <= indentOf(text));
        if (beginsFootnote.test(text)) {
            columns.push((columns.at(-1) ?? 0) + footnoteIndent);
        }
        let at = 0;
        let rest = text;
        const breakLength = lengthOfBreak(text);
        for (
            let item = listItem.exec(rest);
            item !== null && rest.trimStart().length > breakLength;
            item = listItem.exec(rest)
        ) {
            const [whole, marker = "", space = ""] = item;
            const width = widthOf(marker, at);
            // Five spaces begin indented code, after one that belongs to the item.
            at += space === "" || space.length > maxIndent + 1 ? width + 1 : widthOf(whole, at);
            columns.push(at);
            rest = rest.slice(whole.length);
        }
        this.#columns = columns;
        this.#isAfterText = rest.trim() !== "" && (!beginsBlock.test(rest) || beginsFootnote.test(rest));
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

/** The beginning of a line that does not continue a paragraph. */
const beginsBlock = new RegExp(
    String.raw`^[ \t]*(?:${itemStart}|${heading}|[\x60]{3}|~{3}|\$\$|<[A-Za-z/!?]|${thematicBreak}|${footnote})`,
);
const beginsFootnote = new RegExp(String.raw`^[ \t]*${footnote}`);
/** A footnote continues in lines with this indentation. */
const footnoteIndent = 4;
const listItem = new RegExp(String.raw`^([ \t]*${itemMarker})(?:([ \t]+)|(?=\r?\n?$))`);

function indentOf(line: string): number {
    return widthOf(/^[ \t]*/.exec(line)?.[0] ?? "");
}

/** The number of columns of a text that begins at a column; a tab ends at the next multiple of four. */
function widthOf(text: string, from = 0): number {
    let column = from;
    for (const character of text) {
        column += character === "\t" ? 4 - (column % 4) : 1;
    }
    return column - from;
}

/** Removes the marks of quotations at the start of a line. */
function withoutQuotes(line: string, most: number): { quotes: number; text: string } {
    let text = line;
    let quotes = 0;
    for (let mark = quoteMark.exec(text); mark !== null && quotes < most; mark = quoteMark.exec(text)) {
        text = text.slice(mark[0].length);
        quotes += 1;
    }
    return { quotes, text };
}

const quoteMark = /^[ \t]*> ?/;
