import { type DefaultTreeAdapterTypes } from "parse5";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** An element and all elements within it, in document order. */
export function* elementsIn(node: Node): Generator<Element> {
    // Uses a stack, because a hostile page may be nested deeper than recursive calls can follow.
    const open: Node[] = [node];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
        if ("tagName" in next) {
            yield next;
        }
        if ("childNodes" in next) {
            open.push(...next.childNodes.toReversed());
        }
    }
}

export function attribute(element: Element | undefined, name: string): string | undefined {
    return element?.attrs.find((each) => each.name === name)?.value;
}
