/** A list marker may precede the line that begins a fence. */
const opening = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})(.*)/;
const closing = /^[ \t>]*(`{3,}|~{3,})\s*$/;
/** In Markdown, a mark that is indented further belongs to the code. MDX has no indented code, so it has no limit. */
const maxIndent = 3;

/**
 * Tracks fenced code from line to line, as CommonMark defines it:
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
    /** Lines that are read only when a fence begins after them that may be in a list: most pages have no such fence. */
    #unread: string[] = [];

    constructor(private readonly isMdx: boolean) {}

    /** Whether a line belongs to code or is its delimiter. */
    holds(line: string): boolean {
        const isInside = this.#mark !== "" && !this.#isOutside(line);
        const mayHaveMark = line.includes("```") || line.includes("~~~");
        if (this.#mark === "" && !mayHaveMark) {
            // A shortcut for most lines.
            this.#unread.push(line);
            return false;
        }
        if (isInside) {
            const end = mayHaveMark ? closing.exec(line)?.[1] : undefined;
            if (end?.startsWith(this.#mark) === true && (this.isMdx || line.indexOf(end) - this.#column <= maxIndent)) {
                this.#mark = "";
            }
            return true;
        }
        const [, mark = "", rest = ""] = (mayHaveMark ? opening.exec(line) : undefined) ?? [];
        const isInline = mark.startsWith("`") && rest.includes("`");
        this.#mark = isInline ? "" : mark;
        this.#unread.push(line);
        if (this.#mark !== "") {
            this.#column = line.indexOf(mark);
            // A fence at the left edge is not in a list or quotation, whatever precedes it.
            (this.#column === 0 ? [line] : this.#unread).forEach((each) => this.#lists.read(each));
            this.#unread = [];
            [this.#quotes, this.#item] = [this.#lists.quotes, this.#lists.column];
        }
        return this.#mark !== "";
    }

    #isOutside(line: string): boolean {
        if (this.#quotes === 0 && this.#item === 0) {
            return false;
        }
        const { quotes, text } = withoutQuotes(line, this.#quotes);
        return quotes < this.#quotes || (text.trim() !== "" && indentOf(text) < this.#item);
    }
}

/** Tracks the list items around a line, without those that a paragraph continues from further left. */
class ListItems {
    quotes = 0;
    #columns: readonly number[] = [];

    /** The column where the text of the innermost item begins; 0 outside of lists. */
    get column(): number {
        return this.#columns.at(-1) ?? 0;
    }

    read(line: string): void {
        const { quotes, text } = withoutQuotes(line, Infinity);
        this.#columns = quotes === this.quotes ? this.#columns : [];
        this.quotes = quotes;
        if (text.trim() === "") {
            return;
        }
        const columns = this.#columns.filter((column) => column <= indentOf(text));
        let at = 0;
        let rest = text;
        for (let item = listItem.exec(rest); item !== null; item = listItem.exec(rest)) {
            const [whole, marker = "", space = ""] = item;
            const width = widthOf(marker, at);
            // Five spaces begin indented code, after one that belongs to the item.
            at += space.length > maxIndent + 1 ? width + 1 : widthOf(whole, at);
            columns.push(at);
            rest = rest.slice(whole.length);
        }
        this.#columns = columns;
    }
}

const listItem = /^([ \t]*(?:[-*+]|\d{1,9}[.)]))(?:([ \t]+)|(?=\n?$))/;

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
