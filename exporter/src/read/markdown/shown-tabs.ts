import { type HastNode } from "satteri";
import { type HastElement, isElement, textOf } from "../../text/syntax-tree.js";
import { rewriteOutsideCode } from "./fences.js";

const slot = /<template\s+(?:#|v-slot:)([\w.-]+)(?:\s*=\s*"[^"\n]*")?\s*>/g;

/** Replaces the slot tags of Vue components (`<template #curl>`) with tags that Markdown reads as HTML. */
export function readVueSlots(source: string): string {
    return source.includes("<template")
        ? rewriteOutsideCode(source, (text) => text.replace(slot, '<template data-slot="$1">'))
        : source;
}

const tabMark = "[!TAB] ";

/** Matches text with slots, or with tabs that were turned into quotes. */
export const mayHaveTabs = /<template data-slot=|^[ >]*> \[!TAB\] /m;

/**
 * Turns the slots of a Vue component, which browsers hide, and quoted tabs of MkDocs into tabs with their names. On
 * paper, the tabs follow one another.
 */
export function showTabs(node: HastNode): void {
    if (!("children" in node)) {
        return;
    }
    const children: HastNode[] = [];
    let tabs: HastElement | undefined;
    for (const child of node.children as HastNode[]) {
        showTabs(child);
        const tab = isElement(child) ? (slotOf(child) ?? quotedTabOf(child)) : undefined;
        if (tab === undefined) {
            const isSpace = child.type === "text" && child.value.trim() === "";
            tabs = isSpace ? tabs : undefined;
            children.push(child);
        } else if (tab.name === "default" && isElement(child) && child.tagName === "template") {
            tabs = undefined;
            children.push(element("div", {}, tab.children));
        } else {
            if (tabs === undefined) {
                tabs = element("div", { className: ["tabs"], dataSync: "" }, []);
                children.push(tabs);
            }
            tabs.children.push(tabElement(tab));
        }
    }
    Object.assign(node, { children });
}

interface Tab {
    readonly name: string;
    readonly children: HastElement["children"];
}

function slotOf({ tagName, properties, children }: HastElement): Tab | undefined {
    const name = tagName === "template" ? properties["dataSlot"] : undefined;
    return typeof name === "string" ? { name, children } : undefined;
}

/** The title may contain code and a MkDocs icon. The icon is omitted. */
function quotedTabOf({ tagName, children }: HastElement): Tab | undefined {
    const paragraph = tagName === "blockquote" ? children.find(isElement) : undefined;
    const [first] = paragraph?.tagName === "p" ? paragraph.children : [];
    if (paragraph === undefined || first?.type !== "text" || !first.value.startsWith(tabMark)) {
        return undefined;
    }
    const title = textOf(paragraph).slice(tabMark.length).split("\n", 1).join("");
    const name = title
        .replace(/:[a-z\d]+-[\w-]+:/g, "")
        .replace(/\s+/g, " ")
        .trim();
    const rest = afterFirstLine(paragraph.children);
    const content = children.flatMap((child) =>
        child !== paragraph ? [child] : rest.length === 0 ? [] : [{ ...paragraph, children: rest }],
    );
    return { name: name === "" ? title : name, children: content };
}

/** The part of a paragraph that directly follows the title. */
function afterFirstLine(children: HastElement["children"]): HastElement["children"] {
    const at = children.findIndex((child) => child.type === "text" && child.value.includes("\n"));
    const text = children[at];
    return text?.type === "text"
        ? [{ ...text, value: text.value.slice(text.value.indexOf("\n") + 1) }, ...children.slice(at + 1)]
        : [];
}

function tabElement({ name, children }: Tab): HastElement {
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
