import { heading, itemMarker, itemStart, thematicBreak } from "./block-starts.js";
import { Containers } from "./containers.js";

/** A list marker may precede the line that begins code or a formula. */
const opening = new RegExp(
    String.raw`^(?:[ \t>]|${itemMarker}[ \t])*(` + "`{3,}" + String.raw`|~{3,}|\${2,}(?!\{)(?=[^$]*$))(.*)`,
);
const closing = /^[ \t]*(`{3,}|~{3,}|\${2,})\s*$/;
const mayHaveMark = /```|~~~|\$\$/;
/** Lines after which indented code may begin, also if a paragraph precedes them, or in an item without text. */
const endsText = new RegExp(
    String.raw`^[ \t>]*(?:\r?\n?$|${heading}|${itemStart}|-+\s*$|${thematicBreak}|<!--.*-->\s*$)`,
);
const underline = /^[ \t>]*(?:=+|-+)\s*$/;
const deeplyIndented = /^[ \t>]*?(?: {4}|\t)/;
/** An item, or a quotation in one, that may begin with indented code. */
const deepItem = new RegExp(String.raw`^(?:[ \t>]|${itemMarker}[ \t])*?(?:${itemMarker}|>)(?: {5}| {0,4}\t)`, "m");

/** Whether text may contain fences or indented code. */
export function mayHaveFences(text: string, isMdx: boolean): boolean {
    return mayHaveMark.test(text) || (!isMdx && (mayHaveIndented.test(text) || deepItem.test(text)));
}

const mayHaveIndented =
    /(?:(?<![^])|^[ \t>]*(?:#{1,6}(?:[ \t].*)?|=+[ \t]*|[-*_][-*_ \t]*|<!--.*-->[ \t]*|\r)?\r?\n)[ \t>]*(?: {4}|\t)/m;

/**
 * Tracks code and formulas that consist of whole lines, as CommonMark and its extension for formulas define them:
 * https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export class Fences {
    /** The characters that opened the fence; empty outside of a fence. */
    #mark = "";
    readonly #containers: Containers;
    /** Lines that are read only when code begins after them that may be in a list: most pages have no such code. */
    #unread: string[] = [];
    /** Whether a paragraph may continue on the line. */
    #isAfterText = false;

    constructor(private readonly isMdx: boolean) {
        this.#containers = new Containers(isMdx);
    }

    /** Whether a line belongs to code or a formula, or is its delimiter. */
    kindOf(line: string): "fence" | "indented" | "formula" | undefined {
        const hasMark = mayHaveMark.test(line);
        const within = this.#mark === "" ? undefined : this.#containers.within(line);
        if (within !== undefined) {
            const kind = this.#kind;
            const end = hasMark && !within.isDeep ? closing.exec(within.text)?.[1] : undefined;
            if (end?.startsWith(this.#mark) === true) {
                this.#mark = "";
            }
            return kind;
        }
        this.#mark = "";
        const mark = hasMark ? markOf(line) : "";
        const isAtEdge = mark !== "" && line.startsWith(mark);
        const isAfterText = !endsText.test(line);
        if (mark === "" && !this.#mayBeIndented(line) && !(this.#isAfterText && underline.test(line))) {
            this.#unread.push(line);
            this.#isAfterText = isAfterText;
            return undefined;
        }
        const { isCode, isDeep, text } = this.#read(line, isAtEdge);
        this.#isAfterText = isAfterText && this.#containers.isAfterText;
        if (isCode) {
            return "indented";
        }
        this.#mark = mark !== "" && !isDeep && text.trimStart().startsWith(mark) ? mark : "";
        return this.#mark === "" ? undefined : this.#kind;
    }

    get #kind(): "fence" | "formula" {
        return this.#mark.startsWith("$") ? "formula" : "fence";
    }

    #mayBeIndented(line: string): boolean {
        return !this.isMdx && ((!this.#isAfterText && deeplyIndented.test(line)) || deepItem.test(line));
    }

    /** @param isAtEdge whether the line begins a fence that is not in a list or quotation, whatever precedes it */
    #read(line: string, isAtEdge: boolean): ReturnType<Containers["read"]> {
        if (!isAtEdge) {
            this.#unread.forEach((each) => this.#containers.read(each));
        }
        this.#unread = [];
        return this.#containers.read(line);
    }
}

/** The mark that may begin a fence on a line; empty if there is none. */
function markOf(line: string): string {
    const [, mark = "", rest = ""] = opening.exec(line) ?? [];
    return mark.startsWith("`") && rest.includes("`") ? "" : mark;
}
