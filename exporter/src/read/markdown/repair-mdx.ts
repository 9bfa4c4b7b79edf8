import { beginningOf } from "@pulumi-static-export/contract";
import { voidElements } from "../../html/known-elements.js";
import { rewriteOutsideCode } from "./fences.js";
import { type ParseError, type RepairedText, repairTag } from "./repair-tags.js";

/** A place that was changed to make the page parseable. */
export interface Repair {
    readonly line: number | undefined;
    readonly reason: string;
}

interface RepairedPage {
    readonly text: string;
    readonly repairs: readonly Repair[];
    /** Whether the repaired text parses as MDX. */
    readonly isMdx: boolean;
}

/** The number of attempts is small, because each attempt parses the whole page. */
const maxTries = 24;

/** The number of attempts after which the repair of a page stops if the page would need many more. */
const firstTries = 6;

/**
 * Turns a page that is almost MDX into MDX: rewrites HTML comments, void elements, attributes without quotes and links
 * in angle brackets, and then turns every place where the parser still stops into text. Lines keep their numbers.
 */
export function repairMdx(source: string, firstError: unknown, parse: (text: string) => void): RepairedPage {
    let error = parseErrorOf(firstError);
    const repairs: Repair[] = [];
    let text = source;
    const parses = (candidate: string): boolean => {
        text = candidate;
        try {
            parse(candidate);
            return true;
        } catch (next) {
            error = parseErrorOf(next);
            return false;
        }
    };
    const rewritten = rewriteHtmlHabits(source);
    if (rewritten !== source) {
        repairs.push({ line: error.line, reason: `this is HTML and not MDX: ${error.reason}` });
        if (parses(rewritten)) {
            return { text, repairs, isMdx: true };
        }
    }
    for (let tries = 0; tries < maxTries; tries += 1) {
        const repaired = repairTag(text, error) ?? escapeAt(text, error);
        if (repaired === undefined || (tries >= firstTries && isHopeless(tries, error, text))) {
            break;
        }
        repairs.push({ line: repaired.line, reason: repaired.reason });
        if (parses(repaired.text)) {
            return { text, repairs, isMdx: true };
        }
    }
    const { line, reason } = parseErrorOf(firstError);
    const asMarkdown = `the page is read as Markdown, because it does not parse as MDX: ${reason}`;
    return { text: source, repairs: [{ line, reason: asMarkdown }], isMdx: false };
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
    String.raw`<[a-z][\w.-]*(?:\s+[\w:-]+(?:="[^"<>{}]*"|='[^'<>{}]*'|=${unquoted})?)+\s*/?>`,
    "gi",
);

/** Rewrites comments, void elements, attributes without quotes, and links in angle brackets, outside of code. */
function rewriteHtmlHabits(source: string): string {
    const names = [...voidElements].join("|");
    return rewriteOutsideCode(source, (text) =>
        rewriteComments(text)
            .replace(tagWithTexts, (tag) =>
                tag.replace(quotedOrUnquoted, (whole, _, value?: string) =>
                    value === undefined ? whole : `="${value}"`,
                ),
            )
            .replace(new RegExp(`<(${names})((?:\\s[^<>{}]*)?)(?<!/)>`, "gi"), "<$1$2 />")
            .replace(new RegExp(`</(?:${names})\\s*>`, "gi"), "")
            .replace(/<((?:https?:\/\/|mailto:)[^\s<>]+)>/g, (_, url: string) => `[${url}](${url})`),
    );
}

/** A comment without an end is left unchanged, with everything after it. */
function rewriteComments(text: string): string {
    return text.replace(/<!--([^]*?)(-->|$)/g, (whole, comment: string, end: string) =>
        end === "" ? whole : `{/*${comment.replaceAll("*/", "* /")}*/}`,
    );
}

/**
 * Turns a bracket that the parser rejects into text: inserts a backslash before the bracket at the position, or before
 * the last bracket in front of the position.
 */
function escapeAt(text: string, { line, column, reason }: ParseError): RepairedText | undefined {
    const lines = text.split("\n");
    const row = (line ?? 0) - 1;
    const current = lines[row];
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
    lines[row] = `${current.slice(0, at)}${brackets.replace(/./g, "\\$&")}${current.slice(at + brackets.length)}`;
    return { text: lines.join("\n"), line: row + 1, reason };
}
