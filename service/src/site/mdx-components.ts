import { writeCallout, type CalloutKind } from "./callouts.js";
import { escapeHtml } from "./html-text.js";
import { type JsxElement } from "./mdx-elements.js";
import { type MdxValue } from "./mdx-values.js";
import { lineOf, type PageRenderer } from "./page-renderer.js";

export type MdxAttributes = Readonly<Record<string, MdxValue>>;

interface ComponentUse {
    readonly attributes: MdxAttributes;
    readonly node: JsxElement;
    readonly renderer: PageRenderer;
    /** The element's content as HTML. */
    readonly children: () => string;
}

export type Component = (use: ComponentUse) => string;

const text = (value: MdxValue | undefined): string | undefined =>
    typeof value === "string" || typeof value === "number" ? String(value) : undefined;

/** A title that is also searchable, as text between tags. */
function title({ attributes, renderer }: ComponentUse, fallback = ""): string {
    const value = text(attributes["title"]) ?? fallback;
    renderer.search.add(` ${value} `);
    return escapeHtml(value);
}

const callout =
    (kind: CalloutKind): Component =>
    ({ attributes, children }) =>
        writeCallout(kind, children(), text(attributes["title"]));

const wrapIn =
    (tag: string, className: string): Component =>
    ({ children }) =>
        `<${tag} class="${className}">${children()}</${tag}>`;

const tabGroup: Component = ({ children }) => `<div class="tabs">${children()}</div>`;

const card: Component = (use) => {
    const href = text(use.attributes["href"]);
    const heading = title(use);
    const body = `<div class="card-body">${use.children()}</div>`;
    if (href === undefined) return `<div class="card"><p class="card-title">${heading}</p>${body}</div>`;
    // The title is the link, stretched over the card by the style sheet: links inside the card stay valid HTML.
    const target = escapeHtml(use.renderer.link(href, lineOf(use.node)));
    return `<div class="card"><p class="card-title"><a href="${target}">${heading}</a></p>${body}</div>`;
};

const columns: Component = ({ attributes, children }) => {
    const count = Math.min(4, Math.max(1, Number(attributes["cols"] ?? 2) || 2));
    return `<div class="cards" style="--columns:${count}">${children()}</div>`;
};

const step: Component = (use) => `<li><p class="step-title">${title(use)}</p>${use.children()}</li>`;

const tab: Component = (use) => {
    const label = title(use, "Tab");
    return `<section class="tab" data-title="${label}"><p class="tab-title">${label}</p>${use.children()}</section>`;
};

const accordion: Component = (use) => {
    const open = use.attributes["defaultOpen"] === true ? " open" : "";
    const summary = `<summary>${title(use, "More")}</summary>`;
    return `<details class="accordion"${open}>${summary}<div>${use.children()}</div></details>`;
};

const frame: Component = ({ attributes, children }) => {
    const caption = text(attributes["caption"]);
    const below = caption === undefined ? "" : `<figcaption>${escapeHtml(caption)}</figcaption>`;
    return `<figure>${children()}${below}</figure>`;
};

/** A documented parameter or field of an API. */
const field: Component = ({ attributes, children, renderer }) => {
    const places = ["path", "query", "body", "header"] as const;
    const place = places.find((key) => text(attributes[key]) !== undefined);
    const name = text(attributes[place ?? "name"]) ?? "";
    renderer.search.add(` ${name} `);
    const notes = [text(attributes["type"]), place, attributes["required"] === true ? "required" : undefined];
    const shown = notes.filter((note) => note !== undefined).map((note) => `<span>${escapeHtml(note)}</span>`);
    const fallback = text(attributes["default"]);
    if (fallback !== undefined) shown.push(`<span>default: ${escapeHtml(fallback)}</span>`);
    const head = `<p class="field-name"><code>${escapeHtml(name)}</code>${shown.join("")}</p>`;
    return `<div class="field">${head}${children()}</div>`;
};

const tooltip: Component = ({ attributes, children }) =>
    `<abbr title="${escapeHtml(text(attributes["tip"]) ?? "")}">${children()}</abbr>`;

const update: Component = ({ attributes, children }) => {
    const label = escapeHtml(text(attributes["label"]) ?? "");
    return `<section class="update"><p class="update-label">${label}</p><div>${children()}</div></section>`;
};

/**
 * The components that documentation platforms share, as static HTML. What they take beyond these attributes (icons,
 * colours) is ignored rather than refused, so that a page written for such a platform exports as it is.
 */
export const components: ReadonlyMap<string, Component> = new Map<string, Component>([
    ["Note", callout("note")],
    ["Tip", callout("tip")],
    ["Info", callout("info")],
    ["Check", callout("check")],
    ["Warning", callout("warning")],
    ["Danger", callout("danger")],
    ["Callout", callout("info")],
    ["Card", card],
    ["CardGroup", columns],
    ["Columns", columns],
    ["Column", wrapIn("div", "column")],
    ["Steps", wrapIn("ol", "steps")],
    ["Step", step],
    ["Tabs", tabGroup],
    ["Tab", tab],
    ["CodeGroup", tabGroup],
    ["RequestExample", tabGroup],
    ["ResponseExample", tabGroup],
    ["AccordionGroup", wrapIn("div", "accordions")],
    ["Accordion", accordion],
    ["Expandable", accordion],
    ["Frame", frame],
    ["ParamField", field],
    ["ResponseField", field],
    ["Tooltip", tooltip],
    ["Badge", wrapIn("span", "badge")],
    ["Update", update],
    ["Icon", () => ""],
]);
