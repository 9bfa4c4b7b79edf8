import { type HastNode } from "satteri";
import { childrenOf, type HastElement, lineOf } from "../../text/syntax-tree.js";
import { type Report } from "./page-text/page-text.js";

/** Elements whose content browsers never show. */
const hidesText = new Set(["title", "noembed", "noframes", "iframe"]);
/** Elements whose content is code. If it contains paragraphs, the closing tag is far away. */
const codeElements = new Set(["style", "script"]);

/** The maximum number of texts that are searched for in the whole page, because HTML moved them. */
const maxMoved = 100;

/**
 * Finds the first text of a page that an element hides because its closing tag is missing or far away.
 * @param plain the tree with tags as raw text, with positions
 * @param root the tree with elements
 */
export function reportLostText(plain: HastNode, root: HastNode, report: Report): void {
    const shown = visibleTextOf(root);
    let at = 0;
    let moved = 0;
    for (const { text, line } of textsOf(plain)) {
        const found = shown.indexOf(text, at);
        if (found !== -1) {
            at = found + text.length;
            continue;
        }
        moved += 1;
        if (moved > maxMoved) {
            break;
        }
        if (!shown.includes(text)) {
            report(
                line,
                "an element above hides this text from readers: close the element, or write &lt; for a < that is text",
            );
            return;
        }
    }
}

interface PlacedText {
    readonly text: string;
    readonly line: number | undefined;
}

function* textsOf(node: HastNode): Generator<PlacedText> {
    if (node.type === "text") {
        const text = withoutSpaces(node.value);
        if (text !== "") {
            yield { text, line: lineOf(node) };
        }
    }
    for (const child of childrenOf(node)) {
        yield* textsOf(child);
    }
}

function visibleTextOf(root: HastNode): string {
    const texts: string[] = [];
    const visit = (node: HastNode): void => {
        if (node.type === "text") {
            texts.push(node.value);
        } else if (node.type !== "element" || !hides(node)) {
            childrenOf(node).forEach(visit);
        }
    };
    visit(root);
    return withoutSpaces(texts.join(""));
}

function hides({ tagName, children: [first] }: HastElement): boolean {
    return hidesText.has(tagName) || (codeElements.has(tagName) && first?.type === "text" && /<\/p>/.test(first.value));
}

function withoutSpaces(text: string): string {
    return text.replace(/\s+/g, "");
}
