import { endOfExpression, isModule } from "../../text/script-parser.js";
import { type Edit, type PageText } from "./page-text/page-text.js";

/** A comment that JSX reads as text: a noncharacter, which no text contains, makes it unmistakable. */
export const blankLineFiller = "//\uFDD1";
const mayBeCut = /^export\s[^]*?\n[ \t]*\r?\n/m;
/** The beginning of an `export`, up to its expression. */
const beginning = /^export\s+(?:default\s+)?(?:(?:const|let|var)\s+[\w$]+\s*=\s*)?/;
const blankLine = /^[ \t]*(?=\r?$)/gm;

/**
 * Fills the blank lines of an `export` whose JavaScript continues after them, because the native parser cuts a component
 * at the first blank line after text in its JSX. Lines keep their numbers.
 */
export function fillExports(page: PageText): PageText {
    const { text } = page;
    if (!mayBeCut.test(text)) {
        return page;
    }
    const edits: Edit[] = [];
    let from = 0;
    for (const line of page.lines()) {
        if (line.start < from || line.isCode || !line.text.startsWith("export")) {
            continue;
        }
        from = endOfExport(text, line.start);
        if (from === line.start) {
            continue;
        }
        for (const { 0: blank, index } of text.slice(line.start, from).matchAll(blankLine)) {
            const start = line.start + index;
            edits.push({ start, end: start + blank.length, text: blankLineFiller });
        }
    }
    return page.edited(edits);
}

/** The end of an `export` that continues after a blank line; its beginning, if none does. */
function endOfExport(source: string, at: number): number {
    const lineOfBlank = /\n[ \t]*\r?\n/g;
    lineOfBlank.lastIndex = at;
    const firstBlank = lineOfBlank.exec(source)?.index;
    const [head] = beginning.exec(source.slice(at, at + 200)) ?? [];
    if (firstBlank === undefined || head === undefined || isModule(source.slice(at, firstBlank))) {
        return at;
    }
    let end = endOfExpression(source, at + head.length) ?? at;
    // An expression could continue with the page's text, for example with the `-` of a list.
    for (let blank = lastBlank(source, end); blank > firstBlank; blank = lastBlank(source, blank)) {
        if (!isModule(source.slice(at, blank))) {
            break;
        }
        end = blank;
    }
    return end;
}

function lastBlank(source: string, end: number): number {
    return /^[^]*(?=\n[ \t]*\r?\n)/.exec(source.slice(0, end))?.[0].length ?? -1;
}
