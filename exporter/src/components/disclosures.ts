import { escapeHtml } from "../text/html-text.js";
import { classes, flag, iconBefore, textAttribute, title } from "./attributes.js";
import { type Component, type ComponentHost, type ComponentUse } from "./component.js";
import { word } from "../words/words.js";

/** What makes a part with a title a target of links. */
function target(use: ComponentUse): { id: string; anchors: string } {
    const label = textAttribute(use, "title");
    const wanted = textAttribute(use, "id") ?? label;
    if (wanted === undefined) {
        return { id: "", anchors: "" };
    }
    const id = use.host.claimId(wanted);
    return { id: ` id="${escapeHtml(id)}"`, anchors: label === undefined ? "" : use.host.anchors(label, id) };
}

const disclosure =
    (fallback: string): Component =>
    (use) => {
        const open = flag(use, "defaultOpen") ? " open" : "";
        const { id, anchors } = target(use);
        const description = textAttribute(use, "description");
        const below = description === undefined ? "" : `<span class="summary-text">${escapeHtml(description)}</span>`;
        const summary = `<summary>${anchors}${iconBefore(use)}${title(use, "title", fallback)}${below}</summary>`;
        const body = use.host.folded(use.children);
        return `<details class="accordion"${id}${open}>${summary}<div>${body}</div></details>`;
    };

/** The size of titles that the steps around a step give it, while they are rendered. */
const titleSizes = new WeakMap<ComponentHost, string | undefined>();

const steps: Component = (use) => {
    const { host } = use;
    const around = titleSizes.get(host);
    titleSizes.set(host, textAttribute(use, "titleSize"));
    try {
        return `<ol class="steps">${use.children()}</ol>`;
    } finally {
        titleSizes.set(host, around);
    }
};

const step: Component = (use) => {
    const heading = title(use);
    const { id, anchors } = target(use);
    const number = textAttribute(use, "stepNumber");
    const value = number !== undefined && /^\d{1,6}$/.test(number) ? ` value="${number}"` : "";
    const size = textAttribute(use, "titleSize") ?? titleSizes.get(use.host);
    const tag = size !== undefined && /^h[2-6]$/.test(size) ? size : "p";
    const label = iconBefore(use) + heading;
    const head = label === "" ? "" : `<${tag} class="step-title">${anchors}${label}</${tag}>`;
    return `<li${id}${value}>${head}${use.children()}</li>`;
};

export const disclosureComponents: readonly [string, Component][] = [
    ["AccordionGroup", (use) => `<div${classes("accordions", use)}>${use.children()}</div>`],
    ["Accordion", disclosure(word("more"))],
    ["Expandable", disclosure(word("showMore"))],
    ["Steps", steps],
    ["Step", step],
];
