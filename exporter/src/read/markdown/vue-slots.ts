import { type HastNode } from "satteri";
import { type HastElement, isElement } from "../../text/syntax-tree.js";
import { rewriteOutsideCode } from "./fences.js";

const slot = /<template\s+(?:#|v-slot:)([\w.-]+)(?:\s*=\s*"[^"\n]*")?\s*>/g;

/** Replaces the slot tags of Vue components (`<template #curl>`) by tags that Markdown reads as HTML. */
export function readVueSlots(source: string): string {
    return source.includes("<template")
        ? rewriteOutsideCode(source, (text) => text.replace(slot, '<template data-slot="$1">'))
        : source;
}

/**
 * Turns the slots of a Vue component, which browsers hide, into tabs with their names; on paper, one follows the other.
 */
export function showVueSlots(node: HastNode): void {
    if (!("children" in node)) {
        return;
    }
    const children: HastNode[] = [];
    let tabs: HastElement | undefined;
    for (const child of node.children as HastNode[]) {
        showVueSlots(child);
        const name = isElement(child) && child.tagName === "template" ? child.properties["dataSlot"] : undefined;
        if (typeof name !== "string") {
            const isSpace = child.type === "text" && child.value.trim() === "";
            tabs = isSpace ? tabs : undefined;
            children.push(child);
        } else if (name === "default") {
            tabs = undefined;
            children.push(element("div", {}, (child as HastElement).children));
        } else {
            if (tabs === undefined) {
                tabs = element("div", { className: ["tabs"], dataSync: "" }, []);
                children.push(tabs);
            }
            tabs.children.push(tabOf(name, child as HastElement));
        }
    }
    Object.assign(node, { children });
}

function tabOf(name: string, { children }: HastElement): HastElement {
    const title = element("p", { className: ["tab-title"] }, [{ type: "text", value: name }]);
    return element("section", { className: ["tab"], dataTitle: name }, [title, ...children]);
}

function element(
    tagName: string,
    properties: HastElement["properties"],
    children: HastElement["children"],
): HastElement {
    return { type: "element", tagName, properties, children };
}
