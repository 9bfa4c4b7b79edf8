import { type HastNode } from "satteri";
import { childrenOf } from "../../text/syntax-tree.js";
import { type Edit, type PageText, type Report } from "./page-text/page-text.js";

const shownAsText = "the text after this < is not a complete tag or comment, so it is shown as it is written";

/**
 * Turns what begins like a tag or a comment but never ends into text. HTML reads the text after it as attributes or as
 * a comment, so that a browser shows none of it.
 */
export function readUnendedTags(page: PageText, report: Report): PageText {
    const brackets = page.only("unended");
    let line = 1;
    let counted = 0;
    for (const { start } of brackets) {
        line += page.text.slice(counted, start).split("\n").length - 1;
        counted = start;
        report(line, shownAsText);
    }
    return page.edited(brackets.map(({ start, end }) => ({ start, end, text: "&lt;" })));
}

/**
 * Replaces a comment that continues after the HTML, list item or quotation in which it begins: each of its lines gets a
 * comment. Otherwise, its end would be text, and it would hide the rest of the page.
 * @param plain the tree of the source with tags as raw text
 */
export function emptyOpenComments(page: PageText, plain: HastNode): PageText {
    const { text: source } = page;
    if (!source.includes("<!--")) {
        return page;
    }
    const edits: Edit[] = [];
    for (const { position, value } of rawNodesOf(plain)) {
        if (position === undefined || !endsInComment(value)) {
            continue;
        }
        const start = source.lastIndexOf("<!--", position.end.offset);
        const end = source.indexOf("-->", start) + 3;
        if (start >= (edits.at(-1)?.end ?? 0) && end > start) {
            const { offset = 0 } = position.start;
            const indent = source.slice(source.lastIndexOf("\n", offset - 1) + 1, offset).replace(/[^>\t]/g, " ");
            const lines = source.slice(start, end).split("\n");
            edits.push({ start, end, text: lines.fill("<!---->").join(`\n${indent}`) });
        }
    }
    return page.edited(edits);
}

function rawNodesOf(node: HastNode): Extract<HastNode, { type: "raw" }>[] {
    return node.type === "raw" ? [node] : childrenOf(node).flatMap(rawNodesOf);
}

function endsInComment(html: string): boolean {
    const start = html.lastIndexOf("<!--");
    return start !== -1 && !html.includes("-->", start + 4);
}
