import { type HastNode } from "satteri";
import { Content, type Value } from "../../text/script-value.js";

/** Whether there is anything between the tags of an element. */
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
