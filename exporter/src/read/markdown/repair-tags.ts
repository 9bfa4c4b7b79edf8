import { components, isComponentName } from "../../components/components.js";
import { escapeExpression, offsetOfLine } from "../../text/strings.js";
import { isKnownElement } from "../../html/known-elements.js";
import { itemMarker } from "./page-text/block-starts.js";
import { type Edit } from "./page-text/page-text.js";

/** A place in a page that the parser of MDX refuses; lines and columns begin at 1. */
export interface ParseError {
    readonly line: number | undefined;
    readonly column: number | undefined;
    readonly reason: string;
}

export interface RepairedTag {
    readonly edits: readonly Edit[];
    /** The line of the mistake, and what to write instead. */
    readonly line: number;
    readonly reason: string;
}

interface Place {
    readonly line: number;
    readonly column: number;
}

const onlyMarkers = new RegExp(String.raw`^[ \t>]*(?:${itemMarker}[ \t]+)?$`);
const unclosed = /^Expected a closing tag for `<([^`>]*)>` \((\d+):(\d+)\)/;
const mismatched =
    /^Unexpected closing tag `<\/([^`>]*)>`, expected corresponding closing tag for `<([^`>]*)>` \((\d+):(\d+)\)/;
const unopened = /^Unexpected closing tag `<\/([^`>]*)>`/;
const displaced = /^Expected the closing tag `<\/([^`>]*)>`/;

/** Elements that authors open to format text; other names of elements, such as `<path>`, can be placeholders. */
const formatting = new Set(
    (
        "a abbr b bdi bdo big blockquote center cite code dd del details dfn div dl dt em font h1 h2 h3 h4 h5 h6 i ins " +
        "kbd li mark ol p pre q s samp small span strike strong sub summary sup table tbody td tfoot th thead tr tt u ul var"
    ).split(" "),
);

/**
 * Repairs the tag that a message about missing and unexpected closing tags names, so that no word, title or link of the
 * page disappears: ends an element that has no closing tag, removes a closing tag without an element, and turns what is
 * no tag, such as `<your-key>` and `Promise<User>`, into text.
 * @returns undefined if the message is about something else
 */
export function repairTag(text: string, { line, column, reason }: ParseError): RepairedTag | undefined {
    if (line === undefined) {
        return undefined;
    }
    const page = new Page(text);
    const at = { line, column: column ?? 1 };
    const [, wrongName, name, openLine, openColumn] = mismatched.exec(reason) ?? [];
    if (name !== undefined) {
        const opened = { line: Number(openLine), column: Number(openColumn) };
        return (
            page.withTextFor(opened, name) ??
            page.withEmptyElement(opened, name) ??
            page.withEnd(name, opened, at, wrongName)
        );
    }
    const [, openName, ownLine, ownColumn] = unclosed.exec(reason) ?? [];
    if (openName !== undefined) {
        const opened = { line: Number(ownLine), column: Number(ownColumn) };
        return (
            page.withTextFor(opened, openName) ??
            (page.isAlone(opened, openName) ? page.withEmptyElement(opened, openName, true) : undefined) ??
            page.withEndOfLine(opened, openName)
        );
    }
    const moved = displaced.exec(reason)?.[1];
    if (moved !== undefined) {
        return page.withTagBelow(at, moved);
    }
    const closed = unopened.exec(reason)?.[1];
    return closed === undefined ? undefined : page.withoutClosingTag(at, closed);
}

class Page {
    readonly #lines: string[];

    constructor(private readonly text: string) {
        this.#lines = text.split("\n");
    }

    /** Escapes what looks like a tag but is a placeholder or the type of a program. */
    withTextFor(place: Place, name: string): RepairedTag | undefined {
        const tag = this.#tagAt(place, name);
        return tag !== undefined && this.#isText(tag, name)
            ? this.#replaced(
                  tag,
                  `\\${tag.tag}`,
                  `${tag.tag} is shown as text, because it is not a tag: write \\${tag.tag}`,
              )
            : undefined;
    }

    /** Ends an element directly after its opening tag; an element without attributes only loses its tag. */
    withEmptyElement(place: Place, name: string, isAlone = false): RepairedTag | undefined {
        const tag = this.#tagAt(place, name);
        if (tag === undefined || !(isAlone || isEmptyElement(name))) {
            return undefined;
        }
        const hasAttributes = tag.attributes.trim() !== "";
        const effect = hasAttributes ? "it ends directly after its tag" : "it has no effect";
        const cure = isEmptyElement(name) ? `<${name} />` : `</${name}> after its content`;
        const reason = `<${name}> has no closing tag, so ${effect}: write ${cure}`;
        return this.#replaced(tag, hasAttributes ? `<${name}${tag.attributes} />` : "", reason);
    }

    /** Ends an element in front of the closing tag of the element around it. */
    withEnd(name: string, opened: Place, place: Place, outerName = ""): RepairedTag | undefined {
        const tag = this.#closingTagAt(place, outerName);
        const reason = `<${name}> has no closing tag, so it ends before </${outerName}>: write </${name}> after its content`;
        return tag && { ...this.#replaced(tag, `</${name}>${tag.tag}`, reason), line: opened.line };
    }

    /** Ends an element at the end of its line, or of its cell in a table. */
    withEndOfLine(place: Place, name: string): RepairedTag | undefined {
        const tag = this.#tagAt(place, name);
        if (tag === undefined) {
            return undefined;
        }
        const bar = /^[ \t]*\|/.test(tag.before) ? tag.after.indexOf("|") : -1;
        const own = (bar === -1 ? tag.after : tag.after.slice(0, bar)).trimEnd();
        const reason = `<${name}> has no closing tag, so it ends with its line: write </${name}> after its content`;
        return this.#replaced({ ...tag, tag: tag.tag + own }, `${tag.tag}${own}</${name}>`, reason);
    }

    /** Moves a closing tag to the next line, with the indentation of its opening tag. */
    withTagBelow(place: Place, name: string): RepairedTag | undefined {
        const tag = this.#closingTagAt(place, name);
        if (tag === undefined) {
            return undefined;
        }
        const opening = new RegExp(`<${escapeExpression(name)}(?![\\w.:-])`);
        const [indent = ""] =
            /^[ \t>]*/.exec(this.#lines.slice(0, tag.row).findLast((line) => opening.test(line)) ?? "") ?? [];
        const reason = `${tag.tag} is in a paragraph, list or quote that began after <${name}>: write it on the next line`;
        const below = this.#lines[tag.row + 1];
        // An empty line makes room, so that later lines keep their numbers.
        const room = below?.trim() === "" ? below.length + 1 : 0;
        const start = this.#offsetOf(tag);
        const end = start + tag.tag.length + tag.after.length + room;
        const text = `${tag.after}\n${indent}${tag.tag}`;
        return {
            edits: [{ start: start - (tag.before.length - tag.before.trimEnd().length), end, text }],
            line: tag.row + 1,
            reason,
        };
    }

    withoutClosingTag(place: Place, name: string): RepairedTag | undefined {
        const tag = this.#closingTagAt(place, name);
        if (tag === undefined) {
            return undefined;
        }
        const isTag = formatting.has(name) || isComponentName(name) || isKnownElement(name) || this.#isDefined(name);
        const effect = isTag ? "it is left out" : "it is shown as text";
        return this.#replaced(tag, isTag ? "" : `\\${tag.tag}`, `${tag.tag} has no opening tag, so ${effect}`);
    }

    /** Whether nothing else is on the line of an opening tag, so that its element is a block. */
    isAlone(place: Place, name: string): boolean {
        const tag = this.#tagAt(place, name);
        return tag !== undefined && onlyMarkers.test(tag.before) && tag.after.trim() === "";
    }

    #isText({ before, attributes, after }: Tag, name: string): boolean {
        const isAlone = before.trim() === "" && after.trim() === "";
        if (/[=]|\{/.test(attributes) || isComponentName(name) || this.#isDefined(name)) {
            return false;
        }
        return (
            /\w$/.test(before) ||
            (!(formatting.has(name) && attributes.trim() === "") && !(isAlone && isKnownElement(name)))
        );
    }

    /** Whether the page imports or defines a component. */
    #isDefined(name: string): boolean {
        const [first = ""] = name.split(".");
        return (
            /^[A-Z]/.test(name) &&
            new RegExp(`^(?:import|export)\\b[^\\n]*\\b${escapeExpression(first)}\\b`, "m").test(this.text)
        );
    }

    #tagAt({ line, column }: Place, name: string): Tag | undefined {
        return this.#find(
            { line, column },
            new RegExp(`<${escapeExpression(name)}((?:\\s(?:[^<>"'{}]|"[^"]*"|'[^']*'|\\{[^{}]*\\})*?)?)\\s*>`, "g"),
        );
    }

    #closingTagAt(place: Place, name: string): Tag | undefined {
        return this.#find(place, new RegExp(`</${escapeExpression(name)}()\\s*>`, "g"));
    }

    /** Finds a tag on its line: at its column, or the last one, because closing tags may have moved. */
    #find({ line, column }: Place, pattern: RegExp): Tag | undefined {
        const text = this.#lines[line - 1] ?? "";
        const found = [...text.matchAll(pattern)];
        const match = found.find(({ index }) => index === column - 1) ?? found.at(-1);
        return (
            match && {
                row: line - 1,
                before: text.slice(0, match.index),
                tag: match[0],
                attributes: match[1] ?? "",
                after: text.slice(match.index + match[0].length),
            }
        );
    }

    #replaced(tag: Tag, text: string, reason: string): RepairedTag {
        const start = this.#offsetOf(tag);
        return { edits: [{ start, end: start + tag.tag.length, text }], line: tag.row + 1, reason };
    }

    #offsetOf({ row, before }: Tag): number {
        return offsetOfLine(this.text, row + 1) + before.length;
    }
}

interface Tag {
    readonly row: number;
    readonly before: string;
    readonly tag: string;
    readonly attributes: string;
    readonly after: string;
}

/** Components that show nothing of their content. */
function isEmptyElement(name: string): boolean {
    return name === "Snippet" || components.get(name)?.isEmpty === true;
}
