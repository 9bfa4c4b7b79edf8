import { escapeHtml } from "../../text/html-text.js";
import { flag, iconBefore, textAttribute, title } from "./attributes.js";
import { type Component } from "./component.js";
import { word } from "../../words/words.js";

/** The style sheet and the script turn these sections into tabs; without the script they follow one another. */
const tabs: Component = (use) => {
    const first = textAttribute(use, "defaultTabIndex");
    const start = first !== undefined && /^\d{1,3}$/.test(first) ? ` data-first="${first}"` : "";
    const sync = use.attributes["sync"] === false ? "" : " data-sync";
    return `<div class="tabs${flag(use, "borderBottom") ? " bordered" : ""}"${start}${sync}>${use.children()}</div>`;
};

const tab: Component = (use) => {
    const label = textAttribute(use, "title") ?? "Tab";
    const id = use.host.ids.claim(textAttribute(use, "id") ?? label);
    const head = `<p class="tab-title">${use.host.anchors(label, id)}${iconBefore(use)}${title(use, "title", "Tab")}</p>`;
    const body = use.host.sides.folded(use.children);
    return `<section class="tab" id="${escapeHtml(id)}" data-title="${escapeHtml(label)}">${head}${body}</section>`;
};

/** Code blocks as tabs; with `dropdown` as a menu. */
const codeGroup: Component = (use) => {
    const menu = flag(use, "dropdown") ? " data-dropdown" : "";
    return `<div class="tabs code-tabs" data-sync${menu}>${use.children()}</div>`;
};

const example: Component = (use) =>
    use.host.sides.beside(`<div class="example" role="group" aria-label="${word("example")}">${codeGroup(use)}</div>`);

/** One of several variants of a page's content, each with its title. */
const view: Component = (use) => {
    const label = textAttribute(use, "title") ?? "View";
    const id = use.host.ids.claim(textAttribute(use, "id") ?? label);
    const head = `<p class="tab-title">${iconBefore(use)}${title(use, "title", "View")}</p>`;
    return `<section class="view" id="${escapeHtml(id)}" data-title="${escapeHtml(label)}">${head}${use.host.sides.whole(use.children)}</section>`;
};

export const tabComponents: readonly [string, Component][] = [
    ["Tabs", tabs],
    ["Tab", tab],
    ["CodeGroup", codeGroup],
    ["RequestExample", example],
    ["ResponseExample", example],
    ["View", view],
];
