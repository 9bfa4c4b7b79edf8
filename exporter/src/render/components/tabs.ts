import { escapeHtml } from "../../text/html-text.js";
import { textOfValue } from "../../text/script-value.js";
import { flag, iconBefore, textAttribute, textsAttribute, title } from "./attributes.js";
import { type Component } from "./component.js";
import { word } from "../../words/words.js";

/**
 * Writes sections that the style sheet and the script turn into tabs. Without the script, the sections follow one
 * another.
 */
const tabs: Component = (use) => {
    // In Fumadocs, the list may name its tabs, and each tab may repeat its name as a value.
    const items = textsAttribute(use, "items");
    const named = items.length === 0 ? -1 : items.indexOf(textAttribute(use, "defaultValue") ?? "");
    const index = textAttribute(use, "defaultTabIndex") ?? textAttribute(use, "defaultIndex");
    const first = index ?? (named === -1 ? undefined : String(named));
    const start = first !== undefined && /^\d{1,3}$/.test(first) ? ` data-first="${first}"` : "";
    const sync = use.attributes["sync"] === false ? "" : " data-sync";
    const content = withNames(use.context.sides.inTabs(use.children), items);
    return `<div class="tabs${flag(use, "borderBottom") ? " bordered" : ""}"${start}${sync}>${content}</div>`;
};

/** Marks a name that is replaced if the surrounding list names the tab. */
const [nameStart, nameEnd] = ["\uE000", "\uE001"];

function withNames(html: string, names: readonly string[]): string {
    let count = 0;
    return html.replace(/<section class="tab" [^>]*>(?:(?!<\/p>)[^])*/g, (head) => {
        const name = names[count++];
        return head.replace(/\uE000([^\uE001]*)\uE001/g, (_, own: string) =>
            name === undefined ? own : escapeHtml(name),
        );
    });
}

const defaultName = "Tab";

const tab: Component = (use) => {
    const { title: given, value } = use.attributes;
    const own = given ?? value;
    const label = textOfValue(own) ?? defaultName;
    // In Fumadocs, a tab with a value has a file name as its title.
    const givesWay = own === undefined || (given !== undefined && textOfValue(value) !== undefined);
    const mark = (html: string) => (givesWay && use.context.sides.isInTabs ? `${nameStart}${html}${nameEnd}` : html);
    const name = textOfValue(value) ?? label;
    const id = use.context.ids.claim(textAttribute(use, "id") ?? name);
    const shown = mark(title({ ...use, attributes: { title: own } }, "title", label));
    const head = `<p class="tab-title">${use.context.anchors(name, id)}${iconBefore(use)}${shown}</p>`;
    const body = use.context.sides.folded(use.children);
    return `<section class="tab" id="${escapeHtml(id)}" data-title="${mark(escapeHtml(label))}">${head}${body}</section>`;
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
    const label = textAttribute(use, "title") ?? "View";
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
