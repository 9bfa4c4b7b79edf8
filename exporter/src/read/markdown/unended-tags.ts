import { type HastNode } from "satteri";
import { childrenOf } from "../../text/syntax-tree.js";
import { type Repair } from "./repair-mdx.js";

const escaped = /\\[\\<]/;
const comment = /<!--[^]*?(?:-->|$(?![^]))/;
/** Matches the beginning of a tag, a declaration or an instruction at the beginning of a line that is not code. */
const beginning = /^ {0,3}(?:[>*+-] {0,3}|\d{1,9}[.)] {0,3})*<(?=[A-Za-z/?]|!(?!--))/;
const blankLine = /\n[ \t]*(?:\n|$(?![^]))/g;

/**
 * Turns what begins like a tag or a comment but never ends into text. HTML reads the text after it as attributes or as
 * a comment, so that a browser shows none of it.
 * @param code matches code, which does not change
 */
export function readUnendedTags(source: string, code: RegExp): { text: string; repairs: Repair[] } {
    const repairs: Repair[] = [];
    const ends = new Ends(source);
    let text = "";
    let from = 0;
    let pieces = new RegExp(`${code.source}|${escaped.source}|${comment.source}|${beginning.source}`, "gm");
    for (let piece = pieces.exec(source); piece !== null; piece = pieces.exec(source)) {
        const [matched] = piece;
        const isComment = matched.startsWith("<!--");
        const at = isComment ? piece.index : pieces.lastIndex - 1;
        if (
            matched.startsWith("\\") ||
            (isComment ? matched.endsWith("-->") : !matched.endsWith("<") || ends.hasEnd(at))
        ) {
            continue;
        }
        text += `${source.slice(from, at)}&lt;`;
        from = at + 1;
        repairs.push({ line: ends.lineOf(at), reason: shownAsText });
        if (isComment) {
            // No later comment ends, either.
            pieces = new RegExp(`${code.source}|${beginning.source}`, "gm");
            pieces.lastIndex = from;
        }
    }
    return { text: text + source.slice(from), repairs };
}

/**
 * Replaces a comment that continues after the HTML, list item or quotation in which it begins: each of its lines gets a
 * comment. Otherwise, its end would be text, and it would hide the rest of the page.
 * @param plain the tree of the source with tags as raw text
 */
export function emptyOpenComments(source: string, plain: HastNode): string {
    if (!source.includes("<!--")) {
        return source;
    }
    let text = "";
    let from = 0;
    for (const { position, value } of rawNodesOf(plain)) {
        if (position === undefined || !/<!--(?![^]*-->)/.test(value)) {
            continue;
        }
        const start = source.lastIndexOf("<!--", position.end.offset);
        const end = source.indexOf("-->", start) + 3;
        if (start >= from && end > start) {
            const { offset = 0 } = position.start;
            const indent = source.slice(source.lastIndexOf("\n", offset - 1) + 1, offset).replace(/[^>\t]/g, " ");
            const lines = source.slice(start, end).split("\n");
            text += source.slice(from, start) + lines.fill("<!---->").join(`\n${indent}`);
            from = end;
        }
    }
    return text + source.slice(from);
}

const shownAsText = "the text after this < is not a complete tag or comment, so it is shown as it is written";

/** Finds the ends of tags, in one pass from the beginning of the text to its end. */
class Ends {
    #angle = -1;
    #blank = -1;
    #line = 1;
    #counted = 0;
    readonly #lastInstruction: number;
    readonly #lastData: number;

    constructor(private readonly source: string) {
        this.#lastInstruction = source.lastIndexOf("?>");
        this.#lastData = source.lastIndexOf("]]>");
    }

    hasEnd(at: number): boolean {
        const { source } = this;
        if (source.startsWith("<?", at)) {
            return at < this.#lastInstruction;
        }
        if (source.startsWith("<![CDATA[", at)) {
            return at < this.#lastData;
        }
        if (this.#angle < at) {
            const angle = source.indexOf(">", at);
            this.#angle = angle === -1 ? Infinity : angle;
        }
        if (this.#blank < at) {
            blankLine.lastIndex = at;
            this.#blank = blankLine.exec(source)?.index ?? source.length;
        }
        return this.#angle < this.#blank;
    }

    lineOf(at: number): number {
        for (let next = this.#next(at); next !== -1; next = this.#next(at)) {
            this.#line += 1;
            this.#counted = next + 1;
        }
        return this.#line;
    }

    #next(at: number): number {
        const next = this.source.indexOf("\n", this.#counted);
        return next < at ? next : -1;
    }
}

function rawNodesOf(node: HastNode): Extract<HastNode, { type: "raw" }>[] {
    return node.type === "raw" ? [node] : childrenOf(node).flatMap(rawNodesOf);
}
