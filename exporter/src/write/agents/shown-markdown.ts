import { type HastNode } from "satteri";
import { parseFragment } from "parse5";
import { holdsScript, isAllowedAddress } from "../../html/page-scripts.js";
import { markdownToHast } from "../../text/markdown-parser.js";
import { childrenOf, isElement } from "../../text/syntax-tree.js";
import { PageText } from "../../read/markdown/page-text/page-text.js";
import { isReadAsMdx } from "../../read/markdown/parse-page.js";

const mayHide = /<!--|\{\/\*|<(?:script|style)\b/i;
/** Attributes that may run scripts, and addresses that do. */
const mayRun =
    /<(?:iframe|frame|embed|object)\b|[\s/"'](?:on[a-z]{3}[a-z]*|srcdoc|(?:form)?action|xlink:?href|from|to|by|values)\s*=|(?:java|vb)script:|&#|&colon;/i;
const comment = /<!--[^]*?(?:-->|$(?![^]))/;
const expression = /\{\/\*[^]*?(?:\*\/\}|$(?![^]))/;
/** Components such as `<Style>` are not matched. */
const element = /<(?<name>script|style|SCRIPT|STYLE)\b[^]*?(?:<\/\k<name>\s*>|$(?![^]))/;
const isEnded = /(?:-->|\*\/\}|<\/(?:script|style)\s*>)$/i;

/** The Markdown without comments, scripts, styles and attributes that run scripts. Code keeps them. */
export function withoutHidden(markdown: string, isMdxFile: boolean): string {
    if (!mayHide.test(markdown)) {
        return withoutScriptAttributes(markdown, isMdxFile);
    }
    const isMdx = isReadAsMdx(markdown, isMdxFile);
    return rewritten(markdown, isMdx, [comment, element, ...(isMdx ? [expression] : [])]);
}

/** The Markdown without attributes that run scripts, which pages leave out. Code keeps them. */
export function withoutScriptAttributes(markdown: string, isMdxFile: boolean): string {
    return mayRun.test(markdown) ? rewritten(markdown, isReadAsMdx(markdown, isMdxFile), []) : markdown;
}

function rewritten(markdown: string, isMdx: boolean, hiddenParts: readonly RegExp[]): string {
    const hidden = hiddenParts.map(({ source }) => source).join("|") || "(?!)";
    const pieces = new RegExp(String.raw`\\[\\<{]|(?<hidden>${hidden})|(?<tag><[A-Za-z])`, "gm");
    const page = new PageText(markdown, isMdx);
    const indented = isMdx ? [] : indentedCode(markdownToHast(markdown));
    let text = "";
    let from = 0;
    for (const { 0: piece, index, groups } of page.matches(pieces, page.only("fence", "code"))) {
        if (index < from || indented.some(([start, end]) => index >= start && index < end)) {
            continue;
        }
        if (groups?.tag !== undefined) {
            const tag = readTag(markdown, index);
            text += markdown.slice(from, index) + (tag?.shown ?? "");
            from = tag?.end ?? index;
        }
        if (groups?.hidden === undefined || !isEnded.test(piece)) {
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

const tagName = /<([a-z][\w.:-]*)/iy;
/** An attribute in HTML, or in JSX with braces. */
const attribute = /[\s/]+([^\s"'<>/={}]+)(?:\s*=\s*("[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\}|[^\s"'<>=`{}]+))?/y;
const tagEnd = /[\s/]*>/y;

/** Reads the opening tag at a place without attributes that run scripts; undefined if the text there is no tag. */
function readTag(markdown: string, start: number): { shown: string; end: number } | undefined {
    const next = (pattern: RegExp, at: number) => {
        pattern.lastIndex = at;
        return pattern.exec(markdown) ?? undefined;
    };
    const begun = next(tagName, start);
    if (begun === undefined) {
        return undefined;
    }
    const [opening, name = ""] = begun;
    let shown = opening;
    let end = start + shown.length;
    for (let found = next(attribute, end); found !== undefined; found = next(attribute, end)) {
        const [whole, key = "", value = ""] = found;
        shown += runsScript(name.toLowerCase(), key, valueOf(value)) ? "" : whole;
        end += whole.length;
    }
    const ended = next(tagEnd, end);
    return ended === undefined ? undefined : { shown: shown + ended[0], end: end + ended[0].length };
}

function runsScript(tag: string, name: string, value: string): boolean {
    return holdsScript(tag, name, value) || (linkAttributes.test(name) && !isAllowedAddress(value));
}

const linkAttributes = /^(?:href|src|poster)$/i;

function valueOf(source: string): string {
    if (!source.includes("&")) {
        return source.replace(/^["'{]|["'}]$/g, "");
    }
    const [parsed] = parseFragment(`<a href=${source}>`).childNodes;
    return (parsed !== undefined && "attrs" in parsed ? parsed.attrs[0]?.value : undefined) ?? "";
}

type Span = readonly [start: number, end: number];

function indentedCode(node: HastNode): Span[] {
    if (!isElement(node) || node.tagName !== "pre") {
        return childrenOf(node).flatMap(indentedCode);
    }
    const { start, end } = node.position ?? {};
    return start?.offset === undefined || end?.offset === undefined ? [] : [[start.offset, end.offset]];
}
