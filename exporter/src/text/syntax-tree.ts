import { type HastNode } from "satteri";

export type HastElement = Extract<HastNode, { type: "element" }>;
export type JsxNode = Extract<HastNode, { type: "mdxJsxFlowElement" | "mdxJsxTextElement" }>;
export type ExpressionNode = Extract<HastNode, { type: "mdxFlowExpression" | "mdxTextExpression" }>;

export function isElement(node: HastNode): node is HastElement {
    return node.type === "element";
}

export function isJsx(node: HastNode): node is JsxNode {
    return node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";
}

export function isExpression(node: HastNode): node is ExpressionNode {
    return node.type === "mdxFlowExpression" || node.type === "mdxTextExpression";
}

export function hasExpression(node: HastNode): boolean {
    return isExpression(node) || childrenOf(node).some(hasExpression);
}

export function hasRawHtml(node: HastNode): boolean {
    return node.type === "raw" || childrenOf(node).some(hasRawHtml);
}

export function lineOf(node: HastNode): number | undefined {
    return node.position?.start.line;
}

export function childrenOf(node: HastNode): readonly HastNode[] {
    return "children" in node ? node.children : [];
}

/** The paragraph that Markdown creates from text on its own line; undefined if there is other content. */
export function onlyParagraph(nodes: readonly HastNode[]): HastElement | undefined {
    const [only] = nodes;
    return nodes.length === 1 && only?.type === "element" && only.tagName === "p" ? only : undefined;
}

/** The text of a node and all of its descendants. */
export function textOf(node: HastNode): string {
    if (node.type === "text") {
        return node.value;
    }
    return childrenOf(node).map(textOf).join("");
}

/** A copy of a tree with all of its texts changed: content, code, names and attributes. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
    return mapped(value, change) as T;
}

function mapped(value: unknown, change: (text: string) => string): unknown {
    if (typeof value === "string") {
        return change(value);
    }
    if (Array.isArray(value)) {
        return value.map((each) => mapped(each, change));
    }
    return typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapped(each, change)]))
        : value;
}
