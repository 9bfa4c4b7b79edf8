import { beginningOf } from "@pulumi-static-export/contract";
const maxTextLength = 2000;

/** Untrusted text as one line of limited length: without line breaks, escape sequences and invisible characters. */
export function toOneLine(text: string, maxLength = maxTextLength): string {
    const line = beginningOf(text, maxLength + 1)
        .replace(/\s+/g, " ")
        .replace(/\p{C}/gu, "?");
    return line.length <= maxLength ? line : `${beginningOf(line, maxLength)}…`;
}

/** Copies the string, because a substring keeps its parent in memory. */
export function copyString(text: string): string {
    return Buffer.from(text, "utf8").toString("utf8");
}

/**
 * The letters and digits of a string in lower case: equal for strings that differ only in spaces, punctuation and
 * case.
 */
export function lettersOf(text: string): string {
    return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/**
 * The text up to an index, without the beginning of a word. Some languages have no spaces between words: their text may
 * end anywhere.
 */
export function wordsBefore(text: string, end: number, separator: string): string {
    if (text.length <= end) {
        return text;
    }
    const cut = text.slice(0, end - (/[\uDC00-\uDFFF]/.test(text.charAt(end)) ? 1 : 0));
    const lastWord = text[cut.length] === separator ? cut.length : cut.lastIndexOf(separator);
    return lastWord > cut.length / 2 ? cut.slice(0, lastWord) : cut;
}

/** The first line that is not blank; undefined if all lines are blank. */
export function lineOfText(source: string, text: string): number | undefined {
    const at = source.indexOf(text);
    return at === -1 ? undefined : lineAt(source, at);
}

/** The line of an offset, from 1. */
export function lineAt(source: string, offset: number): number {
    return source.slice(0, offset).split("\n").length;
}

/** The offset of a line, whose number begins at 1. */
export function offsetOfLine(source: string, line: number): number {
    let offset = 0;
    for (let at = 1; at < line; at += 1) {
        offset = source.indexOf("\n", offset) + 1;
    }
    return offset;
}

/** Turns `getting-started` into "Getting started"; drops a leading number, which is only for sorting. */
export function humanize(path: string): string {
    const words = withoutNumbers(path).replace(/[-_]+/g, " ").trim();
    return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Removes the leading numbers of a path's names, which are only for sorting. */
function withoutNumbers(path: string): string {
    return path.replace(/(^|\/)\d+[-_. ]+(?=[^/])/g, "$1");
}

/** A regular expression that matches the text. */
export function escapeExpression(text: string): string {
    return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
