import { escapeHtml } from "../text/html-text.js";
import { flag, iconBefore, plainAttribute, textAttribute, title } from "./attributes.js";
import { type Component, type Components, type ComponentUse } from "./component.js";
import { contentText, titled } from "./markdown-text.js";
import { word } from "../words/words.js";

/**
 * Writes sections that the style sheet and the script turn into tabs. Without the script, the sections follow one
 * another.
 */
function tabs(use: ComponentUse): string {
    const first = textAttribute(use, "defaultTabIndex") ?? textAttribute(use, "defaultIndex");
    const start = first !== undefined && /^\d{1,3}$/.test(first) ? ` data-first="${first}"` : "";
    const sync = use.attributes["sync"] === false ? "" : " data-sync";
    return `<div class="tabs${flag(use, "borderBottom") ? " bordered" : ""}"${start}${sync}>${use.children()}</div>`;
}

const defaultName = "Tab";

function tab(use: ComponentUse): string {
    const name = plainAttribute(use, "title") ?? defaultName;
    const id = use.context.ids.claim(textAttribute(use, "id") ?? name);
    const shown = title(use, "title", name);
    const head = `<p class="tab-title">${use.context.anchors(name, id)}${iconBefore(use)}${shown}</p>`;
    const body = use.context.sides.folded(use.children);
    return `<section class="tab" id="${escapeHtml(id)}" data-title="${escapeHtml(name)}">${head}${body}</section>`;
}

/** Code blocks as tabs, or as a menu with `dropdown`. */
function codeGroup(use: ComponentUse): string {
    const menu = flag(use, "dropdown") ? " data-dropdown" : "";
    return `<div class="tabs code-tabs" data-sync${menu}>${use.children()}</div>`;
}

const example = (kind: "request" | "response"): Component => ({
    text: contentText,
    html: (use) =>
        use.context.sides.beside(
            `<div class="example" data-of="${kind}" role="group" aria-label="${word("example")}">` +
                `${codeGroup(use)}</div>`,
        ),
});

/** One of several variants of a page's content, with its title. */
function view(use: ComponentUse): string {
    const label = plainAttribute(use, "title") ?? "View";
    const id = use.context.ids.claim(textAttribute(use, "id") ?? label);
    const head = `<p class="tab-title">${iconBefore(use)}${title(use, "title", "View")}</p>`;
    return `<section class="view" id="${escapeHtml(id)}" data-title="${escapeHtml(label)}">${head}${use.context.sides.whole(use.children)}</section>`;
}

export const tabComponents: Components = {
    Tabs: { html: tabs, text: contentText },
    Tab: { html: tab, text: titled("title", "value") },
    CodeGroup: { html: codeGroup, text: contentText },
    CodeBlocks: { sameAs: "CodeGroup" },
    RequestExample: example("request"),
    ResponseExample: example("response"),
    View: { html: view, text: titled("title"), mayBe: "html" },
};
