import { type HastNode } from "satteri";
import { childrenOf } from "../../../exporter/src/text/syntax-tree.js";

/** The tree as text, without places and data, and without the paragraphs that only a loose list has. */
export function shapeOf(node: HastNode): string {
    const { type } = node;
    if (type === "text") {
        return JSON.stringify(node.value.trim());
    }
    const isInItem = type === "element" && node.tagName === "li";
    const shapes = childrenOf(node)
        .flatMap((child) => (isInItem && child.type === "element" && child.tagName === "p" ? child.children : [child]))
        .map((child) => shapeOf(child))
        .filter((shape) => shape !== '""');
    const name = "tagName" in node ? node.tagName : "name" in node ? node.name : type;
    const details = JSON.stringify([
        "properties" in node ? Object.entries(node.properties).sort() : [],
        "attributes" in node
            ? node.attributes.map(({ type: kind, value }) => [kind, typeof value === "string" ? value : ""])
            : [],
        "value" in node ? node.value.replace(/\s+/g, " ") : "",
    ]);
    return `${name}${details}(${shapes.join(",")})`;
}
