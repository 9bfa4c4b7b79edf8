import { calloutKindOf, untitled } from "../../components/callout-kind.js";
import { type PageText } from "./page-text/page-text.js";
import { type Line } from "./page-text/table-lines.js";

const names = "tabs?|stepper|step|code|content-ref|page-ref|columns?|embed|file|updates?|prompt|@[\\w-]+/[\\w-]+";
/** Addresses and widths may contain percent signs. */
const inTag = "((?:[^%\\n]|%(?!\\}))*)";
const mayHaveTags = new RegExp(`^[ \\t]*\\{% *(?:hint|${names})\\b`, "m");
const tag = new RegExp(`^([ \\t]*)\\{% *(end|/ *)?(${names})\\b${inTag}%\\}[ \\t]*$`);
const hintStart = new RegExp(`^([ \\t]*)\\{% *hint\\b${inTag}%\\}(.*)$`);
const hintEnd = /\{% *(?:end|\/ *)hint *%\}[ \t]*$/;

/** The maximum depth of nested hints; deeper hints are not changed. */
const maxNested = 20;

/**
 * Reads the tags that GitBook and Markdoc have on separate lines: a hint becomes a quote that begins with `[!INFO]`;
 * embedded content, the titles of tabs and code blocks and the dates of updates remain; tags that only arrange content
 * are removed.
 */
export function readGitBookTags(page: PageText): PageText {
    if (!page.text.includes("{%") || !mayHaveTags.test(page.text)) {
        return page;
    }
    const read = readLines([...page.lines()]);
    return page.withLines((_, at) => read[at]);
}

/** The line with a hint's first tag. */
interface HintStart {
    readonly at: number;
    readonly indent: string;
    readonly mark: string;
}

/** The line with a hint's last tag. */
interface HintEnd {
    readonly start: HintStart;
    /** The text before the tag. */
    readonly content: string;
}

/** Text may follow a hint's first tag and precede its last tag. Tags without a counterpart are left unchanged. */
function readLines(lines: readonly Line[]): string[] {
    const ends = findHints(lines);
    const starts = new Map([...ends.values()].map(({ start }) => [start.at, start]));
    const open: HintStart[] = [];
    return lines.map(({ text: line, isCode }, at) => {
        const start = starts.get(at);
        if (start !== undefined && open.length < maxNested) {
            const first = quote(`${start.indent}> ${start.mark}`, open);
            open.push(start);
            return first;
        }
        const end = ends.get(at);
        if (end !== undefined && open.includes(end.start)) {
            const last = end.content.trim() === "" ? "" : quote(end.content, open);
            open.pop();
            // Without an empty line, the next line would continue the quote.
            return last === "" || lines[at + 1]?.text.trim() === ""
                ? last || quote("", open)
                : `${last}\n${quote("", open)}`;
        }
        return quote(isCode ? line : withoutTag(hintOnOneLine(line) ?? line), open);
    });
}

/** The last lines of the hints that span several lines. */
function findHints(lines: readonly Line[]): Map<number, HintEnd> {
    const ends = new Map<number, HintEnd>();
    const open: HintStart[] = [];
    for (const [at, { text: line, isCode }] of lines.entries()) {
        const [, indent = "", attributes = "", after] = isCode ? [] : (hintStart.exec(line) ?? []);
        const end = isCode ? -1 : line.search(hintEnd);
        if (after !== undefined && end === -1) {
            const text = after.trim();
            open.push({ at, indent, mark: markOf(attributes) + (text === "" ? "" : `${untitled} ${text}`) });
        } else if (after === undefined && end !== -1) {
            const start = open.pop();
            if (start !== undefined) {
                ends.set(at, { start, content: line.slice(0, end).trimEnd() });
            }
        }
    }
    return ends;
}

function hintOnOneLine(line: string): string | undefined {
    const [, indent = "", attributes = "", after = ""] = hintStart.exec(line) ?? [];
    const end = after.search(hintEnd);
    const content = after.slice(0, Math.max(0, end)).trim();
    return end === -1 || content.includes("{%") ? undefined : `${indent}> ${markOf(attributes)}${untitled} ${content}`;
}

function markOf(attributes: string): string {
    const style = /\bstyle=["']([^"']+)["']/.exec(attributes)?.[1] ?? "";
    return `[!${(calloutKindOf(style) === undefined ? "info" : style).toUpperCase()}]`;
}

function quote(line: string, open: readonly HintStart[]): string {
    const [outermost] = open;
    if (outermost === undefined) {
        return line;
    }
    const { indent } = outermost;
    const rest = line.startsWith(indent) ? line.slice(indent.length) : line.trimStart();
    return `${indent}${"> ".repeat(open.length)}${rest}`.trimEnd();
}

function withoutTag(line: string): string {
    const [, indent = "", end, name, rest = ""] = tag.exec(line) ?? [];
    if (name === undefined) {
        return line;
    }
    const attribute = (key: string) => new RegExp(`\\b${key}="([^"]*)"`).exec(rest)?.[1] ?? "";
    if (end !== undefined) {
        return "";
    }
    const keys = ["title", "label", "date", "caption", "description", "tags"];
    const texts = keys.map(attribute).filter((text) => text !== "");
    const address = attribute("url") || attribute("src") || attribute("page");
    if (name.startsWith("@") && address === "") {
        return line; // Only the integration knows what the block shows.
    }
    if (name === "embed" || name === "file" || name === "page-ref" || name.startsWith("@")) {
        const link = `[${address.slice(address.lastIndexOf("/") + 1) || address}](<${address}>)`;
        return address === "" ? "" : `${indent}${[link, ...texts].join(" ")}`;
    }
    const [title, ...others] = texts;
    // Breaks the line with spaces, because an empty line would end the paragraph.
    return title === undefined ? "" : `${indent}${[`**${title}**`, ...others].join(" ")}  `;
}
