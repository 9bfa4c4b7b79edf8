import { type HastNode } from "satteri";
import { markdownToHast } from "../../text/markdown-parser.js";
import { childrenOf, isElement } from "../../text/syntax-tree.js";
import { code, isReadAsMdx } from "../../read/markdown/parse-page.js";

const mayHide = /<!--|\{\/\*|<(?:script|style)\b/i;
const comment = /<!--[^]*?(?:-->|$(?![^]))/;
const expression = /\{\/\*[^]*?(?:\*\/\}|$(?![^]))/;
/** Components such as `<Style>` are not matched. */
const element = /<(?<name>script|style|SCRIPT|STYLE)\b[^]*?(?:<\/\k<name>\s*>|$(?![^]))/;
const isEnded = /(?:-->|\*\/\}|<\/(?:script|style)\s*>)$/i;

/** The Markdown without comments, scripts and styles, which readers of the page do not see. Code keeps them. */
export function withoutHidden(markdown: string, isMdxFile: boolean): string {
    if (!mayHide.test(markdown)) {
        return markdown;
    }
    const isMdx = isReadAsMdx(markdown, isMdxFile);
    const hidden = [comment, element, ...(isMdx ? [expression] : [])].map(({ source }) => source).join("|");
    const pieces = new RegExp(String.raw`${code.source}|\\[\\<{]|(?<hidden>${hidden})`, "gm");
    const indented = isMdx ? [] : indentedCode(markdownToHast(markdown));
    let text = "";
    let from = 0;
    for (const { 0: piece, index, groups } of markdown.matchAll(pieces)) {
        const isCode = indented.some(([start, end]) => index >= start && index < end);
        if (groups?.hidden === undefined || isCode || !isEnded.test(piece)) {
            continue;
        }
        text += markdown.slice(from, index);
        const [blankLine = ""] =
            /^[ \t]*\r?\n[ \t]*\r?\n/.exec(markdown.slice(index + piece.length, index + piece.length + 200)) ?? [];
        // A blank line remains between the text before and after.
        from = index + piece.length + (/(?:^|\n[ \t]*\r?\n)$/.test(text.slice(-200)) ? blankLine.length : 0);
    }
    return text + markdown.slice(from);
}

type Span = readonly [start: number, end: number];

function indentedCode(node: HastNode): Span[] {
    if (!isElement(node) || node.tagName !== "pre") {
        return childrenOf(node).flatMap(indentedCode);
    }
    const { start, end } = node.position ?? {};
    return start?.offset === undefined || end?.offset === undefined ? [] : [[start.offset, end.offset]];
}
