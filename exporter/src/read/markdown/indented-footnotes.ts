import { footnote, itemStart } from "./page-text/block-starts.js";
import { type PageText } from "./page-text/page-text.js";

const indentedFootnote = new RegExp(String.raw`^(?: {4}|\t)[ \t]*(?=${footnote})`);
const anyIndentedFootnote = new RegExp(indentedFootnote, "m");
const listItem = new RegExp(String.raw`^[ \t]*${itemStart}`);

/**
 * Moves footnotes that are indented like the content of a component to the left. In MDX, no indentation means code, but
 * the native parser links nothing to a footnote with four blanks in front. In lists, nothing is moved.
 */
export function moveFootnotes(page: PageText): PageText {
    if (!anyIndentedFootnote.test(page.text)) {
        return page;
    }
    // The lines that contain the current one by their indentation, the innermost last.
    const outer: { readonly indentation: number; readonly isItem: boolean }[] = [];
    return page.withLines(({ text: line, isCode }) => {
        if (isCode || line.trim() === "") {
            return line;
        }
        const indentation = line.slice(0, line.search(/[^ \t]/)).replaceAll("\t", "    ").length;
        while ((outer.at(-1)?.indentation ?? -1) >= indentation) {
            outer.pop();
        }
        const isMoved = indentedFootnote.test(line) && !outer.some(({ isItem }) => isItem);
        outer.push({ indentation, isItem: listItem.test(line) });
        return isMoved ? line.replace(indentedFootnote, "   ") : line;
    });
}
