import { propsOf, textOrContent, withoutParagraph } from "./content.js";
import { attributesOf } from "./jsx-nodes.js";
import { type HastElement, type JsxNode } from "../markdown/syntax-tree.js";
import { componentOf } from "./jsx.js";
import { type Caller, Content, emptyRecord, JsxValue, type Value, type ValueRecord } from "./value.js";

/** What React calls an element: one that was written as JSX in code, or one that stands on a page. */
export function isElement(value: Value): value is JsxValue | Content {
    return value instanceof JsxValue || (value instanceof Content && nodeOf(value) !== undefined);
}

/** An element in the form that code makes; undefined for what is none. */
export function elementOf(value: Value, caller: Caller): JsxValue | undefined {
    if (!(value instanceof Content)) {
        return value instanceof JsxValue ? value : undefined;
    }
    const node = nodeOf(value);
    if (node === undefined) {
        return undefined;
    }
    const { scope, file } = value;
    const children = node.children.length === 0 ? [] : [new Content(node.children, scope, file)];
    if (node.type === "element") {
        return new JsxValue(node.tagName, propertiesOf(node), children, undefined);
    }
    const { name } = node;
    // An attribute that cannot be worked out is reported where the element is shown.
    const attributes = attributesOf(node, scope, caller, () => undefined);
    return new JsxValue(name ?? undefined, attributes, children, name === null ? undefined : componentOf(name, scope));
}

/** `props` and `type` of an element; of several ones, what a list has. */
export function memberOfElement(value: JsxValue | Content, key: string, caller: Caller): Value {
    const element = key === "props" || key === "type" ? elementOf(value, caller) : undefined;
    if (element !== undefined) {
        return key === "props" ? propsOf(element.attributes, element.children) : (element.component ?? element.name);
    }
    if (!(value instanceof Content)) {
        return undefined;
    }
    if (key === "props") {
        return Object.assign(emptyRecord(), { children: textOrContent(withoutParagraph(value)) });
    }
    const items = itemsOfContent(value);
    return key === "length" ? items.length : /^\d+$/.test(key) ? items[Number(key)] : undefined;
}

/** The parts of `children`, those of lists in it included. Lists may hold each other many times, so each is charged. */
export function childItems(children: Value, caller: Caller): readonly Value[] {
    const { budget } = caller;
    budget.step();
    if (children instanceof Content) {
        const items = itemsOfContent(children);
        budget.step(items.length);
        return items;
    }
    return Array.isArray(children)
        ? budget.nested(() => children.flatMap((item: Value) => childItems(item, caller)))
        : [children];
}

/** The elements and texts of a page's content, without the line breaks between them. */
export function itemsOfContent({ nodes, scope, file }: Content): readonly Value[] {
    return nodes.flatMap((node): Value[] => {
        if (node.type === "text") {
            return node.value.trim() === "" && node.value.includes("\n") ? [] : [node.value];
        }
        return [new Content([node], scope, file)];
    });
}

function nodeOf({ nodes }: Content): HastElement | JsxNode | undefined {
    const [only, second] = nodes.filter((node) => node.type !== "text" || node.value.trim() !== "");
    const isOne = only !== undefined && second === undefined;
    return isOne && (only.type === "element" || only.type === "mdxJsxFlowElement" || only.type === "mdxJsxTextElement")
        ? only
        : undefined;
}

/** An element's attributes as React calls them. */
function propertiesOf({ properties }: HastElement): ValueRecord {
    const record = emptyRecord();
    for (const [name, value] of Object.entries(properties)) {
        record[name] = Array.isArray(value) ? value.join(" ") : value;
    }
    return record;
}
