import { type HastNode } from "satteri";
import { childrenOf } from "../markdown/syntax-tree.js";
import { Content, type Value } from "../script/value.js";
import { textOfHtml } from "../text/html-text.js";
import { lettersOf } from "../text/letters.js";

/** A shorter text may stand anywhere. */
const minLetters = 4;

/** Whether the HTML of a component has any of the text between the component's tags; true where there is none. */
export function showsContent(children: Value, html: string): boolean {
    const texts = textsOf(children);
    if (texts.length === 0) {
        return true;
    }
    const shown = lettersOf(textOfHtml(html));
    return texts.some((text) => shown.includes(text));
}

function textsOf(children: Value): string[] {
    const all = Array.isArray(children) ? (children as Value[]) : [children];
    return all.flatMap((each) => (each instanceof Content ? each.nodes.flatMap(textsOfNode) : []));
}

function textsOfNode(node: HastNode): string[] {
    const letters = node.type === "text" ? lettersOf(node.value) : "";
    return letters.length < minLetters ? childrenOf(node).flatMap(textsOfNode) : [letters];
}
