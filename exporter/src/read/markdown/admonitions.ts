import { calloutKindOf, endOfContainer, untitled } from "./callout-kind.js";
import { Fences } from "./fences.js";

/** The beginning of an admonition of Docusaurus, VitePress, Starlight or MkDocs, or of a tab of MkDocs. */
const mayHaveAdmonitions = /^ *(?::::|!!!|\?\?\?|===[!+]? +")/m;

/** The maximum number of lines above an indented line that are searched for the beginning of its list item. */
const maxLinesOfItem = 200;

/** The maximum depth of nested admonitions; deeper admonitions are not changed. */
const maxNested = 20;

const container = /^( *)(:{3,}) ?([a-z-]+)[ \t]*(?:\[([^\]\n]*)\]|(?!\{)([^\n{]*))/i;
const containerEnd = /^ *(:{3,})[ \t]*$/;
const indented = /^( *)(?:!!!|\?\?\?\+?) +([a-z]+)(?: +"([^"\n]*)")?[ \t]*$/i;
const tab = /^( *)===[!+]? +"([^"\n]+)"[ \t]*$/;

/**
 * Turns `:::note[Title]` … `:::`, and in Markdown `!!! note "Title"` with indented lines, into quotes that begin with
 * `[!NOTE] Title`, and `=== "Title"` of MkDocs into a quote that begins with `[!TAB] Title`. Lines keep their numbers,
 * for warnings. Unknown kinds and containers without an end are left unchanged. Remark's directives do not help: they
 * drop containers from the page, read `10:30` as a directive, and support neither `::: tip Title` nor `!!!`.
 */
export function quoteAdmonitions(source: string, isMdx: boolean): string {
    if (!mayHaveAdmonitions.test(source)) {
        return source;
    }
    const lines = source.split("\n");
    return quoteContainers(isMdx ? joinCode(lines) : quoteIndented(lines)).join("\n");
}

/** The maximum number of lines of one tag or expression. */
const maxLinesOfCode = 100;

/**
 * Joins the lines of a tag or an expression in a container, because the parser does not read JavaScript over several
 * lines of a quote. Empty lines at the end of the paragraph keep the numbers of the lines that follow.
 */
function joinCode(lines: readonly string[]): readonly string[] {
    const joined: string[] = [];
    const fences = new Fences();
    let depth = 0;
    let missing = 0;
    for (let at = 0; at < lines.length; at += 1) {
        const line = lines[at] as string;
        const isCode = fences.holds(line);
        if (line.trim() === "" || containerEnd.test(line)) {
            joined.push(...Array.from({ length: missing }, () => ""));
            missing = 0;
        }
        const isEnd = containerEnd.test(line) || line.endsWith(endOfContainer);
        depth += isCode ? 0 : container.test(line) ? 1 : isEnd ? -1 : 0;
        joined.push(line);
        if (isCode || depth <= 0 || !isOpen(line)) {
            continue;
        }
        let text = line;
        for (let next = at + 1; next < Math.min(lines.length, at + maxLinesOfCode); next += 1) {
            const more = lines[next] as string;
            if (containerEnd.test(more) || /(?:^|\s)\/\//.test(more)) {
                break;
            }
            text += ` ${more.trim()}`;
            if (!isOpen(text)) {
                joined.splice(-1, 1, text);
                missing += next - at;
                at = next;
                break;
            }
        }
    }
    return joined;
}

