import { accordion } from "../html/accordion.js";
import { escapeHtml } from "../text/html-text.js";
import { classes, flag, iconBefore, plainAttribute, shownAttribute, textAttribute, title } from "./attributes.js";
import {
    type Component,
    type ComponentContext,
    type Components,
    type ComponentText,
    type ComponentUse,
} from "./component.js";
import { bold, contentText, listItem, titled } from "./markdown-text.js";
import { word } from "../words/words.js";

/** Makes a titled part a link target. */
function target(use: ComponentUse): { id: string; anchors: string } {
    const label = plainAttribute(use, "title");
    const wanted = textAttribute(use, "id") ?? label;
    if (wanted === undefined) {
        return { id: "", anchors: "" };
    }
    const id = use.context.ids.claim(wanted);
    return { id: ` id="${escapeHtml(id)}"`, anchors: label === undefined ? "" : use.context.anchors(label, id) };
}

const disclosure = (fallback: string): Component => ({
    text: titled("title"),
    html: (use) => {
        const { id, anchors } = target(use);
        const label = anchors + iconBefore(use) + title(use, "title", fallback);
        const description = shownAttribute(use, "description");
        const below = description === undefined ? "" : `<span class="summary-text">${description}</span>`;
        const summary = label + below;
        return accordion(summary, use.context.sides.folded(use.children), flag(use, "defaultOpen"), id);
    },
});

/** The state of the surrounding steps element while it is rendered, with the number of steps so far. */
interface StepList {
    readonly titleSize: string | undefined;
    count: number;
}

const stepLists = new WeakMap<ComponentContext, StepList | undefined>();

/** An element without steps, for example because headings replace the steps, is not written as a list. */
function steps(use: ComponentUse): string {
    const { context } = use;
    const around = stepLists.get(context);
    const list: StepList = { titleSize: textAttribute(use, "titleSize"), count: 0 };
    stepLists.set(context, list);
    try {
        const content = use.children();
        return list.count === 0 ? `<div>${content}</div>` : `<ol class="steps">${content}</ol>`;
    } finally {
        stepLists.set(context, around);
    }
}

/** The number of steps outside of a list on the page so far. */
const loneSteps = new WeakMap<ComponentContext, number>();

function step(use: ComponentUse): string {
    const heading = title(use);
    const { id, anchors } = target(use);
    const number = textAttribute(use, "stepNumber");
    const value = number !== undefined && /^\d{1,6}$/.test(number) ? ` value="${number}"` : "";
    const list = stepLists.get(use.context);
    const size = textAttribute(use, "titleSize") ?? list?.titleSize;
    const tag = size !== undefined && /^h[2-6]$/.test(size) ? size : "p";
    const label = iconBefore(use) + heading;
    const head = label === "" ? "" : `<${tag} class="step-title">${anchors}${label}</${tag}>`;
    const item = `<li${id}${value}>${head}${use.children()}</li>`;
    if (list !== undefined) {
        list.count += 1;
        return item;
    }
    const before = loneSteps.get(use.context) ?? 0;
    loneSteps.set(use.context, before + 1);
    return `<ol class="steps" start="${before + 1}">${item}</ol>`;
}

const stepText: ComponentText = ({ attribute, inner, number }) => {
    const own = attribute("stepNumber") ?? "";
    return listItem(`${/^\d{1,6}$/.test(own) ? own : number}. `, bold(attribute("title")), inner, "\n\n");
};

export const disclosureComponents: Components = {
    AccordionGroup: {
        html: (use) => `<div${classes("accordions", use)}>${use.children()}</div>`,
        text: contentText,
    },
    Accordions: { sameAs: "AccordionGroup" },
    Accordion: disclosure(word("more")),
    Details: { sameAs: "Accordion", mayBe: "html" },
    Expandable: disclosure(word("showMore")),
    Steps: { html: steps, text: contentText, isNumbered: true },
    Step: { html: step, text: stepText, isListed: true },
};
