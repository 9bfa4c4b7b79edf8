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
/** Components such as `<Style>` are not matched. */
const hiddenParts = String.raw`<!--|<(?:script|style|SCRIPT|STYLE)\b`;
const hiddenPartsOfMdx = String.raw`${hiddenParts}|\{\/\*`;

/** The Markdown without comments, scripts, styles and attributes that run scripts. Code keeps them. */
export function withoutHidden(markdown: string, isMdxFile: boolean): string {
    if (!mayHide.test(markdown)) {
        return withoutScriptAttributes(markdown, isMdxFile);
    }
    const isMdx = isReadAsMdx(markdown, isMdxFile);
    return rewritten(markdown, isMdx, isMdx ? hiddenPartsOfMdx : hiddenParts);
}

/** The Markdown without attributes that run scripts, which pages leave out. Code keeps them. */
export function withoutScriptAttributes(markdown: string, isMdxFile: boolean): string {
    return mayRun.test(markdown) ? rewritten(markdown, isReadAsMdx(markdown, isMdxFile), "(?!)") : markdown;
}

function rewritten(markdown: string, isMdx: boolean, hidden: string): string {
    const pieces = new RegExp(String.raw`\\[\\<{]|(?<hidden>${hidden})|(?<tag><[A-Za-z])`, "gm");
    const page = new PageText(markdown, isMdx);
    // A comma begins no reference either, whose number makes the parser slow, and all offsets stay.
    const withoutReferences = markdown.replaceAll("&", ",");
    // Code of footnotes is at the end of the tree.
    const indented = isMdx ? [] : indentedCode(markdownToHast(withoutReferences)).sort(([one], [other]) => one - other);
    const tags = new Set(page.only("tag", "unended").map(({ start }) => start));
    const endOf = endsOfHidden(markdown);
    let text = "";
    let from = 0;
    let next = 0;
    for (const { 0: piece, index, groups } of page.matches(pieces, page.only("fence", "code"))) {
        while (index >= (indented[next]?.[1] ?? Infinity)) {
            next += 1;
        }
        if (index < from || index >= (indented[next]?.[0] ?? Infinity)) {
            continue;
        }
        const hiddenEnd = groups?.hidden === undefined ? undefined : endOf(piece, index);
        if (hiddenEnd === undefined) {
            if (/^<[a-z]/i.test(piece)) {
                const tag = readTag(markdown, index);
                const runs = tags.has(index) || mayRun.test(textOfTag(markdown, index));
                text += markdown.slice(from, index) + (tag?.shown ?? (runs ? "&lt;" : "<"));
                from = tag?.end ?? index + 1;
            }
            continue;
        }
        text += markdown.slice(from, index);
        const [blankLine = ""] = /^[ \t]*\r?\n[ \t]*\r?\n/.exec(markdown.slice(hiddenEnd, hiddenEnd + 200)) ?? [];
        // A blank line remains between the text before and after.
        from = hiddenEnd + (/(?:^|\n[ \t]*\r?\n)$/.test(text.slice(-200)) ? blankLine.length : 0);
    }
    return text + markdown.slice(from);
}

/** Finds where a hidden part ends; undefined for a part without an end, which readers see. */
function endsOfHidden(markdown: string): (opening: string, start: number) => number | undefined {
    const unended = new Set<string>();
    return (opening, start) => {
        if (unended.has(opening)) {
            return undefined;
        }
        const end =
            opening === "<!--" ? /-->/g : opening === "{/*" ? /\*\/\}/g : new RegExp(`</${opening.slice(1)}\\s*>`, "g");
        end.lastIndex = start + opening.length;
        if (!end.test(markdown)) {
            unended.add(opening);
            return undefined;
        }
        return end.lastIndex;
    };
}

function textOfTag(markdown: string, start: number): string {
    const toBracket = /<[^<>]*/y;
    toBracket.lastIndex = start;
    return toBracket.exec(markdown)?.[0] ?? "";
}

const tagName = /<([a-z][\w.:-]*)/iy;
/** An attribute in HTML, or in JSX with braces. Browsers need no blank after a quoted value. */
const attribute =
    /[\s/]*(?:([^\s"'<>/={}]+)(?:\s*=\s*("[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\}|[^\s"'<>{}][^\s<>]*))?|(\{(?:[^{}]|\{[^{}]*\})*\}))/y;
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
    let isAfterScript = false;
    for (let found = next(attribute, end); found !== undefined; found = next(attribute, end)) {
        const [whole, key = "", value = "", spread = ""] = found;
        // Plain HTML has no braces: what is between them are attributes there.
        const isScript =
            runsScript(name.toLowerCase(), key, valueOf(value)) || (/^\{/.test(spread || value) && mayRun.test(whole));
        shown += isScript ? "" : `${isAfterScript && /^[^\s/]/.test(whole) ? " " : ""}${whole}`;
        isAfterScript = isScript;
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
