import { type HastNode } from "satteri";
import { childrenOf, type ExpressionNode, isElement, isExpression, onlyParagraph } from "../../text/syntax-tree.js";
import { type Budget } from "./budget.js";
import { Content, emptyRecord, JsxValue, Scope, type Value, type ValueRecord } from "../../text/script-value.js";

/** Content without the paragraph that Markdown puts around text on its own line. */
export function withoutParagraph(content: Content): Content {
    const paragraph = onlyParagraph(content.nodes.filter((node) => node.type !== "text" || node.value.trim() !== ""));
    return paragraph === undefined ? content : new Content(paragraph.children, content.scope, content.file);
}

/** Content in the form that React passes to a component: undefined for empty content, and a string for plain text. */
export function textOrContent(content: Content): Content | string | undefined {
    if (content.nodes.length === 0) {
        return undefined;
    }
    const texts = content.nodes.map((node) => (node.type === "text" ? node.value : undefined));
    return texts.every((text) => text !== undefined) ? texts.join("") : content;
}

/** Content that a page shows again: its footnotes get other ids, so that their links lead to this place. */
export function shownAgain(content: Content, use: number): Content {
    const { nodes, scope, file } = content;
    const rename = (value: unknown) =>
        typeof value === "string" && footnoteId.test(value) ? `${value}-use-${use}` : value;
    const copy = (node: HastNode): HastNode => {
        const children = childrenOf(node).map(copy);
        const own = children.length === 0 ? {} : { children };
        if (!isElement(node)) {
            return { ...node, ...own } as HastNode;
        }
        const { id, href, ...others } = node.properties;
        const named = { ...others, ...(id && { id: rename(id) }), ...(href && { href: rename(href) }) };
        return { ...node, ...own, properties: named } as HastNode;
    };
    return nodes.some(hasFootnote) ? new Content(nodes.map(copy), scope, file) : content;
}

/** Matches the ids of footnotes and of references to them, and links to both. */
const footnoteId = /^#?user-content-fn(?:ref)?-/;

function hasFootnote(node: HastNode): boolean {
    const { href } = isElement(node) ? node.properties : {};
    return (typeof href === "string" && footnoteId.test(href)) || childrenOf(node).some(hasFootnote);
}

type Evaluate = (node: ExpressionNode, content: Content) => string;

/** A value as text without markup. @param evaluate returns the text of an expression in content */
export function plainText(value: Value, budget: Budget, evaluate: Evaluate): string {
    budget.step();
    if (value instanceof Content) {
        const textOfNode = (node: HastNode): string =>
            isExpression(node)
                ? evaluate(node, value)
                : node.type === "text"
                  ? node.value
                  : childrenOf(node).map(textOfNode).join("");
        return value.nodes.map(textOfNode).join("");
    }
    if (value instanceof JsxValue) {
        return budget.nested(() => plainText(value.children, budget, evaluate));
    }
    if (Array.isArray(value)) {
        return budget.nested(() => value.map((item: Value) => plainText(item, budget, evaluate)).join(""));
    }
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** A snippet with the names that it can use: its own names, its attributes, and the content between its tags. */
export function filledSnippet(snippet: Content, attributes: ValueRecord, children: Value): Content {
    const scope = new Scope(snippet.scope);
    for (const [name, value] of Object.entries(attributes)) {
        scope.set(name, value);
    }
    scope.set("props", Object.assign(emptyRecord(), attributes, { children }));
    scope.set("children", children);
    return new Content(snippet.nodes, scope, snippet.file);
}

/** Whether an element has any content between its tags. */
export function hasContent(children: Content | readonly Value[]): boolean {
    return children instanceof Content
        ? hasNodes(children.nodes)
        : children.some((child) => (child instanceof Content ? hasNodes(child.nodes) : isShown(child)));
}

export function hasNodes(nodes: readonly HastNode[]): boolean {
    return nodes.some((node) => (node.type === "text" ? node.value.trim() !== "" : node.type !== "comment"));
}

function isShown(value: Value): boolean {
    return typeof value === "string" ? value.trim() !== "" : value !== undefined && value !== null && value !== false;
}
