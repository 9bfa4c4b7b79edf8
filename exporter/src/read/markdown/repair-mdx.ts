import { beginningOf } from "@pulumi-static-export/contract";
import { offsetOfLine } from "../../text/strings.js";
import { voidElements } from "../../html/known-elements.js";
import { type PageText, type Repair, type Report } from "./page-text/page-text.js";
import { type ParseError, type RepairedTag, repairTag } from "./repair-tags.js";

/** The number of attempts is small, because each attempt parses the whole page. */
const maxTries = 24;

/** The number of attempts after which the repair of a page stops if the page would need many more. */
const firstTries = 6;

/**
 * Turns a page that is almost MDX into MDX: rewrites HTML comments, void elements, attributes without quotes and links
 * in angle brackets, and then turns every place where the parser still stops into text. Lines keep their numbers.
 */
export function repairMdx<T>(
    source: PageText,
    firstError: unknown,
    report: Report,
    parse: (page: PageText) => T,
): T | undefined {
    let error = parseErrorOf(firstError);
    const repairs: Repair[] = [];
    let page = source;
    const parsed = (candidate: PageText): { tree: T } | undefined => {
        page = candidate;
        try {
            const tree = parse(candidate);
            repairs.forEach(({ line, reason }) => report(line, reason));
            return { tree };
        } catch (next) {
            error = parseErrorOf(next);
            return undefined;
        }
    };
    const rewritten = rewriteHtmlHabits(source);
    if (rewritten !== source) {
        repairs.push({ line: error.line, reason: `this is HTML and not MDX: ${error.reason}` });
        const read = parsed(rewritten);
        if (read !== undefined) {
            return read.tree;
        }
    }
    for (let tries = 0; tries < maxTries; tries += 1) {
        const repaired = repairTag(page.text, error) ?? escapeAt(page.text, error);
        if (repaired === undefined || (tries >= firstTries && isHopeless(tries, error, page.text))) {
            break;
        }
        repairs.push({ line: repaired.line, reason: repaired.reason });
        const read = parsed(page.edited(repaired.edits));
        if (read !== undefined) {
            return read.tree;
        }
    }
    const { line, reason } = parseErrorOf(firstError);
    report(line, `the page is read as Markdown, because it does not parse as MDX: ${reason}`);
    return undefined;
}

/** Whether the part repaired so far shows that the rest would need too many repairs. */
function isHopeless(tries: number, { line = 1 }: ParseError, text: string): boolean {
    return (tries * text.split("\n").length) / line > 2 * maxTries;
}

/** The parser says `3:1: reason (mdx-jsx:rule)`, with the line counted from the top of the file. */
function parseErrorOf(error: unknown): ParseError {
    const message = error instanceof Error ? error.message : String(error);
    const [, line, column, reason] =
        /^(\d+):(\d+)(?:-\d+:\d+)?: ([\s\S]*?)(?: \([\w:-]+\))?$/.exec(beginningOf(message, 1000)) ?? [];
    return {
        line: line === undefined ? undefined : Number(line),
        column: column === undefined ? undefined : Number(column),
        reason: inWords(beginningOf(reason ?? message, 300)),
    };
}

/** The parser's messages about braces and brackets that the author meant as text are misleading. */
function inWords(reason: string): string {
    if (/^Unexpected character/.test(reason)) {
        return "this < does not begin a tag: write \\< for text, quotes around attributes, and [text](address) for a link";
    }
    return /^(?:Could not parse expression|Unexpected end of file in expression)/.test(reason)
        ? `the text between these braces is not JavaScript: write \\{ for a brace that is text`
        : reason;
}

const unquoted = String.raw`[^\s"'<>{}=\x60]+?(?=\s|/?>)`;
const quotedOrUnquoted = new RegExp(String.raw`("[^"]*"|'[^']*')|=(${unquoted})`, "g");
/** A tag whose attributes have neither expressions nor brackets. */
const tagWithTexts = new RegExp(
    String.raw`^<[a-z][\w.-]*(?:\s+[\w:-]+(?:="[^"<>{}]*"|='[^'<>{}]*'|=${unquoted})?)+\s*/?>$`,
    "i",
);

/** Rewrites comments, void elements, attributes without quotes, and links in angle brackets, outside of code. */
function rewriteHtmlHabits(page: PageText): PageText {
    const edits = page.only("comment", "tag").map(({ kind, start, end }) => {
        const written = page.text.slice(start, end);
        return { start, end, text: kind === "tag" ? tagOfMdx(written) : commentOfMdx(written) };
    });
    return page
        .edited(edits.filter(({ start, end, text }) => text !== page.text.slice(start, end)))
        .replace(address, ([, url]) => `[${url}](${url})`);
}

const address = /<((?:https?:\/\/|mailto:)[^\s<>]+)>/g;

function commentOfMdx(comment: string): string {
    return comment.replace(/^<!--([^]*)-->$/, (_, text: string) => `{/*${text.replaceAll("*/", "* /")}*/}`);
}

function tagOfMdx(tag: string): string {
    const [, slash, name = ""] = /^<(\/?)([\w.-]*)/.exec(tag) ?? [];
    const quoted = tagWithTexts.test(tag)
        ? tag.replace(quotedOrUnquoted, (whole, _, value?: string) => (value === undefined ? whole : `="${value}"`))
        : tag;
    if (!voidElements.has(name.toLowerCase())) {
        return quoted;
    }
    return slash === "/" ? "" : /\/>$|[{}]/.test(quoted) ? quoted : `${quoted.slice(0, -1)} />`;
}

/**
 * Turns a bracket that the parser rejects into text: inserts a backslash before the bracket at the position, or before
 * the last bracket in front of the position.
 */
function escapeAt(text: string, { line, column, reason }: ParseError): RepairedTag | undefined {
    const row = (line ?? 0) - 1;
    const current = text.split("\n")[row];
    if (current === undefined) {
        return undefined;
    }
    const from = Math.max(0, (column ?? 1) - 1);
    const places = [from, from - 1, current.lastIndexOf("{", from), current.lastIndexOf("<", from)];
    let at = places.find((place) => /[<{}]/.test(current[place] ?? "") && current[place - 1] !== "\\");
    if (at === undefined) {
        return undefined;
    }
    while (current[at - 1] === "{" && current[at] === "{") {
        at -= 1;
    }
    // Escapes all consecutive braces: otherwise, an inner brace could begin a JavaScript expression.
    const [brackets = ""] = /^(?:\{+|.)/.exec(current.slice(at)) ?? [];
    const start = offsetOfLine(text, row + 1) + at;
    const edit = { start, end: start + brackets.length, text: brackets.replace(/./g, "\\$&") };
    return { edits: [edit], line: row + 1, reason };
}