/** Whether a tag or an expression continues after the text. */
function isOpen(text: string): boolean {
    let braces = 0;
    let inTag = false;
    for (const [part] of text
        .replace(/`[^`]*`/g, "")
        .matchAll(/\\.|<\/?[A-Za-z](?=[^<>]*$|[^<>]*[\s>{/])|[{}>]|"[^"]*"|'[^']*'/g)) {
        if (part.startsWith("<")) {
            inTag ||= braces === 0;
        } else if (part === "{") {
            braces += 1;
        } else if (part === "}") {
            braces = Math.max(0, braces - 1);
        } else if (part === ">" && braces === 0) {
            inTag = false;
        }
    }
    return inTag || braces > 0;
}

interface Open {
    readonly colons: number;
    readonly indent: string;
    /** Whether the container's lines become a quote. */
    readonly isQuoted: boolean;
    /** Whether the container only groups code blocks, which have their own titles. */
    readonly isCodeGroup: boolean;
}

function quoteContainers(lines: readonly string[]): readonly string[] {
    const open: Open[] = [];
    const fences = new Fences();
    const quoted = lines.map((line, at) => {
        const isCode = fences.holds(line);
        const closed = isCode ? undefined : containerEnd.exec(line)?.[1];
        if (closed !== undefined && open.length > 0) {
            const last = open.findLastIndex(({ colons }) => colons === closed.length);
            const ended = open.splice(last === -1 ? open.length - 1 : last);
            return quote(ended.some(({ isQuoted, isCodeGroup }) => isQuoted || isCodeGroup) ? "" : line, open);
        }
        if (!isCode && line.endsWith(endOfContainer) && open.length > 0) {
            const last = quote(line.slice(0, -endOfContainer.length), open);
            open.pop();
            // Otherwise, the next line would continue the quote.
            return lines[at + 1]?.trim() === "" ? last : `${last}\n${quote("", open)}`;
        }
        const [, indent = "", colons = "", kind = "", label, text] = isCode ? [] : (container.exec(line) ?? []);
        if (kind === "" || open.length >= maxNested) {
            return quote(line, open);
        }
        const isQuoted = calloutKindOf(kind) !== undefined;
        const isCodeGroup = kind === "code-group";
        open.push({ colons: colons.length, indent, isQuoted, isCodeGroup });
        return quote(
            isQuoted ? `${indent}${markOf(kind, contentOf(line) ?? label ?? text)}` : isCodeGroup ? "" : line,
            open,
        );
    });
    return open.length > 0 ? lines.map((line) => line.replace(endOfContainer, "")) : quoted;
}

/** The content in the first line of a container that has no title. */
function contentOf(line: string): string | undefined {
    return line.includes(untitled) ? line.slice(line.indexOf(untitled)) : undefined;
}

function quote(line: string, open: readonly Open[]): string {
    const around = open.filter(({ isQuoted }) => isQuoted);
    const [outermost] = around;
    if (outermost === undefined) {
        return line;
    }
    const { indent } = outermost;
    const rest = line.startsWith(indent) ? line.slice(indent.length) : line.trimStart();
    return `${indent}${"> ".repeat(around.length)}${rest}`.trimEnd();
}

/**
 * The following lines belong to an admonition if they are empty or indented by four more spaces.
 */
function quoteIndented(lines: readonly string[]): string[] {
    const quoted: string[] = [];
    const fences = new Fences();
    for (let at = 0; at < lines.length; at += 1) {
        const line = lines[at] as string;
        const { indent, mark } = (fences.holds(line) ? undefined : startOf(line)) ?? {};
        quoted.push(line);
        if (indent === undefined || mark === undefined || isCodeAt(indent.length, lines, at)) {
            continue;
        }
        const inner = `${indent}    `;
        let end = at + 1;
        for (let next = end; next < lines.length; next += 1) {
            const text = lines[next] as string;
            if (text.startsWith(inner)) {
                end = next + 1;
            } else if (text.trim() !== "") {
                break;
            }
        }
        const content = lines.slice(at + 1, end).map((text) => text.slice(inner.length));
        const within = quoteIndented(content).map((text) => `${indent}> ${text}`.trimEnd());
        quoted.splice(-1, 1, `${indent}> ${mark}`, ...within);
        at = end - 1;
    }
    return quoted;
}

/** Whether an indented line is code because it is not in a list. */
function isCodeAt(indent: number, lines: readonly string[], at: number): boolean {
    if (indent < 4) {
        return false;
    }
    const around = lines
        .slice(Math.max(0, at - maxLinesOfItem), at)
        .findLast((line) => line.trim() !== "" && line.search(/\S/) < indent);
    return around === undefined || (!/^\s*(?:[-*+]|\d+[.)])\s/.test(around) && !/^ /.test(around));
}

/** The beginning of a block whose indented lines follow. */
function startOf(line: string): { readonly indent: string; readonly mark: string } | undefined {
    const [, indent = "", title] = tab.exec(line) ?? [];
    if (title !== undefined) {
        return { indent, mark: markOf("tab", title) };
    }
    const [, around = "", kind = "", text] = indented.exec(line) ?? [];
    return calloutKindOf(kind) === undefined ? undefined : { indent: around, mark: markOf(kind, text) };
}

function markOf(kind: string, title: string | undefined): string {
    const text = title?.trim() ?? "";
    return `[!${kind.toUpperCase()}]${text.startsWith(untitled) ? "" : " "}${text}`.trimEnd();
}
