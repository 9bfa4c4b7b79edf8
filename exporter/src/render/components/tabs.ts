import { escapeHtml } from "../../text/html-text.js";
import { flag, iconBefore, plainAttribute, textAttribute, title } from "./attributes.js";
import { type Component } from "./component.js";
import { word } from "../../words/words.js";

/**
 * Writes sections that the style sheet and the script turn into tabs. Without the script, the sections follow one
 * another.
 */
const tabs: Component = (use) => {
    const first = textAttribute(use, "defaultTabIndex") ?? textAttribute(use, "defaultIndex");
    const start = first !== undefined && /^\d{1,3}$/.test(first) ? ` data-first="${first}"` : "";
    const sync = use.attributes["sync"] === false ? "" : " data-sync";
    return `<div class="tabs${flag(use, "borderBottom") ? " bordered" : ""}"${start}${sync}>${use.children()}</div>`;
};

const defaultName = "Tab";

const tab: Component = (use) => {
    const name = plainAttribute(use, "title") ?? defaultName;
    const id = use.context.ids.claim(textAttribute(use, "id") ?? name);
    const shown = title(use, "title", name);
    const head = `<p class="tab-title">${use.context.anchors(name, id)}${iconBefore(use)}${shown}</p>`;
    const body = use.context.sides.folded(use.children);
    return `<section class="tab" id="${escapeHtml(id)}" data-title="${escapeHtml(name)}">${head}${body}</section>`;
};

/** Code blocks as tabs, or as a menu with `dropdown`. */
const codeGroup: Component = (use) => {
    const menu = flag(use, "dropdown") ? " data-dropdown" : "";
    return `<div class="tabs code-tabs" data-sync${menu}>${use.children()}</div>`;
};

const example =
    (kind: "request" | "response"): Component =>
    (use) =>
        use.context.sides.beside(
            `<div class="example" data-of="${kind}" role="group" aria-label="${word("example")}">` +
                `${codeGroup(use)}</div>`,
        );

/** One of several variants of a page's content, with its title. */
const view: Component = (use) => {
    const label = plainAttribute(use, "title") ?? "View";
    const id = use.context.ids.claim(textAttribute(use, "id") ?? label);
    const head = `<p class="tab-title">${iconBefore(use)}${title(use, "title", "View")}</p>`;
    return `<section class="view" id="${escapeHtml(id)}" data-title="${escapeHtml(label)}">${head}${use.context.sides.whole(use.children)}</section>`;
};

export const tabComponents: readonly [string, Component][] = [
    ["Tabs", tabs],
    ["Tab", tab],
    ["CodeGroup", codeGroup],
    ["RequestExample", example("request")],
    ["ResponseExample", example("response")],
    ["View", view],
];
