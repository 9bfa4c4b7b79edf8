import { type HastNode } from "satteri";

export type HastElement = Extract<HastNode, { type: "element" }>;
export type JsxNode = Extract<HastNode, { type: "mdxJsxFlowElement" | "mdxJsxTextElement" }>;

export function lineOf(node: HastNode): number | undefined {
    return node.position?.start.line;
}

export function childrenOf(node: HastNode): readonly HastNode[] {
    return "children" in node ? node.children : [];
}

/** The text of a node and of all in it. */
export function textOf(node: HastNode): string {
    if (node.type === "text") {
        return node.value;
    }
    return childrenOf(node)
        .map((child) => textOf(child))
        .join("");
}
