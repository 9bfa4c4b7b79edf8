import { type HastNode } from "satteri";
import { childrenOf } from "../../text/syntax-tree.js";
import { lineAt } from "../../text/strings.js";
import { type PageText, type Report } from "./page-text/page-text.js";

const mayHaveFences = /```|~~~/;
const fence = /^(?:`{3,}|~{3,})/;
const closing = /^[ \t>]*(`{3,}|~{3,})$/;
/** In Markdown, a mark that is indented further belongs to the code. MDX has no indented code, so it has no limit. */
const maxIndent = 3;

/**
 * Reports the first code without a line that ends it.
 * @param root the tree of the page, with positions
 */
export function reportUnclosedCode({ text, isMdx }: PageText, root: HastNode, report: Report): void {
    const most = isMdx ? Infinity : maxIndent;
    const open = mayHaveFences.test(text) ? unclosedCodeIn(root, text, most) : undefined;
    if (open === undefined) {
        return;
    }
    const after = text.slice(open.end).search(/\S/);
    const close = "close it with a line of the same characters";
    report(
        open.line,
        after === -1
            ? `the code that begins here has no end, so everything after it is code: ${close}`
            : `the code that begins here ends at line ${lineAt(text, open.end + after)}, which is outside of its list or ` +
                  `quotation: indent or quote all its lines alike, and ${close}`,
    );
}

function unclosedCodeIn(node: HastNode, text: string, most: number): { line: number; end: number } | undefined {
    const { start, end } = node.position ?? {};
    if (node.type === "element" && node.tagName === "pre" && start?.offset !== undefined && end?.offset !== undefined) {
        const code = text.slice(start.offset, end.offset);
        const [mark] = fence.exec(code) ?? [];
        return mark === undefined || isClosed(code, mark, start.column + most)
            ? undefined
            : { line: start.line, end: end.offset };
    }
    for (const child of childrenOf(node)) {
        const found = unclosedCodeIn(child, text, most);
        if (found !== undefined) {
            return found;
        }
    }
    return undefined;
}

function isClosed(code: string, mark: string, maxColumn: number): boolean {
    const whole = code.trimEnd();
    const last = whole.slice(whole.lastIndexOf("\n") + 1);
    const end = closing.exec(last)?.[1];
    return last !== whole && end?.startsWith(mark) === true && last.indexOf(end) < maxColumn;
}
