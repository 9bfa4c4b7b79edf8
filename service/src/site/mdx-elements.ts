import { type HastNode } from "satteri";
import { components, type MdxAttributes } from "./mdx-components.js";
import { parseLiteral } from "./mdx-values.js";
import { type PageRenderer } from "./page-renderer.js";

export type JsxElement = Extract<HastNode, { type: "mdxJsxFlowElement" | "mdxJsxTextElement" }>;

/** An element written as JSX: plain HTML when its name is lower case, else one of the components we know. */
export function writeJsxElement(node: JsxElement, renderer: PageRenderer): string {
    const { name } = node;
    if (name === null) return renderer.renderChildren(node);
    const attributes = readAttributes(node, renderer);
    if (/^[a-z][\w-]*$/.test(name)) return renderer.writeElement(name, attributes, node);
    const component = components.get(name);
    if (component === undefined) {
        const known = [...components.keys()].join(", ");
        throw renderer.error(node, `there is no component <${name}>; these there are: ${known}`);
    }
    return component({ attributes, node, renderer, children: () => renderer.renderChildren(node).trim() });
}

function readAttributes(node: JsxElement, renderer: PageRenderer): MdxAttributes {
    const attributes: Record<string, MdxAttributes[string]> = {};
    for (const attribute of node.attributes) {
        if (attribute.type === "mdxJsxExpressionAttribute") {
            throw renderer.error(
                node,
                `{${attribute.value}} in <${node.name}> is JavaScript, which an export never runs`,
            );
        }
        const { name, value } = attribute;
        if (value === null || value === undefined) attributes[name] = true;
        else if (typeof value === "string") attributes[name] = value;
        else {
            const literal = parseLiteral(value.value);
            if (literal === undefined) {
                const what = `${name}={${value.value}} in <${node.name}>`;
                throw renderer.error(node, `${what} is JavaScript, which an export never runs; give a plain value`);
            }
            attributes[name] = literal;
        }
    }
    return attributes;
}
